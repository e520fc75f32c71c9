package import FlowModel

/// The dates named by the date part of a calendar expression: `Mon,Thu`, `every 2 weeks from 2026-11-30`, `Tue *-*-1..7`,
/// `Mon *-04..10-* until 2027-12-31`.
///
/// `description` is the normal form; parsing it gives equal dates. Copies share one compiled rule.
package struct CalendarDates: Hashable, Sendable, CustomStringConvertible {
  private let compiled: CompiledDates

  /// - Throws: `CalendarDatesError` if the text has a time or a zone, or names no date of the years 1970 to 2199.
  package init(_ text: String) throws(CalendarDatesError) { compiled = try CompiledDates(text) }

  package var description: String { compiled.expression.parts.daysDescription }

  /// The dates in plain English: `every 2 weeks, from Mon 2026-11-30`.
  package var inWords: String { compiled.expression.daysText }

  /// The last day of the rule, from `until`; nil without one.
  package var lastDate: CivilDate? { compiled.expression.parts.lastDate }

  /// The weekdays that the dates may have; a superset for rules that repeat days or months.
  package var weekdays: [Weekday] { Weekday.allCases.filter(compiled.mayBe) }

  /// The weekday if these dates are all dates with one weekday; nil for every other rule.
  package var onlyWeekday: Weekday? { compiled.matcher.onlyWeekdays && weekdays.count == 1 ? weekdays.first : nil }

  package func contains(_ date: CivilDate) -> Bool { compiled.contains(date) }

  /// The first date at or after `date`; nil if none is left.
  package func next(onOrAfter date: CivilDate) -> CivilDate? { compiled.next(atOrAfter: date) }

  /// The last date at or before `date`; nil if there is none.
  package func last(onOrBefore date: CivilDate) -> CivilDate? { compiled.last(atOrBefore: date) }

  /// First and last date if the rule is a single range of dates, such as `26-12-24..26`; nil otherwise.
  var singleRange: (CivilDate, CivilDate)? { compiled.singleRange }

  /// The number of dates in the first year that has more than `limit`; nil if none has.
  func daysInYear(beyond limit: Int) -> Int? { compiled.daysInYear(beyond: limit) }
}

/// Reason why a text does not name dates.
package enum CalendarDatesError: Error, Hashable, Sendable, CustomStringConvertible {
  case unreadable(CalendarError)
  case timeOfDay(column: Int, in: String)
  case zone(String)
  case neverComes(String)

  package var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .timeOfDay(let column, let text):
      "column \(column): '\(TextRule.shown.truncated(text))' contains a time of day, but only dates are meant; leave the time out"
    case .zone(let zone):
      "'\(TextRule.shown.truncated(zone))' at the end is a time zone, but the team's time zone applies; leave it out"
    case .neverComes(let text): "no date matches '\(TextRule.shown.truncated(text))'; check its days, months and years"
    }
  }
}

/// Dates in calendar syntax, compiled for lookups; shared by all copies.
private final class CompiledDates: Hashable, Sendable {
  let expression: CalendarExpression
  let matcher: RuleMatcher

  init(_ text: String) throws(CalendarDatesError) {
    if let colon = text.firstIndex(of: ":") { throw .timeOfDay(column: text[..<colon].count + 1, in: text) }
    do throws(CalendarError) { expression = try CalendarExpression(text) } catch { throw .unreadable(error) }
    if let zone = expression.zoneName { throw .zone(zone) }
    guard expression.timesOfDay == 1, !expression.hints.writesHalfDay else { throw .timeOfDay(column: 1, in: text) }
    matcher = RuleMatcher(expression.parts)
    guard matcher.firstNamedDay <= matcher.lastNamedDay else { throw .neverComes(text) }
  }

  static func == (left: CompiledDates, right: CompiledDates) -> Bool {
    left === right || left.expression == right.expression
  }

  func hash(into hasher: inout Hasher) { hasher.combine(expression) }

  func mayBe(_ weekday: Weekday) -> Bool { matcher.weekdays &>> UInt64((weekday.rawValue + 5) % 7) & 1 != 0 }

  func contains(_ date: CivilDate) -> Bool {
    // Fast exit: most dates fail by their month, and `nextDay` may search years ahead.
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

  var singleRange: (CivilDate, CivilDate)? {
    let parts = expression.parts
    guard parts.weekdays == nil, parts.repetition == nil, parts.lastDate == nil, parts.exceptions.isEmpty,
      !parts.countsFromEnd, parts.year.isPlain, parts.year.items.count == 1, parts.month.isPlain,
      parts.month.items.count == 1, parts.day.items.count == 1, let item = parts.day.items.first, item.step <= 1,
      item.step == 0 || item.stop != nil
    else { return nil }
    return (CivilDate(daysSince1970: matcher.firstNamedDay), CivilDate(daysSince1970: matcher.lastNamedDay))
  }

  func daysInYear(beyond limit: Int) -> Int? {
    guard maxDaysPerYear > limit else { return nil }
    for year in FieldKind.year.range {
      let end = CivilDate(year: year + 1, month: 1, day: 1).daysSince1970
      var day = matcher.nextDay(CivilDate(year: year, month: 1, day: 1).daysSince1970)
      var count = 0
      while day >= 0, day < end {
        count += 1
        day = matcher.nextDay(day + 1)
      }
      if count > limit { return count }
    }
    return nil
  }

  /// Upper bound of days per year by the fields alone; it spares most patterns a count over 230 years.
  private var maxDaysPerYear: Int {
    let weekdays = (matcher.weekdays & 127).nonzeroBitCount
    guard let repetition = expression.parts.repetition else { return maxNamedDaysPerYear }
    switch repetition.unit {
    case .day: return (365 + repetition.count) / repetition.count
    case .week: return weekdays * min(53, (53 + repetition.count) / repetition.count)
    case .month: return 12
    case .year: return 1
    }
  }

  /// Maximum number of days per year by month, day and weekday; 28 years contain every kind of year.
  private var maxNamedDaysPerYear: Int {
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
