import FlowCalendar
import FlowModel
import FlowTestKit
import Testing

struct DaySpanTests {
  /// A Thursday.
  private static let today = CivilDate(year: 2026, month: 11, day: 5)

  private func refusal(_ text: String) -> String {
    do throws(DaySpanError) {
      return "none: \(try DaySpan(text, today: Self.today))"
    } catch { return error.description }
  }

  private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

  @Test func `consecutive days off of one person and reason are one range`() throws {
    let monday = CivilDate(year: 2026, month: 3, day: 2)
    let flu = "flu"
    func ranges(_ off: [(day: Int, technician: Int64?, note: String)]) throws -> [[String]] {
      let days = try off.enumerated().map { number, one in
        let day = monday.adding(days: one.day)
        return DayOff(
          id: Int64(number), technicianID: one.technician.map { TechnicianID($0) },
          span: try DaySpan(first: day, last: day),
          note: one.note, setBy: "anna")
      }
      return DaysOff(days).ranges(in: 0...6, after: monday).map {
        ["\($0.first)", "\($0.last)", "\($0.technicianID?.number ?? 0)", $0.note]
      }
    }
    #expect(try ranges([(1, 7, flu), (2, 7, flu)]) == [["2026-03-03", "2026-03-04", "7", flu]])
    for (technician, note) in [(7 as Int64?, "leave"), (8, flu), (nil, flu)] {
      #expect(
        try ranges([(1, 7, flu), (2, technician, note)]) == [
          ["2026-03-03", "2026-03-03", "7", flu],
          ["2026-03-04", "2026-03-04", "\(technician ?? 0)", note],
        ])
    }
    #expect(try ranges([(1, 7, flu), (3, 7, flu)]).map { $0[0] } == ["2026-03-03", "2026-03-05"])
  }

  @Test(arguments: [
    ("2026-12-24", "2026-12-24", "Thu 2026-12-24"),
    ("2026-12-24..2026-12-26", "2026-12-24..2026-12-26", "Thu 2026-12-24 to Sat 2026-12-26"),
    ("today", "2026-11-05", "Thu 2026-11-05"), ("Tomorrow", "2026-11-06", "Fri 2026-11-06"),
    ("mon", "2026-11-09", "Mon 2026-11-09"), ("thursday", "2026-11-12", "Thu 2026-11-12"),
    ("tomorrow..fri", "2026-11-06", "Fri 2026-11-06"),
    ("  today..tomorrow ", "2026-11-05..2026-11-06", "Thu 2026-11-05 to Fri 2026-11-06"),
    ("mon..fri", "2026-11-09..2026-11-13", "Mon 2026-11-09 to Fri 2026-11-13"),
    ("fri..thu", "2026-11-06..2026-11-12", "Fri 2026-11-06 to Thu 2026-11-12"),
    ("2026-12-24..sun", "2026-12-24..2026-12-27", "Thu 2026-12-24 to Sun 2026-12-27"),
    ("today..2027-11-05", "2026-11-05..2027-11-05", "Thu 2026-11-05 to Fri 2027-11-05"),
    ("26-12-24..26", "2026-12-24..2026-12-26", "Thu 2026-12-24 to Sat 2026-12-26"),
    ("2027-02-27..31", "", ""),
    ("*-12-25", "*-12-25", "every year on 25 December"), ("12-25", "*-12-25", "every year on 25 December"),
    ("*-12-24..26", "*-12-24..26", "every year from 24 to 26 December"),
    ("yearly", "*-01-01", "every year on 1 January"),
    ("Thu *-11-22..28", "Thu *-11-22..28", "every year on the 4th Thursday of November"),
    ("Mon *-05~01..07", "Mon *-05~01..07", "every year on the last Monday of May"),
    ("Sun *-10-29..31", "Sun *-10-29..31", "every year on the 5th Sunday of October"),
    ("Thu 2026/1-11-22..28", "Thu 2026/1-11-22..28", "every year on the 4th Thursday of November from 2026 on"),
    (
      "Thu *-11-22..28 until 2030-12-31", "Thu *-11-22..28 until 2030-12-31",
      "every year on the 4th Thursday of November until 2030-12-31"
    ),
    (
      "*-12-24..26 except 2026-12-24", "*-12-24..26 except 2026-12-24",
      "every year from 24 to 26 December except 2026-12-24"
    ),
    ("Sat,Sun", "Sat,Sun *-*-*", "Saturdays and Sundays"), ("Mon *-*-*", "Mon *-*-*", "Mondays"),
    ("mon until 2026-12-31", "Mon *-*-* until 2026-12-31", "Mondays until 2026-12-31"),
    ("every 2 weeks from 2026-11-02", "every 2 weeks from 2026-11-02", "every 2 weeks from 2026-11-02"),
    ("every year from 2026-12-25", "every year from 2026-12-25", "every year on 25 December from 2026 on"),
    ("*-*~1", "*-*~01", "on the last day of every month"), ("*-02-29", "*-02-29", "every year on 29 February"),
    ("2026-12-24 until 2027-01-01", "2026-12-24 until 2027-01-01", "on the 24th of December of 2026 until 2027-01-01"),
  ])
  func `typed days have one normal form that parses back, and a sentence`(text: String, normal: String, words: String)
    throws
  {
    guard !normal.isEmpty else {
      #expect(refusal(text).contains("the last day as a whole date"))
      return
    }
    let span = try DaySpan(text, today: Self.today)
    #expect(span.description == normal)
    #expect(span.inWords == words)
    #expect(DaySpan(stored: normal) == span)
    #expect(DaySpan(stored: normal)?.description == normal)
    #expect(try DaySpan(normal, today: Self.today) == span)
  }

  private static let refused: [(text: String, words: String)] = [
    ("", "no days are named; write \(DaySpanError.forms)"), ("   ", "no days are named; write \(DaySpanError.forms)"),
    (
      "2026-12-24..26",
      "column 13: expected the last day as a whole date, and no more, found '26'; did you mean '2026-12-24..2026-12-26'?"
    ),
    (
      "2026-12-24..12-26",
      "column 13: expected the last day as a whole date, and no more, found '12-26'; "
        + "did you mean '2026-12-24..2026-12-26'?"
    ),
    (
      "2026-12-24..",
      "column 13: expected the last day as a whole date, and no more, found the end; write \(DaySpanError.forms)"
    ),
    (
      "today..2026-12-26 except 2026-12-25",
      "column 8: expected the last day as a whole date, and no more, found '2026-12-26 except 2026-12-25'; "
        + "write \(DaySpanError.forms)"
    ),
    ("2026-12-26..2026-12-24", "2026-12-24 comes before 2026-12-26; write the first day before the last"),
    ("tomorrow..yesterday", "2026-11-04 comes before 2026-11-06; write the first day before the last"),
    ("today..2027-11-06", "367 days are more than the 366 that one range may have; check its years"),
    ("1969-12-31", "1969-12-31 is not a date of the years 1970 to 2199"),
    ("2199-12-31..2200-01-01", "2200-01-01 is not a date of the years 1970 to 2199"),
    ("2026-02-30", "no date matches '2026-02-30'; check its days, months and years"),
    ("*-02-30", "no date matches '*-02-30'; check its days, months and years"),
    ("*-12-25 except *-12-25", "no date matches '*-12-25 except *-12-25'; check its days, months and years"),
    (
      "*-12-25 07:00",
      "column 11: '*-12-25 07:00' contains a time of day, but days off are whole days; leave the time out"
    ),
    (
      "today 07:00", "column 9: 'today 07:00' contains a time of day, but days off are whole days; leave the time out"
    ),
    (
      "Tomorrow and fri",
      "column 10: expected nothing more, or two dots and the last day right behind 'Tomorrow', found 'and fri'; write "
        + DaySpanError.forms
    ),
    (
      "today,mon",
      "column 6: expected nothing more, or two dots and the last day right behind 'today', found ',mon'; write "
        + DaySpanError.forms
    ),
    ("Mon 12am", "column 1: 'Mon 12am' contains a time of day, but days off are whole days; leave the time out"),
    ("hourly", "column 1: 'hourly' contains a time of day, but days off are whole days; leave the time out"),
    ("now", "column 1: expected a day, found 'now'; write \(DaySpanError.forms)"),
    ("tommorow", "column 1: expected a day, found 'tommorow'; did you mean 'tomorrow'?"),
    ("xmas", "column 1: expected a day, found 'xmas'; write \(DaySpanError.forms)"),
    ("thusday", "column 1: expected a day, found 'thusday'; did you mean 'Thursday'?"),
    (
      "*-12-25 Europe/Berlin",
      "'Europe/Berlin' at the end is a time zone, but days off use the team's time zone; leave it out"
    ),
    ("@0", "'UTC' at the end is a time zone, but days off use the team's time zone; leave it out"),
    ("2026-13-01", "column 6: expected a month (1 to 12), found '13'; write \(DaySpanError.forms)"),
    (
      "daily",
      "this names 365 days of a year, the limit is 183; "
        + "name single days, or an end with 'until'"
    ),
    (
      "Mon..Fri *-*-*",
      "this names 261 days of a year, the limit is 183; "
        + "name single days, or an end with 'until'"
    ),
    (
      "every day from 2026-01-01 until 2026-07-03",
      "this names 184 days of a year, the limit is 183; "
        + "name single days, or an end with 'until'"
    ),
    (
      "*-12-25 except 12-24",
      "column 16: expected a date such as 2026-11-02, found '12-24'; write \(DaySpanError.forms)"
    ),
  ]

  @Test(arguments: refused)
  func `a refusal names the position, the text and the remedy`(text: String, sentence: String) {
    #expect(refusal(text) == sentence)
  }

  @Test func `an overlong text and a stored text not in normal form are refused`() {
    #expect(refusal(String(repeating: "9", count: 201)).contains("201"))
    #expect(refusal("24.12.2026").contains("2026-12-24"))
    #expect(refusal("🎄").contains("column 1"))
    let texts = [
      "", "tomorrow", "mon", "12-25", "*-12-25 00:00:00", "2026-12-24..2026-12-24", "2026-12-24..26", "*-02-30",
      "daily",
      " *-12-25", "*-12-25 UTC", "Sat,Sun",
    ]
    for text in texts { #expect(DaySpan(stored: text) == nil, "\(text)") }
    #expect(throws: DaySpanError.noDate(CivilDate(year: 2026, month: 2, day: 30))) {
      try DaySpan(first: CivilDate(year: 2026, month: 2, day: 30), last: CivilDate(year: 2026, month: 3, day: 1))
    }
  }

  @Test func `a pattern may name at most half a year`() throws {
    #expect(throws: Never.self) { try DaySpan("every day from 2026-01-01 until 2026-07-02", today: Self.today) }
    #expect(throws: Never.self) { try DaySpan("every 2 days from 2026-01-01", today: Self.today) }
    #expect(throws: Never.self) { try DaySpan("*-01..06-*", today: Self.today) }
    #expect(throws: DaySpanError.tooManyPerYear(days: 212)) { try DaySpan("*-01..07-*", today: Self.today) }
    // 2026 has 53 Thursdays and 52 of every other weekday.
    #expect(throws: Never.self) { try DaySpan("Thu..Sat *-*-*", today: Self.today) }
    #expect(throws: DaySpanError.self) { try DaySpan("Mon..Thu *-*-*", today: Self.today) }
  }

  @Test func `days are over after their last day`() throws {
    let range = try DaySpan("2026-12-24..2026-12-26", today: Self.today)
    let pattern = try DaySpan("*-12-25 until 2028-12-31", today: Self.today)
    let lasting = try DaySpan("*-12-25", today: Self.today)
    let over: [(DaySpan, String, Bool)] = [
      (range, "2026-12-26", false), (range, "2026-12-27", true), (pattern, "2028-12-25", false),
      (pattern, "2028-12-26", true), (lasting, "2199-12-25", false),
    ]
    for (span, day, isOver) in over { #expect(try span.isOver(on: date(day)) == isOver, "\(span) on \(day)") }
    let (christmasEve, christmas) = (try date("2026-12-24"), try date("2026-12-25"))
    #expect(range.next(onOrAfter: christmasEve.adding(days: -4)) == christmasEve)
    #expect(range.next(onOrAfter: christmasEve.adding(days: -4_000)) == christmasEve)
    #expect(range.next(onOrAfter: christmasEve.adding(days: 3)) == nil)
    #expect(pattern.next(onOrAfter: christmas) == christmas)
    // 2100 is no leap year.
    let (leap, from, next) = (
      try DaySpan("*-02-29", today: Self.today), try date("2096-03-01"), try date("2104-02-29")
    )
    #expect(leap.next(onOrAfter: from) == next && !leap.isOver(on: from))
    for year in [1_969, 2_300] { #expect(!lasting.contains(CivilDate(year: year, month: 12, day: 25))) }
  }

  /// Compared with their definition on each day of ten years; a failure prints the seed.
  @Test func `random days equal their definition and parse back`() throws {
    var random = SeededNumbers(seed: 20_261_105)
    let first = CivilDate(year: 2023, month: 1, day: 1).daysSince1970
    var taken = 0
    for number in 0..<250 {
      let written = WrittenDays(using: &random)
      let span: DaySpan
      do throws(DaySpanError) { span = try DaySpan(written.text, today: Self.today) } catch {
        switch error {
        case .tooManyPerYear:
          #expect((1_970...2_199).contains { written.days(in: $0) > 183 }, "number \(number): \(written.text)")
        case .neverComes:
          #expect((1_970...2_199).allSatisfy { written.days(in: $0) == 0 }, "number \(number): \(written.text)")
        default: Issue.record("number \(number): '\(written.text)' is refused: \(error)")
        }
        continue
      }
      taken += 1
      #expect(DaySpan(stored: span.description) == span, "number \(number): \(written.text)")
      var next: CivilDate?
      for day in stride(from: first + 3_652, through: first, by: -1) {
        let date = CivilDate(daysSince1970: day)
        let isNamed = written.names(date)
        if isNamed { next = date }
        guard span.contains(date) == isNamed else {
          Issue.record("number \(number): '\(written.text)' on \(date): \(!isNamed)")
          break
        }
        // From the named days, and from every eighth day, which covers all weekdays.
        guard let next, isNamed || day % 8 == 0 else { continue }
        guard span.next(onOrAfter: date) == next, !span.isOver(on: date) else {
          Issue.record("number \(number): '\(written.text)' after \(date): not \(next)")
          break
        }
      }
    }
    #expect(taken > 150)
  }
}

/// Random days as text and by definition.
private struct WrittenDays {
  var text = ""
  var range: ClosedRange<CivilDate>?
  /// Monday is 0.
  var weekdays: ClosedRange<Int>?
  var months: ClosedRange<Int>?
  var days: ClosedRange<Int>?
  var countsFromEnd = false
  var repetition: (count: Int, unit: String, anchor: CivilDate)?
  var last: CivilDate?
  var silent: ClosedRange<CivilDate>?
  var silentDay: (month: Int, day: Int)?

  init(using random: inout SeededNumbers) {
    let kind = Int.random(in: 0..<6, using: &random)
    if kind == 0 {
      let first = Self.date(using: &random)
      let last = first.adding(days: Int.random(in: 0..<366, using: &random))
      range = first...last
      text = first == last ? "\(first)" : "\(first)..\(last)"
      return
    }
    if kind != 1, Bool.random(using: &random) { addWeekdays(using: &random) }
    if kind == 2 { addRepetition(using: &random) } else { addDate(using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let date = Self.date(using: &random)
      last = date
      text += " until \(date)"
    }
    if Int.random(in: 0..<3, using: &random) == 0 { addExceptions(using: &random) }
  }

  private static func date(using random: inout SeededNumbers) -> CivilDate {
    CivilDate(daysSince1970: Int.random(in: 19_000...23_500, using: &random))
  }

  private static func range(_ whole: ClosedRange<Int>, using random: inout SeededNumbers) -> ClosedRange<Int> {
    let first = Int.random(in: whole, using: &random)
    return first...(Bool.random(using: &random) ? first : Int.random(in: first...whole.upperBound, using: &random))
  }

  private static func written(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? padded(range.lowerBound, 2) : "\(padded(range.lowerBound, 2))..\(padded(range.upperBound, 2))"
  }

  private mutating func addWeekdays(using random: inout SeededNumbers) {
    let names = ["Mon", "tue", "Wednesday", "THU", "Fri", "Sat", "Sunday"]
    let range = Self.range(0...6, using: &random)
    weekdays = range
    text = range.count == 1 ? "\(names[range.lowerBound]) " : "\(names[range.lowerBound])..\(names[range.upperBound]) "
  }

  private mutating func addDate(using random: inout SeededNumbers) {
    let month = Self.range(1...12, using: &random)
    countsFromEnd = Int.random(in: 0..<4, using: &random) == 0
    let day = Self.range(countsFromEnd ? 1...28 : 1...31, using: &random)
    if Int.random(in: 0..<4, using: &random) > 0 { months = month }
    days = day
    text += "*-\(months.map(Self.written) ?? "*")\(countsFromEnd ? "~" : "-")\(Self.written(day))"
  }

  private mutating func addRepetition(using random: inout SeededNumbers) {
    let unit = ["day", "week", "month", "year"].randomElement(using: &random) ?? "day"
    let count = Int.random(in: 1...4, using: &random)
    let anchor = Self.date(using: &random)
    repetition = (count, unit, anchor)
    text += "every \(count) \(unit)s from \(anchor)"
    if unit == "week", weekdays == nil {
      let weekday = (anchor.weekday.rawValue + 5) % 7
      weekdays = weekday...weekday
    }
  }

  private mutating func addExceptions(using random: inout SeededNumbers) {
    let first = Self.date(using: &random)
    let last = first.adding(days: Int.random(in: 0...400, using: &random))
    silent = first...last
    text += " except \(first)..\(last)"
    guard Bool.random(using: &random) else { return }
    let date = Self.date(using: &random)
    silentDay = (date.month, date.day)
    text += ",*-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }

  func days(in year: Int) -> Int {
    let first = CivilDate(year: year, month: 1, day: 1)
    return (0..<(CivilDate.isLeap(year: year) ? 366 : 365)).count { names(first.adding(days: $0)) }
  }

  func names(_ date: CivilDate) -> Bool {
    if let range { return range.contains(date) }
    if let last, date > last { return false }
    if let silent, silent.contains(date) { return false }
    if let silentDay, silentDay == (date.month, date.day) { return false }
    if let weekdays, !weekdays.contains((date.weekday.rawValue + 5) % 7) { return false }
    if let repetition { return names(date, repetition.count, repetition.unit, repetition.anchor) }
    if let months, !months.contains(date.month) { return false }
    let length = CivilDate.length(ofMonth: date.month, year: date.year)
    return days?.contains(countsFromEnd ? length - date.day + 1 : date.day) ?? true
  }

  private func names(_ date: CivilDate, _ count: Int, _ unit: String, _ anchor: CivilDate) -> Bool {
    let distance = date.daysSince1970 - anchor.daysSince1970
    guard distance >= 0 else { return false }
    let months = (date.year - anchor.year) * 12 + date.month - anchor.month
    switch unit {
    case "day": return distance % count == 0
    case "week": return (distance + (anchor.weekday.rawValue + 5) % 7) / 7 % count == 0
    case "month": return date.day == anchor.day && months % count == 0
    default: return date.day == anchor.day && months % (12 * count) == 0
    }
  }
}
