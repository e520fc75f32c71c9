import PoolModel

/// Every so many days, weeks or months, counted from a date: what systemd's language cannot say (its issue 6024).
struct Repetition: Hashable, Sendable, CustomStringConvertible {
  enum Unit: String, Sendable, CaseIterable {
    case day, week, month, year
  }
  let count: Int
  let unit: Unit
  /// The first day of the repetition, and what it is counted from.
  let anchor: CivilDate

  /// Counts beyond this would not come twice within the years rules reach.
  static func mostCount(_ unit: Unit) -> Int {
    switch unit {
    case .day: 84_005
    case .week: 12_000
    case .month: 2_759
    case .year: 229
    }
  }

  /// `every 2 weeks from 2026-11-02`.
  var description: String {
    count == 1 ? "every \(unit.rawValue) from \(anchor)" : "every \(count) \(unit.rawValue)s from \(anchor)"
  }
}

/// Dates on which a rule stays silent.
struct ExceptionDates: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Days since 1970, both included; or, for a date of every year, month and day.
  enum Kind: Hashable, Sendable {
    case days(first: Int, last: Int)
    case yearly(month: Int, day: Int)
  }
  let kind: Kind

  static func < (left: ExceptionDates, right: ExceptionDates) -> Bool {
    left.sortKey < right.sortKey
  }

  private var sortKey: (Int, Int, Int) {
    switch kind {
    case .yearly(let month, let day): (0, month, day)
    case .days(let first, let last): (1, first, last)
    }
  }

  /// `2026-12-24`, `2026-12-24..2026-12-26` or `*-12-24`.
  var description: String {
    switch kind {
    case .yearly(let month, let day): "*-\(padded(month, 2))-\(padded(day, 2))"
    case .days(let first, let last) where first == last: "\(CivilDate(daysSince1970: first))"
    case .days(let first, let last): "\(CivilDate(daysSince1970: first))..\(CivilDate(daysSince1970: last))"
    }
  }
}
