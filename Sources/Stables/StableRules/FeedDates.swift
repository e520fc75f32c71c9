package import FlowCalendar
package import FlowModel

/// The two local dates whose feed boards can be changed at an instant.
///
/// A day ends at the first instant of the next date, and no date occurs twice: if clocks go back across midnight, the
/// first midnight ends the day.
package struct FeedDates: Hashable, Sendable {
  package let today: CivilDate
  /// The date that ended when `today` began.
  package let yesterday: CivilDate

  package init(at instant: Timestamp, in zone: Zone) {
    today = Self.date(at: instant, in: zone)
    yesterday = Self.date(at: Self.start(of: today, in: zone).advanced(by: .milliseconds(-1)), in: zone)
  }

  /// The date that a command names: nil or `today`, `yesterday`, or one of these two dates as `2026-03-02`.
  ///
  /// - Returns: nil for other dates and for invalid text.
  package func named(_ text: String?) -> CivilDate? {
    switch text {
    case nil, "today": return today
    case "yesterday": return yesterday
    case let text?:
      let date = CivilDate(text)
      return date == today || date == yesterday ? date : nil
    }
  }

  /// The date whose board a slot of the reset job closes: the day before the slot's date, even if the job runs late.
  package static func closed(by slot: Timestamp, in zone: Zone) -> CivilDate {
    FeedDates(at: slot, in: zone).yesterday
  }

  /// The first instant of a date.
  package static func start(of date: CivilDate, in zone: Zone) -> Timestamp {
    zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
  }

  /// The date of the board that is current at an instant.
  package static func date(at instant: Timestamp, in zone: Zone) -> CivilDate {
    let date = zone.local(at: instant).date
    let next = date.adding(days: 1)
    return start(of: next, in: zone) <= instant ? next : date
  }
}
