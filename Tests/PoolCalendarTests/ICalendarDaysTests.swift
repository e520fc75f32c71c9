import PoolCalendar
import PoolModel
import PoolPlatform
import PoolTestKit
import Testing

struct ICalendarDaysTests {
  private static let newYork = "America/New_York"

  private func read(_ text: String, zone: String = newYork) throws -> ICalendarDays {
    try ICalendarDays(Array(text.utf8), zone: try zones.zone(named: zone))
  }

  /// A calendar with one event of these lines.
  private func event(_ lines: String..., zone: String = newYork) throws -> ICalendarDays {
    try read(calendar(["SUMMARY:Off"] + lines), zone: zone)
  }

  private func calendar(_ lines: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR", ""])
      .joined(separator: "\r\n")
  }

  private func refusal(_ bytes: [UInt8]) -> String {
    do throws(ICalendarError) {
      _ = try ICalendarDays(bytes, zone: .utc)
      return ""
    } catch { return error.description }
  }

  private func spans(_ calendar: ICalendarDays) -> [String] { calendar.entries.map(\.span.description) }

  // MARK: As calendars write them

  /// Google's holidays: one event for each year, CRLF, escapes, a description folded inside a UTF-8 character.
  @Test func `a file from Google Calendar is read`() throws {
    let start = Array(
      """
      \u{FEFF}BEGIN:VCALENDAR
      PRODID:-//Google Inc//Google Calendar 70.9054//EN
      VERSION:2.0
      METHOD:PUBLISH
      X-WR-CALNAME:Feiertage in Deutschland
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261225
      DTEND;VALUE=DATE:20261226
      DTSTAMP:20261101T101010Z
      UID:20261225_abc@google.com
      DESCRIPTION:Gesetzlicher Feiertag in Deutschland
      STATUS:CONFIRMED
      SUMMARY:Erster Weihnachtsfeiertag\\, f
      """.replacing("\n", with: "\r\n").utf8)
    let letter = Array("ü".utf8)
    let rest = Array(
      """
      r al
       le\\; auch\\nhier \\\\ \\x
      TRANSP:TRANSPARENT
      END:VEVENT
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261224
      DTEND;VALUE=DATE:20261224
      SUMMARY:Heiligabend
      END:VEVENT
      END:VCALENDAR

      """.replacing("\n", with: "\r\n").utf8)
    let file = start + [letter[0]] + Array("\r\n ".utf8) + [letter[1]] + rest
    let read = try ICalendarDays(file, zone: .utc)
    #expect(read.warnings == [])
    #expect(spans(read) == ["2026-12-25", "2026-12-24"])
    #expect(read.entries.first?.summary == #"Erster Weihnachtsfeiertag, für alle; auch hier \ \x"#)
    #expect(read.entries.map(\.uid) == ["20261225_abc@google.com", ""])
  }

  /// Apple's holidays: yearly rules by days of the month, LF line ends, a zone and alarms with properties of their own.
  @Test func `a file from Apple Calendar is read`() throws {
    let read = try read(
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      CALSCALE:GREGORIAN
      BEGIN:VTIMEZONE
      TZID:America/New_York
      BEGIN:STANDARD
      DTSTART:20071104T020000
      RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:thanksgiving
      SUMMARY;LANGUAGE=en:Thanksgiving
      DTSTART;VALUE=DATE:20261126
      DURATION:P1D
      RRULE:FREQ=YEARLY;COUNT=5;BYMONTH=11;BYDAY=TH;BYMONTHDAY=22,23,24,25,26,27,28
      BEGIN:VALARM
      SUMMARY:Cook
      DTSTART:20200101
      TRIGGER:-PT15H
      END:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:christmas
      SUMMARY;X-NOTE="a: b; c":Christmas
      DTSTART;VALUE=DATE:19701225
      RRULE:FREQ=YEARLY;INTERVAL=1
      END:VEVENT
      END:VCALENDAR
      """)
    #expect(read.warnings == [])
    #expect(spans(read) == ["Thu 2026/1-11-22..28 until 2030-11-28", "*-12-25"])
    #expect(read.entries.map(\.summary) == ["Thanksgiving", "Christmas"])
    #expect(
      read.entries.first?.span.inWords == "every year on the 4th Thursday of November from 2026 on until 2030-11-28")
  }

  /// Outlook: times at midnight in a Windows zone, and whole days marked by a property.
  @Test func `a file from Outlook is read`() throws {
    let lines = [
      "DTSTART;TZID=\"Eastern Standard Time\":20261126T000000", "DTEND;TZID=\"Eastern Standard Time\":20261128T000000",
    ]
    let days = try read(calendar(["SUMMARY:Thanksgiving break", "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"] + lines))
    #expect(spans(days) == ["2026-11-26..2026-11-27"])
    let times = try read(calendar(["SUMMARY:Thanksgiving break"] + lines))
    #expect(
      times.warnings == [
        "line 5: 'Thanksgiving break' uses the time zone 'Eastern Standard Time', but days off use America/New_York"
      ])
    let rule = try event("DTSTART;VALUE=DATE:20261126", "RRULE:FREQ=YEARLY;BYDAY=TH;BYMONTH=11;BYSETPOS=4;WKST=SU")
    #expect(spans(rule) == ["Thu 2026/1-11-22..28"])
  }

  // MARK: Days

  @Test(arguments: [
    (["DTSTART;VALUE=DATE:20261224"], "2026-12-24"), (["DTSTART:20261224"], "2026-12-24"),
    (["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227"], "2026-12-24..2026-12-26"),
    (["DTSTART;VALUE=DATE:20261224", "DURATION:P1W"], "2026-12-24..2026-12-30"),
    (["DTSTART;VALUE=DATE:20261224", "DURATION:P1DT24H"], "2026-12-24..2026-12-25"),
    (["DTSTART:20261224T000000", "DTEND:20261225T000000"], "2026-12-24"),
    (["DTSTART:20261224T050000Z", "DTEND:20261226T050000Z"], "2026-12-24..2026-12-25"),
    // The day on which clocks go forward has 23 hours.
    (["DTSTART:20260308T050000Z", "DTEND:20260309T040000Z"], "2026-03-08"),
    (["DTSTART;TZID=America/New_York:20260308T000000", "DURATION:P1D"], "2026-03-08"),
    (["DTSTART;TZID=America/New_York:20260308T000000", "DURATION:PT23H"], "2026-03-08"),
    (["DTSTART;TZID=/citadel.org/America/New_York:20261224T000000", "DURATION:P1D"], "2026-12-24"),
  ])
  func `whole days are read in every notation`(lines: [String], span: String) throws {
    let read = try read(calendar(["SUMMARY:Off"] + lines))
    #expect(spans(read) == [span] && read.warnings == [])
  }

  @Test func `a day begins at 01:00 if clocks skip midnight`() throws {
    let read = try event("DTSTART:20180304T030000Z", "DTEND:20180305T030000Z", zone: "America/Sao_Paulo")
    #expect(spans(read) == ["2018-03-04"])
    // 2018-11-04 began at 01:00, which was 03:00 UTC.
    let gap = try event("DTSTART:20181104T030000Z", "DTEND:20181105T020000Z", zone: "America/Sao_Paulo")
    #expect(spans(gap) == ["2018-11-04"] && gap.warnings == [])
  }

  // MARK: Rules

  @Test(arguments: [
    ("20261225", "FREQ=YEARLY", "every year from 2026-12-25"), ("19601225", "FREQ=YEARLY", "*-12-25"),
    ("20261225", "freq=yearly;bymonth=12;bymonthday=25;", "every year from 2026-12-25"),
    ("20261126", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "Thu 2026/1-11-22..28"),
    ("19631128", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "Thu *-11-22..28"),
    ("20260525", "FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO", "Mon 2026/1-05~01..07"),
    ("20260118", "FREQ=YEARLY;BYMONTH=1,4;BYDAY=-2SU", "Sun 2026/1-01,04~08..14 except 2026-01-01..2026-01-17"),
    ("20261031", "FREQ=YEARLY;BYMONTH=10;BYDAY=5SA", "Sat 2026/1-10-29..31"),
    ("20240229", "FREQ=YEARLY", "every year from 2024-02-29"),
    ("20241231", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-1", "2024/1-12~01"),
    ("20260615", "FREQ=YEARLY;BYMONTH=3,6", "2026/1-03,06-15 except 2026-01-01..2026-06-14"),
    ("20260615", "FREQ=YEARLY;BYMONTHDAY=15,16", "2026/1-*-15..16 except 2026-01-01..2026-06-14"),
    ("20261225", "FREQ=YEARLY;UNTIL=20301225", "every year from 2026-12-25 until 2030-12-25"),
    ("20261225", "FREQ=YEARLY;UNTIL=20301224T235959Z", "every year from 2026-12-25 until 2029-12-25"),
    ("20261225", "FREQ=YEARLY;COUNT=3", "every year from 2026-12-25 until 2028-12-25"),
    ("20261225", "FREQ=YEARLY;COUNT=1", "2026-12-25"),
    ("20261225", "FREQ=YEARLY;COUNT=999", "every year from 2026-12-25"),
    ("20240229", "FREQ=YEARLY;COUNT=3", "every year from 2024-02-29 until 2032-02-29"),
    ("20261225", "FREQ=YEARLY;UNTIL=29991231", "every year from 2026-12-25"),
  ])
  func `yearly rules become patterns that start with the event`(start: String, rule: String, span: String) throws {
    let read = try event("DTSTART;VALUE=DATE:\(start)", "RRULE:\(rule)")
    #expect(spans(read) == [span])
    #expect(read.warnings == [])
  }

  @Test func `excluded days become exceptions`() throws {
    let read = try event(
      "DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY;COUNT=4", "EXDATE;VALUE=DATE:20271225,20281225",
      "EXDATE:20270704")
    #expect(spans(read) == ["every year from 2026-12-25 until 2029-12-25 except 2027-12-25,2028-12-25"])
    #expect(spans(try event("DTSTART:20261225", "EXDATE:20261225")) == [])
  }

  @Test func `several days of every year become a pattern for each month`() throws {
    let one = try event("DTSTART:20261224", "DTEND:20261227", "RRULE:FREQ=YEARLY;COUNT=3", "EXDATE:20271224")
    #expect(spans(one) == ["2026/1-12-24..26 until 2028-12-26 except 2027-12-24..2027-12-26"])
    let two = try event("DTSTART:20261230", "DTEND:20270103", "RRULE:FREQ=YEARLY;UNTIL=20281230")
    #expect(spans(two) == ["2026/1-12-30..31 until 2028-12-31", "2027/1-01-01..02 until 2029-01-02"])
    let three = try event("DTSTART:20260730", "DTEND:20260902", "RRULE:FREQ=YEARLY")
    #expect(spans(three) == ["2026/1-07-30..31", "2026/1-08-01..31", "2026/1-09-01"])
    #expect(three.entries.map(\.summary) == ["Off", "Off", "Off"])
    #expect(spans(try event("DTSTART:20260227", "DTEND:20260301", "RRULE:FREQ=YEARLY")) == ["2026/1-02-27..28"])
  }

  @Test(arguments: [
    (["DTSTART:20261224T120000", "DTEND:20261224T130000"], "line 5: 'Off' has times of day; only whole days close"),
    (["DTSTART:20261224T000000"], "line 5: 'Off' has times of day; only whole days close"),
    (["DTSTART:20261224", "DTEND:20261224T130000"], "line 6: 'Off' has times of day; only whole days close"),
    (["DTSTART:20261224T000000Z", "DTEND:20261225T000000Z"], "line 5: 'Off' has times of day; only whole days close"),
    (["DTEND:20261224"], "line 3: 'Off' has no DTSTART, the day it begins"),
    (["DTSTART:20260230"], "line 5: 'Off' has '20260230' as its DTSTART, which is not a date such as 20261224"),
    (["DTSTART:20261224", "DTEND:20261223"], "line 6: 'Off' ends before it begins"),
    (["DTSTART:20261224", "DURATION:-P1D"], "line 6: 'Off' lasts '-P1D', which is not a duration such as P1D"),
    (
      ["DTSTART:20260101", "DTEND:20280101"],
      "line 5: 'Off' is left out: 730 days are more than the 366 that one range may have; check its years"
    ),
    (["DTSTART:19691224"], "line 5: 'Off' is left out: 1969-12-24 is not a date of the years 1970 to 2199"),
    (
      ["DTSTART:20261224", "RRULE:FREQ=MONTHLY"],
      "line 6: 'Off' repeats, but not once a year; only FREQ=YEARLY is supported"
    ),
    (
      ["DTSTART:20261103", "RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=11"],
      "line 6: 'Off' does not repeat every year (INTERVAL); write its days one by one"
    ),
    (
      ["DTSTART:20261224", "RRULE:FREQ=YEARLY;BYWEEKNO=20"],
      "line 6: 'Off' has BYWEEKNO in its rule, which is not supported"
    ),
    (
      ["DTSTART:20261126", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=TH"],
      "line 6: 'Off' repeats on weekdays of many weeks; only one of a month, such as BYDAY=4TH with BYMONTH, is supported"
    ),
    (
      ["DTSTART:20261126", "RRULE:FREQ=YEARLY;BYDAY=48TH"],
      "line 6: 'Off' counts its weekdays through more than a month; only BYDAY=4TH with BYMONTH is supported"
    ),
    (
      ["DTSTART:20261126", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=-5TH"],
      "line 6: 'Off' uses weekday number -5 of a month, which not every month has"
    ),
    (
      ["DTSTART:20261126", "RRULE:FREQ=YEARLY;BYDAY=XX"],
      "line 6: 'Off' has a BYDAY that is not a weekday such as TH or 4TH"
    ),
    (["DTSTART:20261126", "RRULE:FREQ=YEARLY;BYMONTH=13"], "line 6: 'Off' has '13' in its BYMONTH"),
    (["DTSTART:20261126", "RRULE:FREQ"], "line 6: 'Off' has a rule that cannot be read: 'FREQ'"),
    (
      ["DTSTART:20261125", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"],
      "line 6: 'Off' begins on 2026-11-25, a day that its rule does not name"
    ),
    (["DTSTART:20261225", "RRULE:FREQ=YEARLY;UNTIL=20251225"], "line 6: 'Off' ends before it begins"),
    (
      ["DTSTART:20261225", "RRULE:FREQ=YEARLY;UNTIL=soon"],
      "line 6: 'Off' has an UNTIL that is not a date such as 20301231"
    ),
    (
      ["DTSTART:20261225", "RRULE:FREQ=YEARLY;COUNT=0"],
      "line 6: 'Off' has a COUNT that is not a number, or begins before 1970"
    ),
    (
      ["DTSTART:20260228", "DTEND:20260302", "RRULE:FREQ=YEARLY"],
      "line 7: 'Off' goes past 28 February, after which its days differ in leap years; write them one by one"
    ),
    (
      ["DTSTART:20261126", "DTEND:20261128", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"],
      "line 7: 'Off' lasts 2 days, and its rule names more than one date"
    ),
    (
      ["DTSTART:20260101", "DTEND:20260801", "RRULE:FREQ=YEARLY"],
      "line 7: 'Off' lasts 212 days of every year, the limit is 183"
    ),
    (
      ["DTSTART:20260101", "RRULE:FREQ=YEARLY;BYMONTHDAY=\((1...31).map(String.init).joined(separator: ","))"],
      "line 6: 'Off' has a rule that names no days off: this names 365 days of a year, the limit is 183; "
        + "name single days, or an end with 'until'"
    ),
    (
      ["DTSTART:20260101", "RRULE:FREQ=YEARLY;COUNT=9999;BYMONTHDAY=1,2"],
      "line 6: 'Off' counts more than 1000 days (COUNT); write its end as UNTIL"
    ),
    (
      ["DTSTART:20261225", "RDATE:20261227"],
      "line 6: 'Off' has RDATE, which is not supported; write the days one by one"
    ),
    (
      ["DTSTART:20261225", "RECURRENCE-ID:20261225"],
      "line 6: 'Off' changes one day of a repeated event; the event is unchanged"
    ),
    (
      ["DTSTART:20261225T050000Z", "DURATION:P1D", "RRULE:FREQ=YEARLY"],
      "line 7: 'Off' repeats at times in UTC; only whole days can be days off"
    ),
    (
      ["DTSTART:20261225", "RRULE:FREQ=YEARLY", "RRULE:FREQ=YEARLY;COUNT=2"],
      "line 7: 'Off' has two rules (RRULE); write two events"
    ),
  ])
  func `an event that cannot be represented exactly gives a warning`(lines: [String], warning: String) throws {
    let read = try read(calendar(["SUMMARY:Off"] + lines))
    #expect(read.warnings == [warning])
    #expect(read.entries == [])
  }

  @Test func `a cancelled event is left out, and an invalid line is reported`() throws {
    let cancelled = try event("STATUS:cancelled", "DTSTART:20261224")
    #expect(cancelled.entries == [])
    #expect(cancelled.warnings.count == 1 && cancelled.warnings[0].hasPrefix("line 3: 'Off' is cancelled; if its days"))
    let odd = try event("DTSTART:20261224", "what is this", "X=1")
    #expect(spans(odd) == ["2026-12-24"])
    #expect(
      odd.warnings == [6, 7].map { "line \($0): no property such as SUMMARY:Christmas; the line is left out" })
    #expect(try read("BEGIN:VCALENDAR\nEND:VCALENDAR\n").entries == [])
    let untitled = try read(calendar(["DTSTART:20261224T120000"]))
    #expect(untitled.warnings == ["line 4: an event without a title has times of day; only whole days close"])
  }

  @Test func `a title is one short line without control characters`() throws {
    let read = try read(
      calendar(["SUMMARY: \u{7}Two\\n\tlines\u{9B} " + String(repeating: "é", count: 300), "DTSTART:20261224"]))
    let summary = try #require(read.entries.first?.summary)
    #expect(summary.hasPrefix("Two lines é") && summary.count == 200)
    #expect(TextRule.holdNote.fault(in: summary) == nil)
  }

  // MARK: Broken files

  @Test(arguments: [
    ("", "line 1: expected BEGIN:VCALENDAR"), ("<html>\n<body>", "line 1: expected BEGIN:VCALENDAR"),
    ("\n\nname,date\n", "line 3: expected BEGIN:VCALENDAR"), ("BEGIN:VEVENT\nEND:VEVENT", "line 1: expected BEGIN:V"),
    ("END:VCALENDAR", "line 1: expected BEGIN:VCALENDAR"), ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026", "line 2: "),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR", "line 2: BEGIN:VEVENT has no END of its own"),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VEVENT", "line 2: BEGIN:VEVENT has no END of its own"),
    ("BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR", "line 2: END:VEVENT without its BEGIN"),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR", "line 3: END:VCALENDAR without its BEGIN"),
    ("BEGIN:VCALENDAR\n", "line 1: BEGIN:VCALENDAR has no END of its own; the file may be cut off"),
  ])
  func `a broken component structure is refused with its line`(text: String, words: String) {
    let sentence = refusal(Array(text.utf8))
    #expect(sentence.contains(words), "\(sentence)")
  }

  @Test func `a file that is too large, too long or not UTF-8 is refused`() {
    #expect(
      refusal([UInt8](repeating: 0x41, count: 10 << 20))
        == "the file has 10.5 MB, more than the 524.3 kB that a calendar of holidays may have; "
        + "save the holidays as a calendar of their own")
    #expect(refusal(Array("BEGIN:VCALENDAR\nX:".utf8) + [0xFF, 0x0A]).contains("line 2: not UTF-8"))
    let one = "BEGIN:VEVENT\nDTSTART:20261224\nEND:VEVENT\n"
    let days = { (count: Int) in
      Array(("BEGIN:VCALENDAR\n" + String(repeating: one, count: count) + "END:VCALENDAR\n").utf8)
    }
    #expect(refusal(days(1_000)) == "")
    #expect(refusal(days(1_001)).hasPrefix("line 3004: more than 1000 days off"))
  }

  @Test func `components nested too deeply are refused, and many components are read quickly`() {
    func nested(_ depth: Int) -> [UInt8] {
      let names = ["VCALENDAR"] + (1..<depth).map { "X-\($0)" }
      let begins = names.map { "BEGIN:\($0)\n" }.joined()
      let ends = names.reversed().map { "END:\($0)\n" }.joined()
      return Array((begins + ends).utf8)
    }
    #expect(refusal(nested(16)) == "")
    #expect(
      refusal(nested(17))
        == "line 17: more than 16 BEGIN within one another; the file may be damaged: save it again")
    #expect(refusal(nested(15_000)).hasPrefix("line 17: "))
    // An END is matched against the open components, and named if none matches.
    #expect(refusal(Array("BEGIN:VCALENDAR\nBEGIN:X\nBEGIN:Y\nEND:X".utf8)).hasPrefix("line 3: BEGIN:Y has no END"))
    #expect(refusal(Array("BEGIN:VCALENDAR\nBEGIN:X\nEND:Y".utf8)).hasPrefix("line 3: END:Y without its BEGIN"))
  }

  @Test func `warnings beyond a hundred are counted`() throws {
    let one = "BEGIN:VEVENT\nSUMMARY:Lunch\nEND:VEVENT\n"
    let read = try read("BEGIN:VCALENDAR\n" + String(repeating: one, count: 130) + "END:VCALENDAR\n")
    #expect(read.warnings.count == 101 && read.warnings.last == "and 30 more")
  }

  /// Compared with the occurrences by definition, year after year.
  @Test func `random yearly rules yield the days of their definition`() throws {
    var random = SeededNumbers(seed: 5_545)
    for number in 0..<300 {
      let start = CivilDate(daysSince1970: Int.random(in: 18_000...22_000, using: &random))
      let byWeekday = Bool.random(using: &random)
      let fromEnd = Bool.random(using: &random)
      let length = CivilDate.length(ofMonth: start.month, year: start.year)
      let place = fromEnd ? (length - start.day) / 7 + 1 : (start.day - 1) / 7 + 1
      let count = Bool.random(using: &random) ? Int.random(in: 2...12, using: &random) : nil
      if byWeekday, fromEnd, place > 4 { continue }
      let weekday = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][start.weekday.rawValue - 1]
      var rule = "FREQ=YEARLY"
      if byWeekday { rule += ";BYMONTH=\(start.month);BYDAY=\(fromEnd ? -place : place)\(weekday)" }
      if let count { rule += ";COUNT=\(count)" }
      let read = try event("DTSTART:\(start.description.filter { $0 != "-" })", "RRULE:\(rule)")
      let span = try #require(read.entries.first?.span, "number \(number): \(start) \(rule) \(read.warnings)")
      var left = count ?? .max
      for day in (start.daysSince1970 - 800)...(start.daysSince1970 + 5_500) {
        let date = CivilDate(daysSince1970: day)
        let length = CivilDate.length(ofMonth: date.month, year: date.year)
        let isValidLocation = (fromEnd ? (length - date.day) / 7 : (date.day - 1) / 7) + 1 == place
        var isNamed = date >= start && date.month == start.month && left > 0
        isNamed = isNamed && (byWeekday ? date.weekday == start.weekday && isValidLocation : date.day == start.day)
        if isNamed, count != nil { left -= 1 }
        guard span.contains(date) == isNamed else {
          Issue.record("number \(number): \(start) \(rule) as \(span) on \(date): \(!isNamed)")
          break
        }
      }
    }
  }

  /// No crash and no exceeded limits; the seed and the number reproduce the bytes.
  @Test func `a damaged file yields days, warnings or a refusal`() throws {
    let whole = Array(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      SUMMARY:Thanks\\, giving
      DTSTART;TZID="America/New_York":20261126T000000
      DURATION:P1DT24H
      EXDATE:20271125,20281123
      RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=-1TH;COUNT=5
      END:VEVENT
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261230
      DTEND;VALUE=DATE:20270103
      RRULE:FREQ=YEARLY;UNTIL=20301231T000000Z;BYMONTHDAY=30
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20261224T050000Z
      DTEND:20261225T050000Z
      END:VEVENT
      END:VCALENDAR
      """.utf8)
    let zone = try zones.zone(named: Self.newYork)
    let pieces = ["\r\n ", ";", ":", "\"", "99999999999", "-1", "00000101", "99991231", "\n", "P", "\\", ",", "=", "0"]
      .map { Array($0.utf8) }
    for number in 0..<2_000 {
      var random = SeededNumbers(seed: UInt64(number))
      var bytes = whole
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0..<12, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        case 2: bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0..<bytes.count, using: &random))
        default: bytes[place] = UInt8.random(in: 48...57, using: &random)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      do throws(ICalendarError) {
        let read = try ICalendarDays(bytes, zone: zone)
        for entry in read.entries {
          #expect(DaySpan(stored: entry.span.description) == entry.span, "seed \(number)")
          #expect(TextRule.holdNote.fault(in: entry.summary) == nil, "seed \(number)")
        }
        #expect(read.warnings.allSatisfy { $0.hasPrefix("line ") && !hasControls($0) }, "seed \(number)")
      } catch { #expect(!error.description.isEmpty) }
    }
  }
}
