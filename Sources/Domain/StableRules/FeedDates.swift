package import PoolCalendar
package import PoolModel

/// The local dates whose boards can be changed at one instant.
///
/// A day ends at the first instant of the next date, and no date comes twice: where clocks go back over a midnight, the
/// first one ends the day.
package struct FeedDates: Hashable, Sendable {
  package let today: CivilDate
  /// The date that ended when `today` began.
  package let yesterday: CivilDate

  package init(at instant: Timestamp, in zone: Zone) {
    today = Self.date(at: instant, in: zone)
    yesterday = Self.date(at: Self.start(of: today, in: zone).advanced(by: .milliseconds(-1)), in: zone)
  }

  /// What a command names: nil or `today`, `yesterday`, or one of these two dates as `2026-03-02`.
  ///
  /// - Returns: nil for any other date, and for what is none.
  package func named(_ text: String?) -> CivilDate? {
    switch text {
    case nil, "today": return today
    case "yesterday": return yesterday
    case let text?:
      let date = CivilDate(text)
      return date == today || date == yesterday ? date : nil
    }
  }

  /// The date whose board a slot of the reset closes, however late it runs: the one before the slot's own.
  package static func closed(by slot: Timestamp, in zone: Zone) -> CivilDate {
    FeedDates(at: slot, in: zone).yesterday
  }

  /// The first instant of a date.
  package static func start(of date: CivilDate, in zone: Zone) -> Timestamp {
    zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
  }

  /// The date whose board is written at an instant.
  package static func date(at instant: Timestamp, in zone: Zone) -> CivilDate {
    let date = zone.local(at: instant).date
    let next = date.adding(days: 1)
    return start(of: next, in: zone) <= instant ? next : date
  }
}
