package import FlowModel

/// Days off: a range of dates, or the days named by the date part of a calendar expression, such as `*-12-25` for every year.
///
/// `description` is the normal form, which the store saves and `init(stored:)` parses.
package struct DaySpan: Hashable, Sendable, CustomStringConvertible {
  /// Representation: a range, or days by a pattern.
  private enum Days: Hashable, Sendable {
    case range(first: CivilDate, last: CivilDate)
    case named(CalendarDates)
  }
  private let days: Days

  /// All days from `first` to `last`, both included.
  ///
  /// - Throws: `DaySpanError` if `last` is before `first`, the range has more than `Limits.longestDayOffDays` days, or a date
  ///   is outside the years 1970 to 2199.
  package init(first: CivilDate, last: CivilDate) throws(DaySpanError) {
    for date in [first, last] where !date.exists || !FieldKind.year.range.contains(date.year) { throw .noDate(date) }
    let count = last.daysSince1970 - first.daysSince1970 + 1
    guard count > 0 else { throw .backwards(first: first, last: last) }
    guard count <= Limits.longestDayOffDays else { throw .tooLong(days: count) }
    days = .range(first: first, last: last)
  }

  /// Parses user input: `2026-12-24`, `2026-12-24..2026-12-26`, `tomorrow`, `tomorrow..fri`, `*-12-24..26`, `Thu *-11-22..28
  /// until 2030-12-31`, `Sat,Sun`, `every 2 weeks from 2026-11-02`.
  ///
  /// A single weekday means its next date after today; after `..`, its first date from the start of the range on, so `mon..wed`
  /// is three days. For every Monday, write `Mon *-*-*` or a list of weekdays.
  /// - Throws: `DaySpanError` with the column, the expected input and a hint.
  package init(_ text: String, today: CivilDate) throws(DaySpanError) {
    guard text.utf8.count <= Limits.closedDaysBytes else { throw .tooManyBytes(text.utf8.count) }
    let written = text.split(separator: " ").joined(separator: " ")
    guard !written.isEmpty else { throw .empty }
    if let range = try Self.range(written, today: today) {
      self = range
      return
    }
    try Self.rejectTextAfterDay(written)
    if let misspelt = Self.misspelling(in: written) { throw .unreadable(misspelt) }
    try self.init(pattern: written)
  }

  /// Parses a normal form; nil for other texts.
  package init?(stored: String) {
    do throws(DaySpanError) {
      if let date = CivilDate(stored) {
        try self.init(first: date, last: date)
      } else if let (first, last) = Self.rangeEnds(of: stored), let first = CivilDate(first), let last = CivilDate(last)
      {
        try self.init(first: first, last: last)
      } else {
        try self.init(pattern: stored)
      }
      // The reason does not matter: the text is not a normal form.
    } catch { return nil }
    guard description == stored else { return nil }
  }

  /// Parses days in calendar syntax; consecutive days of a single month become a range.
  init(pattern: String) throws(DaySpanError) {
    let named: CalendarDates
    do throws(CalendarDatesError) { named = try CalendarDates(pattern) } catch { throw DaySpanError(error) }
    if let days = named.daysInYear(beyond: Limits.closedDaysPerYear) { throw .tooManyPerYear(days: days) }
    if let (first, last) = named.singleRange {
      try self.init(first: first, last: last)
    } else {
      self.init(named)
    }
  }

  private init(_ named: CalendarDates) { days = .named(named) }

  /// The first and the last day of a range; nil for days by a pattern.
  package var range: (first: CivilDate, last: CivilDate)? {
    if case .range(let first, let last) = days { (first, last) } else { nil }
  }

  package var description: String {
    switch days {
    case .range(let first, let last): first == last ? "\(first)" : "\(first)..\(last)"
    case .named(let days): days.description
    }
  }

  /// The days in plain English: `Thu 2026-12-24 to Sat 2026-12-26`, `every year on 25 December`.
  package var inWords: String {
    switch days {
    case .range(let first, let last):
      first == last ? Self.words(first) : "\(Self.words(first)) to \(Self.words(last))"
    case .named(let days): days.inWords
    }
  }

  private static func words(_ date: CivilDate) -> String { "\(date.weekday.abbreviation) \(date)" }
}

// MARK: Lookup

extension DaySpan {
  package func contains(_ date: CivilDate) -> Bool {
    switch days {
    case .range(let first, let last): first <= date && date <= last
    case .named(let days): days.contains(date)
    }
  }

  /// True if no day is left from `today` on.
  package func isOver(on today: CivilDate) -> Bool { next(onOrAfter: today) == nil }

  /// The first day at or after `date`; nil if none is left.
  package func next(onOrAfter date: CivilDate) -> CivilDate? {
    switch days {
    case .range(let first, let last): date <= last ? max(first, date) : nil
    case .named(let days): days.next(onOrAfter: date)
    }
  }

  /// The last day at or before `date`; nil if there is none.
  func last(onOrBefore date: CivilDate) -> CivilDate? {
    switch days {
    case .range(let first, let last): first <= date ? min(last, date) : nil
    case .named(let days): days.last(onOrBefore: date)
    }
  }
}

// MARK: Parsing

extension DaySpan {
  private static func rangeEnds(of text: String) -> (Substring, Substring)? {
    text.firstRange(of: "..").map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }

  /// Parses one day, or two days separated by `..`; nil if the text needs the calendar parser.
  private static func range(_ text: String, today: CivilDate) throws(DaySpanError) -> DaySpan? {
    if let day = TypedInstant.day(text, today: today) { return try DaySpan(first: day, last: day) }
    guard let (start, end) = rangeEnds(of: text), let first = TypedInstant.day(start, today: today) else { return nil }
    if CalendarKeywords.weekday(Array(end.utf8)[...]) != nil {
      // A weekday excludes the reference day itself, so count from the day before.
      let last = TypedInstant.day(end, today: first.adding(days: -1))
      return try last.map { (last) throws(DaySpanError) in try DaySpan(first: first, last: last) }
    }
    if let last = TypedInstant.day(end, today: today) { return try DaySpan(first: first, last: last) }
    if CalendarKeywords.weekday(Array(start.utf8)[...]) != nil { return nil }
    throw .unreadable(
      CalendarError(
        column: start.count + 3, expected: "the last day as a whole date, and no more",
        found: end.isEmpty ? nil : TextRule.shown.truncated(String(end)), suggestion: wholeRange(first, end)))
  }

  /// Suggests `2026-12-24..2026-12-26` for the end `26` of `2026-12-24..26`; nil if that is not a valid range.
  private static func wholeRange(_ first: CivilDate, _ end: Substring) -> String? {
    let numbers = end.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard let day = numbers.last, numbers.count <= 2 else { return nil }
    let last = CivilDate(year: first.year, month: numbers.count == 2 ? numbers[0] : first.month, day: day)
    return last.exists && first <= last ? "\(first)..\(last)" : nil
  }

  private static let relativeDayNames = ["today", "tomorrow", "yesterday"]

  /// Rejects text after `today` and the like, for example `today 07:00`: calendar syntax does not know these words.
  private static func rejectTextAfterDay(_ text: String) throws(DaySpanError) {
    let word = text.prefix { $0.isASCII && $0.isLetter }
    guard relativeDayNames.contains(word.lowercased()) else { return }
    if let colon = text.firstIndex(of: ":") { throw .timeOfDay(column: text[..<colon].count + 1, in: text) }
    let rest = text.dropFirst(word.count).drop { $0 == " " }
    throw .unreadable(
      CalendarError(
        column: text.count - rest.count + 1,
        expected: "nothing more, or two dots and the last day right behind '\(word)'",
        found: TextRule.shown.truncated(String(rest))))
  }

  /// Error for an unknown first word, with the most similar known word as suggestion; nil if the calendar parser knows
  /// that word.
  private static func misspelling(in text: String) -> CalendarError? {
    let word = text.prefix { $0.isASCII && $0.isLetter }
    let known = CalendarKeywords.shorthands + ["every"]
    guard !word.isEmpty, CalendarKeywords.weekday(Array(word.utf8)[...]) == nil,
      !known.contains(where: { $0.hasPrefix(word.lowercased()) })
    else { return nil }
    let words = relativeDayNames + CalendarKeywords.weekdays + CalendarKeywords.fullWeekdays
    return CalendarError(
      column: 1, expected: "a day", found: TextRule.shown.truncated(String(word)),
      suggestion: CalendarKeywords.nearest(to: word.lowercased(), among: words))
  }
}

// MARK: Refusals

/// Reason why a text does not name valid days off.
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

  fileprivate init(_ error: CalendarDatesError) {
    self =
      switch error {
      case .unreadable(let error): .unreadable(error)
      case .timeOfDay(let column, let text): .timeOfDay(column: column, in: text)
      case .zone(let zone): .zone(zone)
      case .neverComes(let text): .neverComes(text)
      }
  }

  /// Accepted forms, for error messages and help.
  package static let forms =
    "2026-12-24, 2026-12-24..2026-12-26, tomorrow, mon, '*-12-24..26' for every year or 'Thu *-11-22..28'"

  package var description: String {
    switch self {
    case .empty: "no days are named; write \(Self.forms)"
    case .tooManyBytes(let count):
      "the text has \(count) bytes, the limit is \(Limits.closedDaysBytes); add the days in several steps"
    case .unreadable(let error): error.suggestion == nil ? "\(error); write \(Self.forms)" : "\(error)"
    case .noDate(let date): "\(date) is not a date of the years 1970 to 2199"
    case .backwards(let first, let last): "\(last) comes before \(first); write the first day before the last"
    case .tooLong(let days):
      "\(days) days are more than the \(Limits.longestDayOffDays) that one range may have; check its years"
    case .timeOfDay(let column, let text):
      "column \(column): '\(TextRule.shown.truncated(text))' contains a time of day, but days off are whole days; leave the time out"
    case .zone(let zone):
      "'\(TextRule.shown.truncated(zone))' at the end is a time zone, but days off use the team's time zone; leave it out"
    case .neverComes(let text): "no date matches '\(TextRule.shown.truncated(text))'; check its days, months and years"
    case .tooManyPerYear(let days):
      "this names \(days) days of a year, the limit is \(Limits.closedDaysPerYear); "
        + "name single days, or an end with 'until'"
    }
  }
}
