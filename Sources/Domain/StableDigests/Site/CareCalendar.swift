import PoolCalendar
import PoolModel
package import PoolNotices

/// Care that is due as days of a calendar (RFC 5545): overdue care stands on the day it was due.
enum CareCalendar {
  struct Day {
    /// The event that asks for it: the same entry wherever it is read.
    let event: String
    let due: CivilDate
    let words: String
    /// `20260302T070000Z`: since when it is known.
    let stamp: String
  }

  /// - Parameter zone: of a calendar that is looked at again and again; nil for one that comes with a notice.
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

  /// The first instant of a local date.
  static func stamp(_ date: CivilDate, in zone: Zone) -> String {
    let midnight = TimeOfDay(hour: 0, minute: 0) ?? .sevenInTheMorning
    return zone.resolve(LocalDateTime(date: date, time: midnight)).standard.compactSecond
  }

  /// `20260302`.
  private static func compact(_ date: CivilDate) -> String { date.description.replacing("-", with: "") }
}

extension BarnDigest {
  /// What is overdue or due within the week, for the calendar of whoever is told it by himself.
  ///
  /// - Returns: nil where nothing is.
  package var calendar: String? {
    guard !care.isEmpty else { return nil }
    let speech = speaks.speech
    return CareCalendar.text(
      care.compactMap { line in
        CivilDate(line.due).map { due in
          CareCalendar.Day(
            event: line.event, due: due, words: speech.phrases.careLine(line.horse, speech.type(line.type)),
            stamp: CareCalendar.stamp(civilDate, in: .utc))
        }
      }, title: "\(speech.phrases.careTitle()) · \(team)")
  }
}

extension BarnPage {
  /// The calendar that comes with somebody's own notice; nil for one that has none.
  package static func calendar(_ notice: Notice) -> [UInt8]? {
    guard notice.person != nil, notice.identifier == BarnIdentifier.digest else { return nil }
    return BarnJSON.digest(notice.dataJSON, as: BarnDigest.self)?.calendar.map { Array($0.utf8) }
  }
}
