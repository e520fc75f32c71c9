package import FlowCalendar
package import FlowModel

/// The text of a pool's service: `weekly`, or a rule of dates in calendar syntax.
package enum ServiceRule: Hashable, Sendable {
  /// Every week; on this weekday if the text names one, otherwise on the pool's own.
  case weekly(on: Weekday?)
  case dates(CalendarDates)

  /// Parses `weekly`, `Mon`, `Mon,Thu`, `every 2 weeks from 2026-11-30`, `Tue *-*-1..7`, `Mon *-04..10-*`, and `until
  /// 2027-12-31` or `weekly until 2027-12-31`, which mean every week up to that date. `monthly` is the pool's first weekday of
  /// each month, as in a CSV file.
  ///
  /// - Parameters:
  ///   - weekday: the pool's weekday.
  ///   - today: the current date in the team's zone.
  /// - Throws: `ServiceRuleError` for a text with a time or a zone, and for a rule without a date from `today` on.
  package init(_ text: String, weekday: Weekday, today: CivilDate) throws(ServiceRuleError) {
    guard text.utf8.count <= Limits.serviceRuleBytes else { throw .tooManyBytes(text.utf8.count) }
    let written = text.split(separator: " ").joined(separator: " ")
    let lower = written.lowercased()
    guard !written.isEmpty else { throw .empty }
    guard lower != Self.weeklyWord, lower != "every week" else {
      self = .weekly(on: nil)
      return
    }
    let next = PoolService(weekday: weekday).next(onOrAfter: today) ?? today
    if (lower == "biweekly" || lower.hasPrefix("every ")) && !lower.contains(" from ") {
      throw .noFirstDate(written, next: next)
    }
    let onWeekday = "\(weekday.abbreviation) *-*-"
    let rule =
      if lower == "monthly" {
        onWeekday + "1..7"
      } else if lower.hasPrefix("until ") {
        onWeekday + "* " + written
      } else if lower.hasPrefix(Self.weeklyWord + " ") {
        onWeekday + "*" + written.dropFirst(Self.weeklyWord.count)
      } else {
        written
      }
    let dates: CalendarDates
    do throws(CalendarDatesError) {
      dates = try CalendarDates(rule)
    } catch { throw .unreadable(error) }
    if let day = dates.onlyWeekday {
      self = .weekly(on: day)
      return
    }
    guard dates.next(onOrAfter: today) != nil else {
      throw .over(written, last: dates.last(onOrBefore: today) ?? today, today: today)
    }
    self = .dates(dates)
  }

  package static let weeklyWord = "weekly"
}

/// Reason why a text is not the service of a pool.
package enum ServiceRuleError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case tooManyBytes(Int)
  /// A repetition without its first date; `next` is the next date with the pool's weekday.
  case noFirstDate(String, next: CivilDate)
  case unreadable(CalendarDatesError)
  /// The rule's last date is past.
  case over(String, last: CivilDate, today: CivilDate)

  /// Accepted forms, for error messages and help.
  package static let forms =
    "weekly, 'every 2 weeks from 2026-11-30', Mon,Thu, 'Tue *-*-1..7' for the first Tuesday of a month, "
    + "'Mon *-04..10-*' for a season, or 'until 2027-12-31'"

  package var description: String {
    switch self {
    case .empty: "no dates are named; write \(Self.forms)"
    case .tooManyBytes(let count): "the text has \(count) bytes, the limit is \(Limits.serviceRuleBytes)"
    case .noFirstDate(let text, let next):
      "'\(TextRule.shown.truncated(text))' does not say on which date it begins; write such as 'every 2 weeks from \(next)', "
        + "or weekly for every week"
    case .unreadable(.unreadable(let error)):
      error.suggestion == nil ? "\(error); write \(Self.forms)" : "\(error)"
    case .unreadable(let error): "\(error)"
    case .over(let text, let last, let today):
      "'\(TextRule.shown.truncated(text))' has no date from today on: its last one is \(last), and today is \(today)"
    }
  }
}
