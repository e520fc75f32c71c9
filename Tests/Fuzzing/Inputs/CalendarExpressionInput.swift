import FlowCalendar
import FlowModel

/// Bytes as the text of a calendar expression.
enum CalendarExpressionInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let text = String(decoding: bytes, as: UTF8.self)
    let expression: CalendarExpression
    switch try limit.call("reading", CalendarLaws.promise, { parse(text) }) {
    case .failure(let error):
      try require((1...text.unicodeScalars.count + 1).contains(error.column), "column \(error.column) is outside")
      try require(error.description.utf8.count < 4_096, "the error is \(error.description.utf8.count) bytes long")
      return
    case .success(let read): expression = read
    }
    let normal = expression.description
    guard case .success(let again) = parse(normal) else { throw BrokenLaw("the normal form '\(normal)' is refused") }
    try require(again == expression, "the normal form '\(normal)' means something else")
    try require(again.description == normal, "the normal form '\(normal)' has another, '\(again)'")
    for (index, zone) in zones.enumerated() {
      let policy = index == 0 ? DaylightPolicy.standard : DaylightPolicy(gap: .skip, fold: .both)
      let rule = try limit.call("making a rule", CalendarLaws.promise) {
        CalendarRule(expression, zone: zone, policy: policy)
      }
      for instant in instants { try CalendarLaws.check(rule, around: instant, limit) }
      let warnings = try limit.call("warning", CalendarLaws.promise) { rule.warnings(after: instants[1]) }
      try require(warnings.allSatisfy { !$0.description.isEmpty }, "a warning says nothing")
    }
  }

  private static func parse(_ text: String) -> Result<CalendarExpression, CalendarError> {
    do throws(CalendarError) { return .success(try CalendarExpression(text)) } catch { return .failure(error) }
  }

  private static let zones = [
    SmallZone.make("Test/New_York", "EST5EDT,M3.2.0,M11.1.0"),
    SmallZone.make("Test/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
  ]

  /// Before all rules, hours before a gap and a fold of either zone, the end of a leap year, and after all rules.
  private static let instants = [
    Timestamp(milliseconds: -86_400_001), Timestamp(seconds: 1_772_950_000), Timestamp(seconds: 1_793_510_000),
    Timestamp(seconds: 1_775_312_999), Timestamp(milliseconds: 1_861_919_999_999), Timestamp(milliseconds: .min),
    Timestamp(milliseconds: .max),
  ]
}

/// Zones without a file: one type of time and a footer.
enum SmallZone {
  static func make(_ name: String, _ footer: String) -> Zone {
    do throws(ZoneError) {
      return try Zone.parse(name: name, tzif: tzif(footer))
    } catch {
      fatalError("the footer '\(footer)' is refused: \(error)")
    }
  }

  private static func tzif(_ footer: String) -> [UInt8] {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    // No marks, leap seconds or changes, one type of time, four bytes of abbreviations.
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    let body: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("LMT".utf8) + [0]
    return header + counts + body + header + counts + body + Array("\n\(footer)\n".utf8)
  }
}
