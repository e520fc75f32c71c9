import FlowCalendar
import FlowModel
import FlowPlatform
import Testing

/// The first and the last day that rules reach, with exceptions there.
@Suite struct CalendarEdgeTests {
  private func dates(_ text: String, after: String) throws -> [String] {
    try rule(text).occurrences(after: instant(after)).prefix(4).map(\.nominal.date.description)
  }

  private func dates(_ text: String, before: String) throws -> [String] {
    try rule(text).occurrences(before: instant(before)).prefix(4).map(\.nominal.date.description)
  }

  /// 2199-12-31 is a Tuesday.
  @Test(arguments: [
    "12:00", "Tue 12:00", "*-12-31 12:00", "*-*~1 12:00", "2199-12-31 12:00", "Tue *-12-25..31 12:00",
    "every 2 weeks from 2199-12-03 12:00", "every 14 days from 2199-12-03 12:00",
    "every month from 2199-01-31 12:00", "every year from 1999-12-31 12:00", "every 100 years from 1999-12-31 12:00",
    "Mon,Tue every 2 weeks from 2199-12-02 12:00",
  ])
  func `a rule finds the last day from both sides and nothing later`(text: String) throws {
    #expect(try dates(text, after: "2199-12-30T13:00:00Z") == ["2199-12-31"])
    #expect(try dates(text, after: "2199-12-31T12:00:00Z").isEmpty)
    #expect(try dates(text, before: "2200-01-01T00:00:00Z").first == "2199-12-31")
    #expect(try dates(text, before: "2260-01-01T00:00:00Z").first == "2199-12-31")
    #expect(try dates(text, before: "2199-12-31T12:00:01Z").first == "2199-12-31")
    #expect(try dates(text, before: "2199-12-31T12:00:00Z").first != "2199-12-31")
  }

  /// 1970-01-01 is a Thursday.
  @Test(arguments: [
    "12:00", "Thu 12:00", "*-01-01 12:00", "1970-01-01 12:00", "every 2 weeks from 1970-01-01 12:00",
    "every 3 days from 1970-01-01 12:00", "every month from 1970-01-01 12:00", "every year from 1970-01-01 12:00",
  ])
  func `a rule finds the first day from both sides and nothing earlier`(text: String) throws {
    #expect(try dates(text, before: "1970-01-02T00:00:00Z") == ["1970-01-01"])
    #expect(try dates(text, before: "1970-01-01T12:00:00Z").isEmpty)
    #expect(try dates(text, after: "1970-01-01T00:00:00Z").first == "1970-01-01")
    #expect(try dates(text, after: "1950-01-01T00:00:00Z").first == "1970-01-01")
  }

  @Test func `the search before the second day's noon finds the first day's noon`() throws {
    #expect(try dates("12:00", before: "1970-01-02T06:00:00Z") == ["1970-01-01"])
    #expect(try dates("Thu,Fri 12:00", before: "1970-01-02T06:00:00Z") == ["1970-01-01"])
  }

  @Test func `the first day can be an exception like any other`() throws {
    #expect(try dates("12:00 except 1970-01-01", after: "1960-01-01T00:00:00Z").first == "1970-01-02")
    #expect(try dates("12:00 except 1970-01-01", before: "1970-01-03T00:00:00Z") == ["1970-01-02"])
    #expect(try dates("12:00 except 1970-01-02", before: "1970-01-03T00:00:00Z") == ["1970-01-01"])
  }

  /// The last of every 64 years, and the years beside it.
  @Test(arguments: [1_970, 2_032, 2_033, 2_034, 2_096, 2_097, 2_098, 2_161, 2_162, 2_199])
  func `a rule for one year occurs only in that year`(year: Int) throws {
    #expect(try dates("\(year)-05-04", after: "1960-01-01T00:00:00Z") == ["\(year)-05-04"])
    #expect(try dates("\(year)-05-04", before: "2260-01-01T00:00:00Z") == ["\(year)-05-04"])
  }

  @Test func `no repetition occurs before its start date`() throws {
    for text in [
      "every 2 weeks from 2026-03-02", "every 14 days from 2026-03-02", "every month from 2026-03-02",
      "every year from 2026-03-02",
    ] {
      #expect(try dates(text, before: "2026-03-02T00:00:00Z").isEmpty, "\(text)")
      #expect(try dates(text, before: "2026-03-02T00:00:01Z") == ["2026-03-02"], "\(text)")
      #expect(try dates(text, after: "2020-01-01T00:00:00Z").first == "2026-03-02", "\(text)")
    }
    // A weekday before the anchor's weekday first occurs one period later.
    #expect(
      try dates("Mon,Fri every 2 weeks from 2026-03-04", after: "2020-01-01T00:00:00Z")
        == ["2026-03-06", "2026-03-16", "2026-03-20", "2026-03-30"])
    #expect(
      try dates("Mon,Fri every 2 weeks from 2026-03-04", before: "2026-03-18T00:00:00Z") == [
        "2026-03-16", "2026-03-06",
      ])
  }

  @Test func `a repetition count beyond all years is refused, the largest valid one accepted`() {
    for (most, unit) in [(84_005, "days"), (12_000, "weeks"), (2_759, "months"), (229, "years")] {
      #expect(throws: Never.self) { try CalendarExpression("every \(most) \(unit) from 1970-01-01") }
      #expect(throws: (any Error).self) { try CalendarExpression("every \(most + 1) \(unit) from 1970-01-01") }
    }
  }

  /// A zone whose clocks go from 02:00 to 03:00, an hour later back to 01:00, and half an hour later from 01:30 to 04:30.
  @Test func `a time skipped by two gaps occurs once, at the end of the first`() throws {
    var builder = TZifTests.Builder()
    builder.types = [(0, 0), (3_600, 0), (-7_200, 0)]
    builder.times = [0, 60, 90].map { instant("2030-01-01T02:00:00Z").seconds + $0 * 60 }
    builder.kinds = [1, 2, 1]
    let zone = try Zone.parse(name: "Test/Twice", tzif: builder.bytes())
    let half = CalendarRule(try CalendarExpression("02:30"), zone: zone)
    let slots = ["2029-12-31T02:30:00Z", "2030-01-01T02:00:00Z", "2030-01-02T01:30:00Z"].map(instant)
    #expect(half.occurrences(after: instant("2029-12-31T00:00:00Z")).prefix(3).map(\.instant) == slots)
    #expect(half.occurrences(before: instant("2030-01-03T00:00:00Z")).prefix(3).map(\.instant) == slots.reversed())
  }

  @Test func `each of many exceptions suppresses its day only`() throws {
    let odd = stride(from: 3, through: 19, by: 2).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" }
    let text = "daily except " + odd.joined(separator: ",")
    let found = try rule(text).occurrences(after: instant("2026-03-01T00:00:00Z")).prefix(12).map(\.nominal.date.day)
    #expect(Array(found) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21, 22])
    let back = try rule(text).occurrences(before: instant("2026-03-21T00:00:00Z")).prefix(11).map(\.nominal.date.day)
    #expect(Array(back) == [20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 1])
  }

  @Test func `moved slots include one at the very end of the period`() throws {
    let cities = try ["America/New_York", "America/Chicago"].map { try zones.zone(named: $0) }
    let start = instant("2026-03-02T00:00:00Z")
    let end = instant("2026-03-03T12:00:00Z")
    let west = CalendarRule(try CalendarExpression("07:00"), zone: cities[0]).slotsMoved(
      by: cities[1], from: start, to: end, limit: 10)
    #expect(west.map(\.before) == [instant("2026-03-02T12:00:00Z"), end])
    #expect(west.map(\.after) == [instant("2026-03-02T13:00:00Z"), nil])
    let east = CalendarRule(try CalendarExpression("07:00"), zone: cities[1]).slotsMoved(
      by: cities[0], from: start, to: end, limit: 10)
    #expect(east.map(\.after) == [instant("2026-03-02T12:00:00Z"), end])
    #expect(east.map(\.before) == [instant("2026-03-02T13:00:00Z"), nil])
    #expect(
      CalendarRule(try CalendarExpression("07:00"), zone: cities[0])
        .slotsMoved(by: cities[1], from: start, to: end, limit: 1).count == 1)
  }

  @Test func `a slot that only one zone has is listed as lost or as new`() throws {
    let cities = try ["America/New_York", "America/Phoenix"].map { try zones.zone(named: $0) }
    // New York skips 02:30 on 8 March.
    let (start, end) = (instant("2026-03-07T00:00:00Z"), instant("2026-03-09T23:00:00Z"))
    let lost = instant("2026-03-08T09:30:00Z")
    for (from, to) in [(0, 1), (1, 0)] {
      let rule = CalendarRule(try CalendarExpression("02:30"), zone: cities[from], policy: DaylightPolicy(gap: .skip))
      let moves = rule.slotsMoved(by: cities[to], from: start, to: end, limit: 9)
      #expect(moves.map(\.nominal.date.day) == [7, 8, 9])
      #expect(moves[1].before == (from == 1 ? lost : nil) && moves[1].after == (to == 1 ? lost : nil))
      #expect([moves[0], moves[2]].allSatisfy { $0.before != nil && $0.after != nil })
      // Only the lost slot is listed.
      let day = rule.slotsMoved(
        by: cities[to], from: instant("2026-03-08T09:00:00Z"), to: instant("2026-03-08T10:00:00Z"), limit: 9)
      #expect(day.map(\.nominal.date.day) == [8])
    }
  }

  @Test func `a rule with an end includes its last day, and one without continues`() throws {
    #expect(try dates("daily until 2026-03-04", after: "2026-03-02T00:00:00Z") == ["2026-03-03", "2026-03-04"])
    #expect(try dates("daily until 2026-03-04", before: "2026-06-01T00:00:00Z").first == "2026-03-04")
    #expect(try dates("daily", after: "2026-03-02T00:00:00Z").count == 4)
    #expect(try dates("daily until 2026-03-04 except 2026-03-04", after: "2026-03-02T00:00:00Z") == ["2026-03-03"])
  }

  /// A period whose day has another weekday is skipped; if that is true of all periods, the rule never occurs.
  @Test(arguments: [
    "Tue every 7 days from 2026-03-02", "Tue every 14 days from 2026-03-02", "Mon every 200 years from 2026-03-03",
    "Mon every 2759 months from 1970-01-01",
    "Tue every 2 weeks from 2199-12-31 until 2199-12-30",
  ])
  func `a repetition that no day satisfies never occurs`(text: String) throws {
    let never = try rule(text)
    #expect(never.occurrences(after: instant("1960-01-01T00:00:00Z")).prefix(1).map(\.nominal).isEmpty)
    #expect(never.occurrences(before: instant("2260-01-01T00:00:00Z")).prefix(1).map(\.nominal).isEmpty)
  }

  /// In Berlin, 02:00 to 03:00 occurs twice on 2027-10-31; daylight time begins at 03:00 on 2027-03-28.
  @Test func `before a repeated time with fold second comes the time before the clock change`() throws {
    let policy = DaylightPolicy(fold: .second)
    let seconds = try rule("*-*-* 01,02:59:59", "Europe/Berlin", policy: policy)
    let pass = instant("2027-10-31T00:59:59.500Z")
    #expect(seconds.previous(before: pass)?.instant == instant("2027-10-30T23:59:59Z"))
    #expect(seconds.next(after: pass)?.instant == instant("2027-10-31T01:59:59Z"))
  }

  @Test func `before a repeated time with fold second comes the first one after the spring gap`() throws {
    let policy = DaylightPolicy(gap: .skip, fold: .second)
    let rule = try rule("Sun *-3,10-28,31 02,03:00", "Europe/Berlin", policy: policy)
    let found = rule.previous(before: instant("2027-10-31T00:30:00Z"))
    #expect(found?.instant == instant("2027-03-28T01:00:00Z"))
  }

  /// Berlin's clocks go from 02:00 to 03:00 on 2027-03-28, and from 03:00 back to 02:00 on 2027-10-31.
  @Test(arguments: [("01:59", 0), ("02:00", 2), ("02:59", 2), ("03:00", 0)])
  func `a clock change affects times from its start up to its end, exclusive`(time: String, changes: Int) throws {
    let forecast = try rule("\(time)", "Europe/Berlin").daylightForecast(
      from: instant("2027-01-01T00:00:00Z"), to: instant("2027-12-31T00:00:00Z"))
    #expect(forecast.count == changes)
  }

  @Test func `yearly exceptions are written before those of one year`() throws {
    #expect(
      try CalendarExpression("daily except 1970-01-05,*-12-25").description
        == CalendarExpression("daily except *-12-25,1970-01-05").description)
    #expect(try CalendarExpression("daily except 1970-01-05,*-12-25").description.hasSuffix("*-12-25,1970-01-05"))
  }
}
