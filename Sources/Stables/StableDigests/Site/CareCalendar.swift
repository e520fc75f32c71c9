import FlowCalendar
import FlowModel
package import FlowNotices

/// Writes due care as a calendar (RFC 5545). Overdue care is on the date on which it was due.
enum CareCalendar {
  /// An all-day entry.
  struct Day {
    /// The id of the event whose `nextDue` makes this care due; part of the UID, so that the entry is the same in each
    /// calendar.
    let event: String
    let due: CivilDate
    let words: String
    /// The DTSTAMP, such as `20260302T070000Z`: the instant from which the due date is known.
    let stamp: String
  }

  /// The text of the calendar.
  ///
  /// - Parameter zone: the time zone of a subscribed calendar; nil for a calendar attached to a notice.
  static func text(_ days: [Day], title: String, followedIn zone: Zone? = nil) -> String {
    let title = CalendarText.escaped(title)
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//poolflow//care due//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
    ]
    if let zone {
      lines += [
        "NAME:" + title, "X-WR-CALNAME:" + title, "X-WR-TIMEZONE:" + CalendarText.escaped(zone.name),
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
      ]
    }
    for day in days {
      lines += [
        "BEGIN:VEVENT", "UID:\(day.event)-care@poolflow", "DTSTAMP:\(day.stamp)",
        "DTSTART;VALUE=DATE:\(compact(day.due))", "DTEND;VALUE=DATE:\(compact(day.due.adding(days: 1)))",
        "SUMMARY:" + CalendarText.escaped(day.words), "TRANSP:TRANSPARENT", "END:VEVENT",
      ]
    }
    return CalendarText.whole(lines + ["END:VCALENDAR"])
  }

  /// The first instant of a local date, as DTSTAMP.
  static func stamp(_ date: CivilDate, in zone: Zone) -> String {
    let midnight = TimeOfDay(hour: 0, minute: 0) ?? .sevenInTheMorning
    return zone.resolve(LocalDateTime(date: date, time: midnight)).standard.compactSecond
  }

  /// A date as `20260302`.
  private static func compact(_ date: CivilDate) -> String { date.description.replacing("-", with: "") }
}

extension BarnDigest {
  /// The calendar attached to a personal notice: care that is overdue or due within the week.
  ///
  /// - Returns: nil without such care.
  package var calendar: String? {
    guard !care.isEmpty else { return nil }
    let localizer = speaks.localizer
    return CareCalendar.text(
      care.compactMap { line in
        CivilDate(line.due).map { due in
          CareCalendar.Day(
            event: line.event, due: due, words: localizer.phrases.careLine(line.horse, localizer.type(line.type)),
            stamp: CareCalendar.stamp(civilDate, in: .utc))
        }
      }, title: "\(localizer.phrases.careTitle()) · \(team)")
  }
}

extension BarnPage {
  /// The calendar attached to a personal notice; nil for other notices, and if no care is due.
  package static func calendar(_ notice: Notice) -> [UInt8]? {
    guard notice.person != nil, notice.identifier == BarnIdentifier.digest else { return nil }
    return BarnJSON.digest(notice.dataJSON, as: BarnDigest.self)?.calendar.map { Array($0.utf8) }
  }
}
