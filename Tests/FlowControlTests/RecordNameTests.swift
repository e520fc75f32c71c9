import FlowControl
import FlowModel
import Testing

/// Names of runs and notices, and how ids are shortened.
struct RecordNameTests {
  private static let run = "20260302T140000Z-morning-summary-17"
  private static let notice = run + "-f3a91c02"

  private func name(_ text: String) -> RecordName? { RecordName(text, years: 2025...2027) }

  private func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

  @Test(arguments: [
    ("2", "0000-01-01T00:00:00Z", ""), ("2026", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59.999Z"),
    ("20260", "2026-01-01T00:00:00Z", "2026-09-30T23:59:59.999Z"),
    ("202602", "2026-02-01T00:00:00Z", "2026-02-28T23:59:59.999Z"),
    ("20260302T1", "2026-03-02T10:00:00Z", "2026-03-02T19:59:59.999Z"),
    ("20260302T140512", "2026-03-02T14:05:12Z", "2026-03-02T14:05:12.999Z"),
    ("20260302T140512.1", "2026-03-02T14:05:12.100Z", "2026-03-02T14:05:12.199Z"),
    ("20260302T140512.123Z", "2026-03-02T14:05:12.123Z", "2026-03-02T14:05:12.123Z"),
    (run, "2026-03-02T14:00:00Z", "2026-03-02T14:00:00Z"),
  ]) func `an id prefix means all slots with that prefix`(text: String, from: String, to: String) throws {
    guard !to.isEmpty else { return #expect(name(text) == nil, "years of four digits begin with more") }
    let span = try #require(name(text)?.spans.first)
    #expect(name(text)?.spans.count == 1)
    #expect(span.text == text)
    let (first, last) = (try instant(from), try instant(to))
    #expect(span.from == first && span.to == last, "\(span)")
  }

  @Test func `a time without a year means the given years, newest first`() throws {
    let spans = try #require(name("0302T14")?.spans)
    #expect(spans.map(\.text) == ["20270302T14", "20260302T14", "20250302T14"])
    let two = try instant("2026-03-02T14:00:00Z")
    #expect(spans[1].from == two)
    // Only one of these years has the day.
    #expect(RecordName("0229T14", years: 2027...2028)?.spans.map(\.text) == ["20280229T14"])
  }

  @Test(arguments: [
    "", "morning-summary", "latest", "20261399", "20260230T", "20260302T25", "20260302X", "2026*", "2026-03-02'",
    "0099",
    "20260302T140000Z-a[b", String(repeating: "2", count: 300),
  ]) func `text that cannot be an id is refused`(text: String) {
    #expect(name(text) == nil)
  }

  @Test func `a complete id matches only itself, a prefix all ids that begin so`() throws {
    #expect(name(Self.run)?.runPatterns == ["-morning-summary-17-"])
    #expect(name("20260302T140000Z-morning-s")?.runPatterns == ["-morning-s*"])
    #expect(name(Self.notice)?.noticePatterns == [Self.notice])
    #expect(name(Self.notice + "-t3")?.noticePatterns == [Self.notice + "-t3"])
    // A run's id also names its notice; personal notices come after the team's notice.
    #expect(name(Self.run)?.noticePatterns == [Self.run + "-????????", Self.run + "-*"])
    #expect(name("0302T1400-17")?.runPatterns == ["*-17-"])
    #expect(name("0302T1400-17")?.noticePatterns == ["*-17-????????", "*-17-????????-*"])
    #expect(name("0302T1400-17-t3")?.runPatterns == [])
    #expect(name("0302T1400-17-t3")?.noticePatterns == ["*-17-????????-t3"])
    #expect(name("0302T1400")?.runPatterns == [nil])
  }

  @Test func `an id is shown in twelve characters, and in full where two would look alike`() {
    let other = "20260302T140000Z-low-stock-18"
    let byHand = ["20260302T140512.123Z-low-stock-18", "20260302T140512.456Z-low-stock-18"]
    let runs = ShownIDs(runs: [Self.run, other, Self.run])
    #expect(runs[Self.run] == "0302T1400-17" && runs[other] == "0302T1400-18")
    #expect(runs[Self.run].count == 12)
    // The short form does not depend on other ids in the reply.
    #expect(ShownIDs(runs: byHand)[byHand[0]] == "0302T140512.123-18")
    #expect(ShownIDs(runs: [byHand[0]])[byHand[0]] == "0302T140512.123-18")
    // The same minute of another year.
    let before = "20250302T140000Z-morning-summary-17"
    #expect(ShownIDs(runs: [Self.run, before])[before] == before)

    let own = Self.notice + "-t3"
    let sick = "20260302T140512.123Z-sink-sick-drop-f3a91c02"
    let notices = ShownIDs(notices: [Self.notice, own, sick])
    #expect(notices[Self.notice] == "0302T1400-17" && notices[own] == "0302T1400-17-t3")
    #expect(notices[sick] == "0302T140512.123")
    // An operator notice and a morning's notices can have the same instant.
    let whole = "20260302T140000Z-sink-sick-drop-f3a91c02"
    #expect(ShownIDs(notices: [whole])[whole] == whole)
    #expect(ShownIDs(notices: ["n-1"])["n-1"] == "n-1")
  }

  @Test func `a record's id is shown with eight characters, or more to be unique`() {
    let ids = ["1B2E7F3A-0000-4000-8000-000000000001", "2B2E7F3A-0000-4000-8000-000000000001"]
    let shown = ShownIDs(records: ids + ids)
    #expect(shown[ids[0]] == "1B2E7F3A" && shown[ids[1]] == "2B2E7F3A")
    let alike = ids + ["1B2E7F3A-0001-4000-8000-000000000001"]
    #expect(ShownIDs(records: alike)[ids[0]] == "1B2E7F3A-0000" && ShownIDs(records: alike)[ids[1]].count == 13)
    #expect(ShownIDs(records: [])[ids[0]] == ids[0])
  }

  @Test func `an ambiguous name lists at most five matches and what to type`() {
    let few = ControlError.ambiguous(
      .ambiguousBackup, "Al", "backups", [("Al (1B2E)", "1"), ("Ali (2C)", "2")], isNamed: true)
    #expect(
      few.message
        == "'Al' could be several backups: Al (1B2E), Ali (2C); type more of the name "
        + "or id")
    #expect(
      few.facts == ["name": "Al", "matches": "1, 2"] && InterfaceCatalogue([.flowControl]).exitCode(of: few) == 64)
    let many = ControlError.ambiguous(.ambiguousRun, "2", "runs", (1...6).map { ("r\($0)", "\($0)") })
    #expect(many.message.contains("r4, r5 and more; type") && many.facts["matches"] == "1, 2, 3, 4, 5")
  }

  @Test func `a complete short form matches its instant before longer ids`() throws {
    let (minute, second) = (try instant("2026-03-02T14:00:00Z"), try instant("2026-03-02T14:05:12Z"))
    for (text, slot, end) in [
      ("0302T1400-17", minute, "2026-03-02T14:00:59.999Z"), ("0302T1400-17-t3", minute, "2026-03-02T14:00:59.999Z"),
      ("0302T140512-17", second, "2026-03-02T14:05:12.999Z"),
    ] {
      let named = try #require(RecordName(text, years: 2026...2026))
      #expect(named.exact.map(\.text) == [slot.compact], "\(text)")
      #expect(named.exact.map(\.from) == [slot] && named.exact.map(\.to) == [slot], "\(text)")
      let last = try instant(end)
      #expect(named.spans.map(\.to) == [last], "\(text)")
    }
    // These are never displayed as short forms, so they match all ids with that prefix.
    for text in ["0302T1400", "0302T14-17", "0302T1400-morning", "0302T140512.123-17", Self.run] {
      #expect(name(text)?.exact == [], "\(text)")
    }
    let byHand = try #require(RecordName("0302T140512.123-17", years: 2026...2026)?.spans.first)
    #expect(byHand.from == byHand.to)
  }

  @Test func `a displayed short id matches the id it was made from`() throws {
    for id in [Self.run, "20260302T140512.123Z-low-stock-18", "20261231T235959Z-reminder-2-4"] {
      let shown = ShownIDs(runs: [id])[id]
      let named = try #require(self.name(shown))
      let slot = try #require(Timestamp(compact: String(id.prefix { $0 != "-" })))
      #expect(named.spans.contains { $0.from <= slot && slot <= $0.to }, "\(shown)")
    }
  }
}
