package import FlowModel

/// The time from one execution of recurring work to the next: a count of days, weeks, months or years.
package struct WorkInterval: Hashable, Sendable {
  /// The unit of the count.
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case day, week, month, year

    /// The largest count, ten years.
    fileprivate var largestCount: Int {
      switch self {
      case .day: 3_653
      case .week: 520
      case .month: 120
      case .year: 10
      }
    }
  }

  /// 1 or more.
  package let count: Int
  package let unit: Unit

  /// - Returns: nil if the count is less than 1 or means more than ten years.
  package init?(count: Int, unit: Unit) {
    guard (1...unit.largestCount).contains(count) else { return nil }
    self.count = count
    self.unit = unit
  }

  /// Parses `3 months`, `every 3 months`, `90 days`, `90d`, `2 weeks`, `1 year` and `monthly`.
  package init(_ text: String) throws(WorkIntervalError) {
    var words = text.lowercased().split(separator: " ").map(String.init)
    if words.first == "every" { words.removeFirst() }
    guard !words.isEmpty else { throw .empty }
    if words.count == 1, let unit = Self.adverbs[words[0]] {
      (count, self.unit) = (1, unit)
      return
    }
    if words.count == 1, let digits = words.first.map({ $0.prefix(while: \.isNumber) }), !digits.isEmpty {
      words = [String(digits), String(words[0].dropFirst(digits.count))].filter { !$0.isEmpty }
    }
    // `every month`: one.
    if words.count == 1, Self.unit(words[0]) != nil { words.insert("1", at: 0) }
    guard let first = words.first, let number = Int(first) else { throw .unreadable(text) }
    guard words.count > 1 else { throw .noUnit(text) }
    guard words.count == 2, let unit = Self.unit(words[1]) else { throw .unreadable(text) }
    guard number >= 1 else { throw .zero(text) }
    guard number <= unit.largestCount else { throw .tooLong(text) }
    (count, self.unit) = (number, unit)
  }

  private static let adverbs: [String: Unit] = ["daily": .day, "weekly": .week, "monthly": .month, "yearly": .year]

  private static func unit(_ word: String) -> Unit? {
    switch word {
    case "d", "day", "days": .day
    case "w", "week", "weeks": .week
    case "mo", "month", "months": .month
    case "y", "year", "years": .year
    default: nil
    }
  }

  /// The date one interval after `date`. Months keep the day of the month; where it does not exist, the last day is taken:
  /// one month after 31 January 2027 is 28 February 2027.
  package func date(after date: CivilDate) -> CivilDate {
    switch unit {
    case .day: date.adding(days: count)
    case .week: date.adding(days: 7 * count)
    case .month: date.adding(months: count)
    case .year: date.adding(months: 12 * count)
    }
  }

  /// The interval between two dates: whole months if the day of the month is kept, otherwise days.
  ///
  /// - Returns: nil if `next` is not later than `last`, or more than ten years later.
  package init?(from last: CivilDate, to next: CivilDate) {
    guard last < next else { return nil }
    let months = (next.year - last.year) * 12 + next.month - last.month
    if let interval = WorkInterval(count: months, unit: .month), interval.date(after: last) == next {
      self = interval
    } else {
      self.init(count: next.daysSince1970 - last.daysSince1970, unit: .day)
    }
  }
}

extension WorkInterval: CustomStringConvertible {
  /// `3 months`, `1 week`.
  package var description: String { "\(count) \(unit.rawValue)\(count == 1 ? "" : "s")" }
}

extension CivilDate {
  /// The date with the same day of the month that many months later, or the last day of that month.
  fileprivate func adding(months: Int) -> CivilDate {
    let index = year * 12 + month - 1 + months
    let (year, month) = (index / 12, index % 12 + 1)
    return CivilDate(year: year, month: month, day: min(day, Self.length(ofMonth: month, year: year)))
  }
}

/// Reason why a text is no interval of recurring work.
package enum WorkIntervalError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case noUnit(String)
  case zero(String)
  case tooLong(String)
  case unreadable(String)

  /// Accepted forms, for error messages and help.
  package static let forms = "'3 months', '2 weeks', '90 days' or '1 year'"

  package var description: String {
    switch self {
    case .empty: "no interval is named; write \(Self.forms)"
    case .noUnit(let text): "'\(shown(text))' has no unit; write \(Self.forms)"
    case .zero: "an interval is 1 or more; write \(Self.forms)"
    case .tooLong: "the longest interval is ten years"
    case .unreadable(let text): "'\(shown(text))' is no interval; write a number and a unit: \(Self.forms)"
    }
  }

  private func shown(_ text: String) -> String { TextRule.shown.truncated(text) }
}
