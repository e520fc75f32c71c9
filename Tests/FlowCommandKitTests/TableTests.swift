import FlowModel
import FlowTestKit
import Testing

@testable import FlowCommandKit

/// Tables at terminal widths: keys are complete, or the table lists the column as left out.
struct TableTests {
  private static let team = "the-blue-lagoon-pool-company-of-phoenix-and-scottsdale"

  private func table() -> Table {
    var table = Table([
      .init("SLOT", minWidth: 14, isKey: true), .init("JOB", isKey: true), .init("TEAM", isKey: true),
      .init("TRIES", isNumber: true, rank: 4), .init("RUN", rank: 2, isKey: true), .init("WHY", minWidth: 16, rank: 1),
    ])
    table.add([
      "Mon 2026-03-02 07:00 MST", "morning-summary", .init(Self.team), "12,345", "0302T1400-17",
      "no stops today, and a sentence that goes on for longer than any terminal is wide, which is what cutting is for",
    ])
    table.add(["Tue 2026-03-03 07:00 MST", "low-stock", "泳池服务公司", "1", "0303T1400-18", "-"])
    return table
  }

  private func fitted(_ table: Table, _ width: Int?) -> (lines: [String], hidden: [String]) {
    table.fitted(to: width, heading: true) { text, _ in text }
  }

  @Test(arguments: [20, 40, 60, 80, 100, 120, 160, 200])
  func `no line exceeds the terminal, no key is cut, and left-out columns are named`(width: Int) {
    let (lines, hidden) = fitted(table(), width)
    for line in lines where width >= 40 { #expect(FlowModel.columns(of: line) <= width, "\(line)") }
    for line in lines { #expect(!line.hasSuffix(" ")) }
    guard width >= 40 else { return #expect(!lines.isEmpty) }
    let shown = ScreenTable.cells(lines)
    #expect(Set(shown.keys.map { $0 }).isSuperset(of: ["SLOT", "JOB", "TEAM"]) || width < 60, "\(shown.keys)")
    if width >= 60 {
      #expect(shown["TEAM"] == Self.team + "泳池服务公司")
      #expect(shown["JOB"] == "morning-summarylow-stock")
      #expect(shown["SLOT"] == "Mon2026-03-0207:00MSTTue2026-03-0307:00MST")
      #expect((shown["RUN"] != nil) != hidden.contains("RUN"))
      if let run = shown["RUN"] { #expect(run == "0302T1400-170303T1400-18") }
    }
    #expect((shown["TRIES"] != nil) != hidden.contains("TRIES"))
  }

  @Test func `an unlimited width shows each row on one line`() {
    let (lines, hidden) = fitted(table(), nil)
    #expect(lines.count == 3 && hidden.isEmpty)
    #expect(lines[1].contains(Self.team) && lines[1].hasSuffix("what cutting is for"))
    #expect(table().plainLines[0].split(separator: "\t").count == 6)
  }

  @Test func `the least important column is left out before anything folds`() {
    let (lines, hidden) = fitted(table(), 150)
    #expect(lines.count == 3)
    #expect(hidden == ["TRIES"] || hidden.isEmpty)
    #expect(fitted(table(), 120).hidden.contains("TRIES"))
  }

  @Test(arguments: [
    ("Mon 2026-03-02 07:00 MST", 14, ["Mon 2026-03-02", "07:00 MST"]),
    ("desert-blue-of-phoenix", 12, ["desert-blue-", "of-phoenix"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("泳池服务", 5, ["泳池", "服务"]), ("short", 9, ["short"]),
    ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]), ("泳池", 1, ["泳", "池"]),
    ("a b", 1, ["a", "b"]), ("", 3, [""]),
  ]) func `a key folds at spaces, after punctuation or anywhere, without losing characters`(
    text: String, width: Int, wanted: [String]
  ) {
    #expect(folded(text, to: width) == wanted)
  }

  @Test func `an empty table has no heading and hides nothing`() {
    let (lines, hidden) = fitted(Table([.init("TEAM", isKey: true), .init("ZONE", rank: 1)]), 3)
    #expect(lines.isEmpty && hidden.isEmpty)
  }
}
