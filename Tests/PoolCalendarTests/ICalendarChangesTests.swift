import PoolCalendar
import PoolModel
import PoolPlatform
import PoolTestKit
import Testing

/// Events that occur several times in a file: newer versions, and cancelled or moved days.
struct ICalendarChangesTests {
  private static let newYork = "America/New_York"

  private func read(_ events: [String]..., method: String? = nil, zone: String = newYork) throws -> ICalendarDays {
    let frame = ["BEGIN:VCALENDAR"] + (method.map { ["METHOD:\($0)"] } ?? [])
    let lines = frame + events.flatMap { ["BEGIN:VEVENT", "UID:u"] + $0 + ["END:VEVENT"] } + ["END:VCALENDAR", ""]
    return try ICalendarDays(Array(lines.joined(separator: "\r\n").utf8), zone: try zones.zone(named: zone))
  }

  private func fixture(_ name: String) throws -> ICalendarDays {
    try ICalendarDays(Array(try Fixture.data(name)), zone: try zones.zone(named: Self.newYork))
  }

  private func spans(_ calendar: ICalendarDays) -> [String] { calendar.entries.map(\.span.description) }

  /// Christmas Eve of every year from 2026 on.
  private static let everyYear = ["DTSTART;VALUE=DATE:20261224", "RRULE:FREQ=YEARLY", "SUMMARY:Off"]

  @Test(arguments: [
    ("cancelled.ics", ["every year from 2026-12-24 except 2027-12-24"], []),
    ("thisandfuture.ics", ["every year from 2026-12-24 until 2027-12-24"], []),
    ("method-cancel.ics", [], ["'X' is cancelled"]),
    ("two-revisions.ics", ["2026-12-23"], ["'old' is an older version of the event in line 10"]),
  ])
  func `a file with changed events yields the remaining days`(file: String, days: [String], warnings: [String]) throws {
    let read = try fixture(file)
    #expect(spans(read) == days)
    #expect(read.warnings.count == warnings.count)
    for (warning, part) in zip(read.warnings, warnings) { #expect(warning.contains(part), "\(warning)") }
  }

  /// Dates, times in the team's zone and in others, and instants that are midnight here, in Berlin, in Tokyo and in UTC.
  @Test(arguments: [
    ";VALUE=DATE:20271224", ":20271224", ";TZID=America/New_York:20271224T000000",
    ";TZID=\"Eastern Standard Time\":20271224T000000", ";TZID=Europe/Berlin:20271224T000000", ":20271224T000000",
    ":20271224T050000Z", ":20271224T000000Z", ":20271223T230000Z", ":20271223T150000Z", ":20271224T100000Z",
  ])
  func `an exception of whole days applies in every notation`(value: String) throws {
    let expected = ["every year from 2026-12-24 except 2027-12-24"]
    let left = try read(Self.everyYear + ["EXDATE\(value)"])
    #expect(spans(left) == expected && left.warnings == [])
    let cancelled = try read(Self.everyYear, ["RECURRENCE-ID\(value)", "STATUS:CANCELLED"])
    #expect(spans(cancelled) == expected && cancelled.warnings == [])
    let ended = try read(Self.everyYear, ["RECURRENCE-ID;RANGE=THISANDFUTURE\(value)", "STATUS:CANCELLED"])
    #expect(spans(ended) == ["2026-12-24"] && ended.warnings == [])
  }

  @Test func `whole days written as times have the same exceptions`() throws {
    let midnight = [
      "DTSTART;TZID=America/New_York:20261224T000000", "DURATION:P1D", "RRULE:FREQ=YEARLY", "SUMMARY:Off",
    ]
    for value in [
      "EXDATE:20271224T050000Z", "EXDATE;TZID=America/New_York:20271224T000000", "EXDATE;VALUE=DATE:20271224",
    ] {
      #expect(try spans(read(midnight + [value])) == ["every year from 2026-12-24 except 2027-12-24"], "\(value)")
    }
  }

  @Test func `a moved day is closed at its new date only`() throws {
    let moved = try read(Self.everyYear, ["RECURRENCE-ID:20271224", "DTSTART:20271223", "SUMMARY:Early"])
    #expect(spans(moved) == ["every year from 2026-12-24 except 2027-12-24", "2027-12-23"])
    #expect(moved.entries.map(\.summary) == ["Off", "Early"] && moved.warnings == [])
    let longer = try read(
      Self.everyYear, ["RECURRENCE-ID:20271224", "DTSTART:20271224", "DTEND:20271226", "SUMMARY:Off"])
    #expect(spans(longer) == ["every year from 2026-12-24 except 2027-12-24", "2027-12-24..2027-12-25"])
    let renamed = try read(Self.everyYear, ["RECURRENCE-ID:20271224", "DTSTART:20271224", "SUMMARY:Off"])
    #expect(spans(renamed) == ["every year from 2026-12-24"] && renamed.warnings == [])
    let single = try read(["DTSTART:20261224"], ["RECURRENCE-ID:20261224", "DTSTART:20261228"])
    #expect(spans(single) == ["2026-12-28"])
    let timed = try read(
      Self.everyYear, ["RECURRENCE-ID:20271224", "DTSTART:20271224T090000Z", "DURATION:PT1H", "SUMMARY:Lunch"])
    #expect(spans(timed) == ["every year from 2026-12-24 except 2027-12-24"])
    #expect(timed.warnings == ["line 11: 'Lunch' has times of day; only whole days close"])
  }

  @Test func `a cancelled occurrence of several days removes all of them`() throws {
    let days = ["DTSTART:20261224", "DTEND:20261227", "RRULE:FREQ=YEARLY;COUNT=4", "SUMMARY:Off"]
    #expect(
      try spans(read(days, ["RECURRENCE-ID:20281224", "STATUS:CANCELLED"])) == [
        "2026/1-12-24..26 until 2029-12-26 except 2028-12-24..2028-12-26"
      ])
    #expect(
      try spans(read(days, ["RECURRENCE-ID;RANGE=THISANDFUTURE:20281224", "STATUS:CANCELLED"])) == [
        "2026/1-12-24..26 until 2027-12-26"
      ])
    #expect(try spans(read(days, ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261224", "STATUS:CANCELLED"])) == [])
  }

  @Test func `a change that cannot be applied is reported`() throws {
    let future = try read(
      Self.everyYear, ["RECURRENCE-ID;RANGE=THISANDFUTURE:20281224", "DTSTART:20281223", "SUMMARY:Early"])
    #expect(spans(future) == ["every year from 2026-12-24 until 2027-12-24"])
    #expect(
      future.warnings == [
        "line 10: 'Early' changes all days from 2028-12-24 on (RANGE=THISANDFUTURE): its event ends before them; write an "
          + "event for them"
      ])
    let same = try read(
      Self.everyYear, ["RECURRENCE-ID;RANGE=THISANDFUTURE:20281224", "DTSTART:20281224", "SUMMARY:New"])
    #expect(spans(same) == ["every year from 2026-12-24"] && same.warnings == [])
    let other = try read(Self.everyYear, ["RECURRENCE-ID:20271231", "STATUS:CANCELLED", "SUMMARY:Off"])
    #expect(spans(other) == ["every year from 2026-12-24"])
    #expect(
      other.warnings == [
        "line 10: 'Off' changes 2027-12-31, which is not a day of its event; the event is unchanged"
      ])
    let prior = try read(
      Self.everyYear, ["RECURRENCE-ID;RANGE=THISANDPRIOR:20271224", "STATUS:CANCELLED", "SUMMARY:Off"])
    #expect(prior.warnings.first?.contains("RANGE=THISANDPRIOR") == true)
    let left = try read(Self.everyYear + ["EXDATE:20271231T050000Z"])
    #expect(left.warnings == ["line 7: 'Off' leaves out 2027-12-31, which is not one of its days"])
    // Two consecutive days, and an instant that is midnight of the second day in Berlin and the evening of the first day here.
    let twoDays = ["DTSTART:20261223", "RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=23,24", "SUMMARY:Off"]
    #expect(try read(twoDays + ["EXDATE:20271223T110000Z"]).warnings.count == 1)
  }

  @Test func `the newest version of an event is used`() throws {
    let old = ["DTSTART:20261224", "SUMMARY:old"]
    let new = ["DTSTART:20261223", "SUMMARY:new"]
    let bySequence = try read(["SEQUENCE:2"] + new, ["SEQUENCE:10"] + old, ["SEQUENCE:1"] + new)
    #expect(spans(bySequence) == ["2026-12-24"] && bySequence.warnings.count == 2)
    for name in ["DTSTAMP", "LAST-MODIFIED"] {
      let byTime = try read(["\(name):20261101T000000Z"] + old, ["\(name):20261102T000000Z"] + new)
      #expect(spans(byTime) == ["2026-12-23"] && byTime.warnings.count == 1, "\(name)")
    }
    let withdrawn = try read(old, ["SEQUENCE:1", "STATUS:CANCELLED"] + old)
    #expect(spans(withdrawn) == [] && withdrawn.warnings.count == 2)
    let restored = try read(["SEQUENCE:1", "STATUS:CANCELLED"] + old, ["SEQUENCE:2"] + old)
    #expect(spans(restored) == ["2026-12-24"])
    // Without a newer version both are kept, and identical ones count once.
    #expect(try spans(read(old, new)) == ["2026-12-24", "2026-12-23"])
    #expect(try spans(read(old, old)) == ["2026-12-24"])
    let change = ["RECURRENCE-ID:20271224"]
    let twice = try read(
      Self.everyYear, change + ["SEQUENCE:2", "STATUS:CANCELLED"], change + ["SEQUENCE:1", "DTSTART:20271223"])
    #expect(spans(twice) == ["every year from 2026-12-24 except 2027-12-24"] && twice.warnings.count == 1)
  }

  @Test func `a calendar that cancels reports its events and closes no day`() throws {
    let cancel = try read(["DTSTART:20261224", "SUMMARY:Off"], method: "CANCEL")
    #expect(spans(cancel) == [] && cancel.warnings.first?.contains("`pfctl closed remove`") == true)
    let reply = try read(["DTSTART:20261224", "SUMMARY:Off"], method: "reply")
    #expect(spans(reply) == [])
    #expect(reply.warnings == ["line 3: 'Off' answers an invitation (METHOD:REPLY), which is not a day off"])
    let publish = try read(["DTSTART:20261224", "SUMMARY:Off"], method: "PUBLISH")
    #expect(spans(publish) == ["2026-12-24"])
    // Two calendars in one file, with METHOD after the events.
    let event = ["BEGIN:VEVENT", "UID:u", "DTSTART:20261224", "RRULE:FREQ=YEARLY", "END:VEVENT"]
    let day = ["BEGIN:VEVENT", "UID:u", "SEQUENCE:1", "RECURRENCE-ID:20271224", "END:VEVENT", "METHOD:CANCEL"]
    let lines = ["BEGIN:VCALENDAR"] + event + ["END:VCALENDAR", "BEGIN:VCALENDAR"] + day + ["END:VCALENDAR"]
    let both = try ICalendarDays(Array(lines.joined(separator: "\n").utf8), zone: .utc)
    #expect(spans(both) == ["every year from 2026-12-24 except 2027-12-24"])
  }

  // MARK: Observances

  @Test func `observances in a holiday feed are recognised`() throws {
    let read = try fixture("us-holidays.ics")
    #expect(read.entries.map(\.summary) == ["Valentine's Day", "Christmas Day"])
    #expect(read.entries.map(\.isObservance) == [true, false])
  }

  @Test(arguments: [
    "DESCRIPTION:Observance", "DESCRIPTION:observance - a special day",
    "DESCRIPTION:Gedenktag\\nWenn Sie Gedenktage ausblenden möchten\\, rufen Sie die Google Kalender-Einstellungen auf\u{A0}> Feiertage",
    "DESCRIPTION:节假日\\n如需隐藏节假日，请前往 Google 日历的“设置”>“中国节假日”",
    "DESCRIPTION:Fecha conmemorativa", "DESCRIPTION:Data comemorativa", "DESCRIPTION:Commémoration",
    "CATEGORIES:Holiday,Observance", "CATEGORIES:United Nations observance", "SUMMARY:Halloween [Not a public holiday]",
    "DESCRIPTION:Halloween - Not a Public Holiday",
  ])
  func `an observance is recognised by its publisher's text`(line: String) throws {
    #expect(try read(["DTSTART:20261031", line]).entries.map(\.isObservance) == [true])
  }

  @Test(arguments: [
    "DESCRIPTION:Public holiday", "DESCRIPTION:Gesetzlicher Feiertag", "DESCRIPTION:Jour férié", "CATEGORIES:Holiday",
    "DESCRIPTION:Public holiday in Alaska\\, Hawaii", "TRANSP:TRANSPARENT", "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
    "SUMMARY:Christmas Day (observed)", "DESCRIPTION:Closed in observance of Memorial Day", "SUMMARY:Google offsite",
  ])
  func `a day off is not an observance`(line: String) throws {
    #expect(try read(["DTSTART:20261031", line]).entries.map(\.isObservance) == [false])
  }
}
