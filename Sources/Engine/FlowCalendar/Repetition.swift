import FlowModel

/// Every n days, weeks, months or years from a date: an extension of systemd's calendar syntax (systemd issue 6024).
struct Repetition: Hashable, Sendable, CustomStringConvertible {
  /// Unit of a repetition; the raw value is the singular keyword.
  enum Unit: String, Sendable, CaseIterable {
    case day, week, month, year
  }
  let count: Int
  let unit: Unit
  /// First day of the repetition, from which the others are counted.
  let anchor: CivilDate

  /// Maximum count that still repeats between 1970 and 2199.
  static func maxCount(_ unit: Unit) -> Int {
    switch unit {
    case .day: 84_005
    case .week: 12_000
    case .month: 2_759
    case .year: 229
    }
  }

  /// Normal form, such as `every 2 weeks from 2026-11-02`.
  var description: String {
    count == 1 ? "every \(unit.rawValue) from \(anchor)" : "every \(count) \(unit.rawValue)s from \(anchor)"
  }
}

/// Dates on which a rule does not fire.
struct ExceptionDates: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Days since 1970, both ends included; or a month and day of every year.
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

  /// Normal form: `2026-12-24`, `2026-12-24..2026-12-26` or `*-12-24`.
  var description: String {
    switch kind {
    case .yearly(let month, let day): "*-\(padded(month, 2))-\(padded(day, 2))"
    case .days(let first, let last) where first == last: "\(CivilDate(daysSince1970: first))"
    case .days(let first, let last): "\(CivilDate(daysSince1970: first))..\(CivilDate(daysSince1970: last))"
    }
  }
}
