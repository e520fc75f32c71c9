package import PoolModel

/// Days on which a team is closed or a technician is away: the days from one date to another, or days that the date part
/// of the calendar language names, such as `*-12-25` for every year.
///
/// `description` is the normal form, which the store keeps and `init(stored:)` reads back.
package struct DaySpan: Hashable, Sendable, CustomStringConvertible {
  private enum Days: Hashable, Sendable {
    case range(first: CivilDate, last: CivilDate)
    case named(NamedDays)
  }
  private let days: Days

  /// All days from `first` to `last`, both included.
  ///
  /// - Throws: `DaySpanError` for days that run backwards, more than `Limits.longestClosedRange` of them, and dates outside
  ///   of the years 1970 to 2199.
  package init(first: CivilDate, last: CivilDate) throws(DaySpanError) {
    for date in [first, last] where !date.exists || !FieldKind.year.range.contains(date.year) { throw .noDate(date) }
    let count = last.daysSince1970 - first.daysSince1970 + 1
    guard count > 0 else { throw .backwards(first: first, last: last) }
    guard count <= Limits.longestClosedRange else { throw .tooLong(days: count) }
    days = .range(first: first, last: last)
  }

  /// What people write: `2026-12-24`, `2026-12-24..2026-12-26`, `tomorrow`, `tomorrow..fri`, `*-12-24..26`,
  /// `Thu *-11-22..28 until 2030-12-31`, `Sat,Sun`, `every 2 weeks from 2026-11-02`.
  ///
  /// A weekday alone is the next day of that name, today not counted, and behind `..` the first one from the range's
  /// beginning on: `mon..wed` is three days of next week. Weekdays of all weeks are `Mon *-*-*` or a list.
  /// - Throws: `DaySpanError` with the place, what was expected there and a hint.
  package init(_ text: String, today: CivilDate) throws(DaySpanError) {
    guard text.utf8.count <= Limits.closedDaysBytes else { throw .tooManyBytes(text.utf8.count) }
    let written = text.split(separator: " ").joined(separator: " ")
    guard !written.isEmpty else { throw .empty }
    if let range = try Self.range(written, today: today) {
      self = range
      return
    }
    try Self.refuseMoreThanDay(written)
    if let misspelt = Self.misspelling(in: written) { throw .unreadable(misspelt) }
    try self.init(pattern: written)
  }

  /// Reads a normal form; nil for anything else.
  package init?(stored: String) {
    do throws(DaySpanError) {
      if let date = CivilDate(stored) {
        try self.init(first: date, last: date)
      } else if let (first, last) = Self.halves(of: stored), let first = CivilDate(first), let last = CivilDate(last) {
        try self.init(first: first, last: last)
      } else {
        try self.init(pattern: stored)
      }
      // Why does not matter: whoever wrote something else wrote no normal form.
    } catch { return nil }
    guard description == stored else { return nil }
  }

  /// Days by the calendar language; those of one month that follow each other once are a range.
  init(pattern: String) throws(DaySpanError) {
    let named = try NamedDays(pattern)
    if let (first, last) = named.onlyDays {
      try self.init(first: first, last: last)
    } else {
      self.init(named)
    }
  }

  private init(_ named: NamedDays) { days = .named(named) }

  package var description: String {
    switch days {
    case .range(let first, let last): first == last ? "\(first)" : "\(first)..\(last)"
    case .named(let days): days.description
    }
  }

  /// In plain English: `Thu 2026-12-24 to Sat 2026-12-26`, `every year on 25 December`.
  package var inWords: String {
    switch days {
    case .range(let first, let last):
      first == last ? Self.words(first) : "\(Self.words(first)) to \(Self.words(last))"
    case .named(let days): days.expression.daysInWords
    }
  }

  private static func words(_ date: CivilDate) -> String { "\(date.weekday.abbreviation) \(date)" }
}

// MARK: Looking days up

extension DaySpan {
  package func contains(_ date: CivilDate) -> Bool {
    switch days {
    case .range(let first, let last): first <= date && date <= last
    case .named(let days): days.contains(date)
    }
  }

  /// True when no day is left on `today` or after it.
  package func isOver(on today: CivilDate) -> Bool { next(onOrAfter: today) == nil }

  /// The first of the days from `date` on, however far it is; nil where none is left.
  package func next(onOrAfter date: CivilDate) -> CivilDate? {
    switch days {
    case .range(let first, let last): date <= last ? max(first, date) : nil
    case .named(let days): days.next(atOrAfter: date)
    }
  }

  func last(onOrBefore date: CivilDate) -> CivilDate? {
    switch days {
    case .range(let first, let last): first <= date ? min(last, date) : nil
    case .named(let days): days.last(atOrBefore: date)
    }
  }
}

// MARK: What people write

extension DaySpan {
  private static func halves(of text: String) -> (Substring, Substring)? {
    text.firstRange(of: "..").map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }

  /// One day, or two with dots between them; nil where only the calendar language can read the text.
  private static func range(_ text: String, today: CivilDate) throws(DaySpanError) -> DaySpan? {
    if let day = TimeWords.day(text, today: today) { return try DaySpan(first: day, last: day) }
    guard let (start, end) = halves(of: text), let first = TimeWords.day(start, today: today) else { return nil }
    if CalendarWords.weekday(Array(end.utf8)[...]) != nil {
      // The day before it, as words name no day on which they are said.
      let last = TimeWords.day(end, today: first.adding(days: -1))
      return try last.map { (last) throws(DaySpanError) in try DaySpan(first: first, last: last) }
    }
    if let last = TimeWords.day(end, today: today) { return try DaySpan(first: first, last: last) }
    if CalendarWords.weekday(Array(start.utf8)[...]) != nil { return nil }
    throw .unreadable(
      CalendarError(
        column: start.count + 3, expected: "the last day as a whole date, and no more",
        found: end.isEmpty ? nil : TextRule.shown.cut(String(end)), suggestion: wholeRange(first, end)))
  }

  /// `2026-12-24..2026-12-26` for the 26 of `2026-12-24..26`.
  private static func wholeRange(_ first: CivilDate, _ end: Substring) -> String? {
    let numbers = end.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard let day = numbers.last, numbers.count <= 2 else { return nil }
    let last = CivilDate(year: first.year, month: numbers.count == 2 ? numbers[0] : first.month, day: day)
    return last.exists && first <= last ? "\(first)..\(last)" : nil
  }

  private static let ownWords = ["today", "tomorrow", "yesterday"]

  /// `today 07:00`: a word that the calendar language does not know stands alone, or before two dots.
  private static func refuseMoreThanDay(_ text: String) throws(DaySpanError) {
    let word = text.prefix { $0.isASCII && $0.isLetter }
    guard ownWords.contains(word.lowercased()) else { return }
    if let colon = text.firstIndex(of: ":") { throw .timeOfDay(column: text[..<colon].count + 1, in: text) }
    let rest = text.dropFirst(word.count).drop { $0 == " " }
    throw .unreadable(
      CalendarError(
        column: text.count - rest.count + 1,
        expected: "nothing more, or two dots and the last day right behind '\(word)'",
        found: TextRule.shown.cut(String(rest))))
  }

  /// A first word that the calendar language does not know, either: what was probably meant may be one of our own words.
  private static func misspelling(in text: String) -> CalendarError? {
    let word = text.prefix { $0.isASCII && $0.isLetter }
    let known = CalendarWords.shorthands + ["every"]
    guard !word.isEmpty, CalendarWords.weekday(Array(word.utf8)[...]) == nil,
      !known.contains(where: { $0.hasPrefix(word.lowercased()) })
    else { return nil }
    let words = ownWords + CalendarWords.weekdays + CalendarWords.fullWeekdays
    return CalendarError(
      column: 1, expected: "a day", found: TextRule.shown.cut(String(word)),
      suggestion: CalendarWords.nearest(to: word.lowercased(), among: words))
  }
}

// MARK: Patterns

/// Days by the calendar language, ready to be asked; shared by all copies.
private final class NamedDays: Hashable, Sendable, CustomStringConvertible {
  let expression: CalendarExpression
  private let matcher: RuleMatcher

  init(_ text: String) throws(DaySpanError) {
    if let colon = text.firstIndex(of: ":") { throw .timeOfDay(column: text[..<colon].count + 1, in: text) }
    do throws(CalendarError) { expression = try CalendarExpression(text) } catch { throw .unreadable(error) }
    if let zone = expression.zoneName { throw .zone(zone) }
    guard expression.timesOfDay == 1, !expression.hints.writesHalfDay else { throw .timeOfDay(column: 1, in: text) }
    matcher = RuleMatcher(expression.parts)
    guard matcher.firstNamedDay <= matcher.lastNamedDay else { throw .neverComes(text) }
    if let count = tooManyDays { throw .tooManyPerYear(days: count) }
  }

  var description: String { expression.parts.daysDescription }

  static func == (left: NamedDays, right: NamedDays) -> Bool {
    left === right || left.expression == right.expression
  }

  func hash(into hasher: inout Hasher) { hasher.combine(expression) }

  func contains(_ date: CivilDate) -> Bool {
    // Most days fall out by their month, and the next one named may be years away.
    guard (1...12).contains(date.month), matcher.months &>> UInt64(date.month) & 1 != 0 else { return false }
    let day = date.daysSince1970
    return (matcher.firstNamedDay...matcher.lastNamedDay).contains(day) && matcher.nextDay(day) == day
  }

  func next(atOrAfter date: CivilDate) -> CivilDate? {
    let day = matcher.nextDay(max(0, date.daysSince1970))
    return day < 0 ? nil : CivilDate(daysSince1970: day)
  }

  func last(atOrBefore date: CivilDate) -> CivilDate? {
    let day = matcher.previousDay(min(RuleMatcher.lastDay, date.daysSince1970))
    return day < 0 ? nil : CivilDate(daysSince1970: day)
  }

  /// First and last of what is not a pattern but one stretch of days, such as `26-12-24..26`.
  var onlyDays: (CivilDate, CivilDate)? {
    let parts = expression.parts
    guard parts.weekdays == nil, parts.repetition == nil, parts.lastDate == nil, parts.exceptions.isEmpty,
      !parts.countsFromEnd, parts.year.isPlain, parts.year.items.count == 1, parts.month.isPlain,
      parts.month.items.count == 1, parts.day.items.count == 1, let item = parts.day.items.first, item.step <= 1,
      item.step == 0 || item.stop != nil
    else { return nil }
    return (CivilDate(daysSince1970: matcher.firstNamedDay), CivilDate(daysSince1970: matcher.lastNamedDay))
  }

  /// How many days of a year are named, in the first year that has more than may be; nil where none has.
  private var tooManyDays: Int? {
    guard mostDaysPerYear > Limits.closedDaysPerYear else { return nil }
    for year in FieldKind.year.range {
      let end = CivilDate(year: year + 1, month: 1, day: 1).daysSince1970
      var day = matcher.nextDay(CivilDate(year: year, month: 1, day: 1).daysSince1970)
      var count = 0
      while day >= 0, day < end {
        count += 1
        day = matcher.nextDay(day + 1)
      }
      if count > Limits.closedDaysPerYear { return count }
    }
    return nil
  }

  /// No year has more, as the fields alone tell: nearly every pattern need not be counted through 230 years.
  private var mostDaysPerYear: Int {
    let weekdays = (matcher.weekdays & 127).nonzeroBitCount
    guard let repetition = expression.parts.repetition else { return mostNamedDays }
    switch repetition.unit {
    case .day: return (365 + repetition.count) / repetition.count
    case .week: return weekdays * min(53, (53 + repetition.count) / repetition.count)
    case .month: return 12
    case .year: return 1
    }
  }

  /// The most that month, day and weekday name: in 28 years each kind of year comes.
  private var mostNamedDays: Int {
    (1_972..<2_000).reduce(0) { most, year in
      let days = (1...12).reduce(0) { days, month in
        guard matcher.months &>> UInt64(month) & 1 != 0 else { return days }
        let first = CivilDate(year: year, month: month, day: 1).daysSince1970
        let length = CivilDate.length(ofMonth: month, year: year)
        return days + matcher.days(ofMonth: length, firstDay: first).nonzeroBitCount
      }
      return max(most, days)
    }
  }
}

// MARK: Refusals

/// Why days off are none.
package enum DaySpanError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case tooManyBytes(Int)
  case unreadable(CalendarError)
  case noDate(CivilDate)
  case backwards(first: CivilDate, last: CivilDate)
  case tooLong(days: Int)
  case timeOfDay(column: Int, in: String)
  case zone(String)
  case neverComes(String)
  case tooManyPerYear(days: Int)

  /// What may be written, for refusals and help.
  package static let forms =
    "2026-12-24, 2026-12-24..2026-12-26, tomorrow, mon, '*-12-24..26' for every year or 'Thu *-11-22..28'"

  package var description: String {
    switch self {
    case .empty: "no days are named; write \(Self.forms)"
    case .tooManyBytes(let count):
      "days are named in at most \(Limits.closedDaysBytes) bytes, and this has \(count); write several one after the other"
    case .unreadable(let error): error.suggestion == nil ? "\(error); write \(Self.forms)" : "\(error)"
    case .noDate(let date): "\(date) is no date of the years 1970 to 2199"
    case .backwards(let first, let last): "\(last) comes before \(first); write the first day before the last"
    case .tooLong(let days):
      "\(days) days are more than the \(Limits.longestClosedRange) that one range may have; look at its years"
    case .timeOfDay(let column, let text):
      "column \(column): '\(TextRule.shown.cut(text))' names times of day, and days off are whole days; leave the times out"
    case .zone(let zone):
      "'\(TextRule.shown.cut(zone))' at the end names a zone, and days go by their team's clocks; leave it out"
    case .neverComes(let text): "no date ever fits '\(TextRule.shown.cut(text))'; look at its days, months and years"
    case .tooManyPerYear(let days):
      "this names \(days) days of a year, and may name \(Limits.closedDaysPerYear): on the others there is work; "
        + "name single days, or an end with 'until'"
    }
  }
}
