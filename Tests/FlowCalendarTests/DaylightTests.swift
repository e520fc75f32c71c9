import FlowCalendar
import FlowModel
import FlowPlatform
import Testing

/// The two days of the year with clock changes.
@Suite struct DaylightTests {
  @Test func `a daily slot in a gap occurs once, after the gap, with a note`() throws {
    let rule = try FlowCalendarTests.rule("02:30", "America/New_York")
    let found = Array(rule.occurrences(after: instant("2026-03-07T12:00:00Z")).prefix(2))
    #expect(found.map(\.instant.description) == ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"])
    #expect(found.map(\.event) == [.movedByGap, .plain])
    #expect(
      found[0].note(in: rule.zone)
        == "02:30 does not exist on 2026-03-08 (clocks go 02:00 to 03:00), runs at 03:00")
    #expect(found[1].note(in: rule.zone) == nil)
  }

  @Test func `several times in one gap make one slot`() throws {
    let found = try slots("02:00,15,30", after: "2026-03-08T00:00:00Z")
    #expect(found.map(\.instant.description) == ["2026-03-08T07:00:00Z", "2026-03-09T06:00:00Z"])
    #expect(found[0].nominal.time.description == "02:00")
  }

  @Test func `a time moved onto another time of the same rule is one slot`() throws {
    let found = try slots("02,03:00", after: "2026-03-08T00:00:00Z")
    #expect(found.map(\.instant.description) == ["2026-03-08T07:00:00Z", "2026-03-09T06:00:00Z"])
    #expect(found[0].event == .plain)
  }

  @Test func `a gap across midnight moves a slot into the next day`() throws {
    let rule = try FlowCalendarTests.rule("23:30", "America/Nuuk")
    let moved = try #require(rule.next(after: instant("2026-03-28T12:00:00Z")))
    #expect(moved.event == .movedByGap)
    #expect(
      moved.note(in: rule.zone)
        == "23:30 does not exist on 2026-03-28 (clocks go 23:00 to 00:00), runs at 00:00 on 2026-03-29")
  }

  @Test(arguments: [
    (DaylightPolicy.Fold.first, ["2026-11-01T05:30:00Z"], [Occurrence.Event.firstPass]),
    (.second, ["2026-11-01T06:30:00Z"], [.secondPass]),
    (.both, ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"], [.firstPass, .secondPass]),
  ])
  func `a repeated time runs according to the fold policy`(
    fold: DaylightPolicy.Fold, instants: [String], events: [Occurrence.Event]
  ) throws {
    let rule = try FlowCalendarTests.rule("01:30", "America/New_York", policy: DaylightPolicy(fold: fold))
    let day = rule.occurrences(after: instant("2026-11-01T04:00:00Z")).prefix {
      $0.instant < instant("2026-11-02T05:00:00Z")
    }
    #expect(day.map(\.instant.description) == instants)
    #expect(day.map(\.event) == events)
    let back = rule.occurrences(before: instant("2026-11-02T05:00:00Z")).prefix {
      $0.instant > instant("2026-11-01T04:00:00Z")
    }
    #expect(back.reversed() == Array(day))
  }

  @Test func `the next slot does not depend on the starting instant`() throws {
    // systemd answers 06:30Z here although 05:30Z has fired already.
    let rule = try FlowCalendarTests.rule("01:30", "America/New_York")
    #expect(rule.next(after: instant("2026-11-01T06:15:00Z"))?.instant == instant("2026-11-02T06:30:00Z"))
  }

  @Test func `the gap policy may skip missing times`() throws {
    let rule = try FlowCalendarTests.rule("02:30", "America/New_York", policy: DaylightPolicy(gap: .skip))
    #expect(rule.next(after: instant("2026-03-07T12:00:00Z"))?.instant == instant("2026-03-09T06:30:00Z"))
  }

  @Test func `a gap of half an hour counts as a gap`() throws {
    let rule = try FlowCalendarTests.rule("02:15", "Australia/Lord_Howe")
    let found = try #require(rule.next(after: instant("2026-10-03T12:00:00Z")))
    #expect(found.instant == instant("2026-10-03T15:30:00Z"))
    #expect(
      found.note(in: rule.zone) == "02:15 does not exist on 2026-10-04 (clocks go 02:00 to 02:30), runs at 02:30")
  }

  @Test func `the forecast lists every clock change that affects a rule`() throws {
    let both = try rule("01,02:30", "America/New_York")
    let effects = both.daylightForecast(from: instant("2026-01-01T00:00:00Z"), to: instant("2027-01-01T00:00:00Z"))
    #expect(
      effects.map(\.description) == [
        "02:30 does not exist on 2026-03-08 (clocks go 02:00 to 03:00), runs at 03:00",
        "01:30 comes twice on 2026-11-01 (clocks go 02:00 back to 01:00), runs the first time (EDT)",
      ])
    let seven = try rule("07:00", "America/New_York")
    #expect(seven.daylightForecast(from: instant("2026-01-01T00:00:00Z"), to: instant("2027-01-01T00:00:00Z")).isEmpty)
    let quarter = try rule("*:0/15", "America/New_York")
    let kinds = quarter.daylightForecast(from: instant("2026-01-01T00:00:00Z"), to: instant("2027-01-01T00:00:00Z"))
    #expect(kinds.map(\.kind) == [.passedOver, .followsBoth])
  }

  /// Found by the property test as number 163,591 of seed 20261121.
  @Test func `a yearly slot in the repeated hour is found from months away`() throws {
    let before = try FlowCalendarTests.rule("every year from 2100-11-07 1:15", "America/Resolute")
    #expect(before.previous(before: instant("2129-04-14T02:32:57Z"))?.nominal.date.year == 2_128)
    let second = DaylightPolicy(fold: .second)
    let after = try FlowCalendarTests.rule("every year from 2100-11-07 1:15", "America/Resolute", policy: second)
    #expect(after.next(after: instant("2128-04-14T02:32:57Z"))?.instant == instant("2128-11-07T07:15:00Z"))
  }

  private func slots(_ text: String, after: String) throws -> [Occurrence] {
    Array(try rule(text, "America/New_York").occurrences(after: instant(after)).prefix(2))
  }
}
