import FlowCalendar
import FlowModel
import FlowPlatform
import Testing

/// Repetition from a date, exceptions, sequences and warnings.
@Suite struct BeyondSystemdTests {
  private func dates(_ text: String, after: String, _ count: Int) throws -> [String] {
    try rule(text).occurrences(after: instant(after)).prefix(count).map(\.nominal.date.description)
  }

  @Test func `every second week keeps its rhythm across years`() throws {
    #expect(
      try dates("every 2 weeks from 2026-11-02 07:00", after: "2026-01-01T00:00:00Z", 6)
        == ["2026-11-02", "2026-11-16", "2026-11-30", "2026-12-14", "2026-12-28", "2027-01-11"])
    #expect(
      try dates("Mon,Fri every 2 weeks from 2026-11-04 07:00", after: "2026-01-01T00:00:00Z", 4)
        == ["2026-11-06", "2026-11-16", "2026-11-20", "2026-11-30"])
  }

  @Test func `days, months and years repeat from their date`() throws {
    #expect(
      try dates("every 10 days from 2026-02-20", after: "2026-02-20T00:00:00Z", 3)
        == ["2026-03-02", "2026-03-12", "2026-03-22"])
    #expect(
      try dates("every month from 2026-01-31", after: "2026-01-31T00:00:00Z", 3)
        == ["2026-03-31", "2026-05-31", "2026-07-31"])
    #expect(
      try dates("every 4 years from 2096-02-29", after: "2000-01-01T00:00:00Z", 3)
        == ["2096-02-29", "2104-02-29", "2108-02-29"])
  }

  @Test func `exceptions suppress their days, every year or once`() throws {
    #expect(
      try dates("daily except 2026-12-24..2026-12-26,*-12-31,*-01-01", after: "2026-12-22T00:00:00Z", 6)
        == ["2026-12-23", "2026-12-27", "2026-12-28", "2026-12-29", "2026-12-30", "2027-01-02"])
  }

  @Test func `slots moved by new zone data are listed`() throws {
    let old = try zones.zone(named: "America/New_York")
    let new = try zones.zone(named: "America/Chicago")
    let daily = CalendarRule(try CalendarExpression("07:00"), zone: old)
    let start = instant("2026-03-02T00:00:00Z")
    let moves = daily.slotsMoved(by: new, from: start, to: instant("2026-03-04T00:00:00Z"), limit: 10)
    #expect(moves.map(\.nominal.date.day) == [2, 3])
    #expect(moves.first?.before == instant("2026-03-02T12:00:00Z"))
    #expect(moves.first?.after == instant("2026-03-02T13:00:00Z"))
    #expect(daily.slotsMoved(by: old, from: start, to: instant("2027-03-04T00:00:00Z"), limit: 10).isEmpty)
  }

  @Test func `an expression's own zone overrides the owner's`() throws {
    let owner = try zones.zone(named: "America/New_York")
    let berlin = try CalendarRule(CalendarExpression("07:00 Europe/Berlin"), in: owner, zones: zones)
    #expect(berlin.zone.name == "Europe/Berlin")
    #expect(try CalendarRule(CalendarExpression("07:00"), in: owner, zones: zones).zone == owner)
    #expect(throws: ZoneError.notFound(name: "Europe/Berlyn", suggestion: "Europe/Berlin")) {
      try CalendarRule(CalendarExpression("07:00 Europe/Berlyn"), in: owner, zones: zones)
    }
  }

  @Test func `lazy sequences in both directions give the same slots`() throws {
    let rule = try FlowCalendarTests.rule("Mon..Fri *:0/15", "America/New_York")
    let start = instant("2026-10-30T00:00:00Z")
    let end = instant("2026-11-03T00:00:00Z")
    let forward = rule.occurrences(after: start).prefix { $0.instant < end }
    let backward = rule.occurrences(before: end).prefix { $0.instant > start }
    #expect(Array(forward) == backward.reversed())
    #expect(try Array(FlowCalendarTests.rule("2026-02-30").occurrences(after: start)).isEmpty)
  }

  @Test(arguments: [
    (
      "10:00,11:30",
      "'10:00,11:30' means 10:00:30 and 10:11:30, because the comma separates minutes; write one rule for each time"
    ),
    ("*-04-31 07:00", "no date matches this rule"),
    ("2026-02-30", "no date matches this rule"),
    ("2020-01-06 07:00", "this rule has no future date; the last one was 2020-01-06 07:00"),
    ("*-02-29 07:00", "29 February exists in leap years only"),
    (
      "*-*-30 07:00",
      "there is no day 30 in February, which the rule skips; days counted from the end exist in every month, *-*~01 being the last"
    ),
    ("02:30", "02:30 does not exist on 2027-03-14 (clocks go 02:00 to 03:00), runs at 03:00"),
  ])
  func `an improbable rule gets a warning`(text: String, warning: String) throws {
    let expression = try CalendarExpression(text)
    let zone = try zones.zone(named: "America/New_York")
    let found = expression.warnings(in: zone, after: instant("2026-11-21T00:00:00Z"))
    #expect(found.map(\.description).contains(warning))
  }

  @Test(arguments: [
    "Mon..Fri 07:00", "10:00,30", "*-*-* 10:00,11:00", "*-*~1 18:30", "*:0/15", "quarterly", "10:00,45:30",
  ])
  func `an ordinary rule gets no warning`(text: String) throws {
    let zone = try zones.zone(named: "America/New_York")
    #expect(try CalendarExpression(text).warnings(in: zone, after: instant("2026-11-21T00:00:00Z")).isEmpty)
  }
}
