import FlowModel
import FlowTestKit
import PoolModel
import Testing

/// Valid texts, numbers and coordinates.
struct FieldRuleTests {
  @Test(arguments: [
    "", "Ann", "Ünsäglich", "שלום", "👨‍👩‍👧‍👦 Pool", "a\u{A0}b", "ÂÃ", "e\u{301}\u{302}", "\u{202E}x",
    String(repeating: "x", count: 200), String(repeating: "🏊", count: 200),
  ])
  func `characters of every script are valid in a name`(_ text: String) {
    #expect(TextRule.name.fault(in: text) == nil)
    #expect(!hasControls(text) && withoutControls(text) == text)
  }

  @Test func `a text is limited in characters and in bytes`() {
    #expect(TextRule.name.fault(in: String(repeating: "x", count: 201)) == .tooManyLetters(limit: 200))
    let marks = "e" + String(repeating: "\u{301}", count: 60_000)
    #expect(marks.count == 1)
    #expect(TextRule.name.fault(in: marks) == .tooManyBytes(120_001, limit: 800))
    #expect(TextRule.notes.fault(in: marks) == .tooManyBytes(120_001, limit: 16_000))
    let most = "e" + String(repeating: "\u{301}", count: 399)
    #expect(TextRule.name.fault(in: most) == nil && TextRule.name.fault(in: most + "\u{301}") != nil)
    #expect(TextRule.name.fault(in: marks).map(\.description)?.contains("800") == true)
  }

  @Test(arguments: Array(UInt32(0)...0x1F) + Array(0x7F...0x9F))
  func `a control character is refused with its position, and removed from files`(_ value: UInt32) throws {
    let sign = String(Character(try #require(Unicode.Scalar(value))))
    let text = "é🏊\(sign)z"
    if [0x09, 0x0A, 0x0D].contains(value) {
      #expect(TextRule.name.fault(in: text) == .lineEnd(value, letter: 3))
      #expect(TextRule.notes.fault(in: text) == nil)
      #expect(!hasControls(text) && withoutControls(text) == text)
    } else {
      for rule in [TextRule.name, .notes] {
        #expect(rule.fault(in: text) == .control(value, letter: 3))
        #expect(rule.fault(in: sign) == .control(value, letter: 1))
      }
      #expect(hasControls(text) && withoutControls(text) == "é🏊z")
      #expect(
        TextFault.control(7, letter: 3).description == "has control character U+0007 as character 3; leave it out")
    }
  }

  @Test func `bytes that only begin like a control character are kept`() {
    var random = SeededNumbers(seed: 5)
    for _ in 0..<2_000 {
      let text = Texts.any(upTo: 40, using: &random)
      let kept = String(String.UnicodeScalarView(text.unicodeScalars.filter { !Texts.isLeftOut($0) }))
      #expect(Array(withoutControls(text).utf8) == Array(kept.utf8))
      #expect(hasControls(text) == (kept.utf8.count < text.utf8.count))
    }
  }

  @Test func `truncation keeps the limits and never splits a code point`() {
    let marks = "e" + String(repeating: "\u{301}", count: 60_000)
    #expect(TextRule.name.truncated(marks).utf8.count == 799)
    #expect(TextRule.name.truncated(String(repeating: "🏊", count: 300)) == String(repeating: "🏊", count: 200))
    #expect(TextRule.name.truncated("Ann") == "Ann")
    var random = SeededNumbers(seed: 6)
    for _ in 0..<200 {
      #expect(TextRule.shown.lengthFault(in: TextRule.shown.truncated(Texts.any(upTo: 300, using: &random))) == nil)
    }
  }

  @Test func `a technician tag longer than a name names no technician`() {
    func technician(_ name: String) -> String? {
      Samples.profile(of: Samples.pool().id, tags: "weekly,tech:\(name)").technicianTag
    }
    #expect(technician("maria") == "maria")
    #expect(technician(String(repeating: "x", count: 201)) == nil)
    #expect(technician("e" + String(repeating: "\u{301}", count: 1_000)) == nil)
  }

  @Test func `every typed range is within the archive's range, and arithmetic stays finite`() {
    for rule in [
      NumberRule.pH, .waterTempF, .hardness, .cyanuricAcid, .dissolvedSolids, .quantity, .costPerOz, .monthlyFee,
      .volume, .concentration, .latitude, .longitude,
    ] {
      #expect(NumberRule.record.accepts(rule.range.lowerBound) && NumberRule.record.accepts(rule.range.upperBound))
      for no in [Double.nan, .infinity, -.infinity, 1e308] { #expect(!rule.accepts(no)) }
    }
    let most = Limits.recordNumber
    #expect((most * most * most * 100_000).isFinite)
    #expect(!NumberRule.record.accepts(most.nextUp) && !NumberRule.record.accepts(.nan))
  }

  @Test func `NaN and infinities become the nearest finite number`() {
    #expect(finite(1.5) == 1.5 && finite(.nan) == 0)
    #expect(finite(.infinity) == .greatestFiniteMagnitude && finite(-.infinity) == -.greatestFiniteMagnitude)
  }

  @Test(arguments: [
    (0, 0, false), (-0.0, 0, false), (0, 1e-300, true), (90, 180, true), (-90, -180, true), (90.000001, 0, false),
    (10, 180.1, false), (10, -181, false), (400, 0, false), (.nan, 1, false), (1, .infinity, false),
  ])
  func `coordinates are on the globe and not the placeholder for none`(_ north: Double, _ east: Double, _ isOne: Bool) {
    #expect(isValidLocation(latitude: north, longitude: east) == isOne)
    var pool = Samples.pool()
    (pool.latitude, pool.longitude) = (north, east)
    #expect(pool.hasCoordinates == isOne)
  }

  @Test(arguments: ["9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01"])
  func `an instant outside of the four-digit years is refused`(_ text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
    #expect(Timestamp(rfc3339: "9999-12-31T23:59:59Z")?.description == "9999-12-31T23:59:59Z")
    #expect(Timestamp(rfc3339: "0000-01-01T00:00:00Z")?.description == "0000-01-01T00:00:00Z")
  }
}
