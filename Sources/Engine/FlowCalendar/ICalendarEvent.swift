import FlowModel

/// The lines of one VEVENT, with the properties that do not depend on other events.
struct ICalendarEvent {
  /// Reason why an event, or part of it, is left out; `why` follows the event's title in the message.
  struct Refusal: Error {
    let line: Int
    let why: String
  }

  /// Line numbers of the event's BEGIN and END.
  let line: Int
  var lastLine: Int
  /// METHOD of its calendar, upper case; empty if missing.
  var method = ""
  /// By property name.
  private var lines: [String: [ICalendarLine]] = [:]

  init(line: Int) { (self.line, lastLine) = (line, line) }

  mutating func take(_ line: ICalendarLine) { lines[line.name, default: []].append(line) }

  func first(_ name: String) -> ICalendarLine? { lines[name]?.first }

  func all(_ name: String) -> [ICalendarLine] { lines[name] ?? [] }

  /// The title for messages, such as `'Team lunch'`.
  var title: String {
    let summary = first("SUMMARY")?.text(.shown) ?? ""
    return summary.isEmpty ? "an event without a title" : "'\(summary)'"
  }

  var summary: String { first("SUMMARY")?.text(.holdNote) ?? "" }

  /// A day off with the event's title and UID.
  func entry(_ span: DaySpan) -> ICalendarDays.Entry {
    ICalendarDays.Entry(span: span, summary: summary, uid: first("UID")?.text(.name) ?? "", isObservance: isObservance)
  }

  /// The UID shared by all versions and changed occurrences of an event; empty if missing.
  var uid: String { first("UID")?.trimmed ?? "" }

  /// RECURRENCE-ID: the day of a repeated event that this version changes.
  var recurrence: ICalendarLine? { first("RECURRENCE-ID") }

  /// True if STATUS (RFC 5545, 3.8.1.11) or the calendar's METHOD (RFC 5546, 3.2.5) cancels the event.
  var isCancelled: Bool { method == "CANCEL" || first("STATUS")?.trimmed.uppercased() == "CANCELLED" }

  /// True for a reply to an invitation, which closes no day.
  var isReply: Bool { ["REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER"].contains(method) }

  /// True if this version replaces `other` (RFC 5546, 2.1.5); of equal versions, a cancelled one wins.
  func isNewer(than other: ICalendarEvent) -> Bool {
    version == other.version ? isCancelled && !other.isCancelled : version > other.version
  }

  private var version: (Int, String, String) {
    (
      first("SEQUENCE").flatMap { Int($0.trimmed) } ?? 0, first("DTSTAMP")?.trimmed ?? "",
      first("LAST-MODIFIED")?.trimmed ?? ""
    )
  }

  // MARK: Days

  /// First day and number of days of the event or its first occurrence.
  struct Days: Hashable {
    let first: CivilDate
    let length: Int
    /// True if DTSTART is an instant (UTC) rather than a date or local time.
    let isInstant: Bool
  }

  /// The event's whole days.
  /// - Throws: `Refusal` if it has no DTSTART, an invalid length, or times of day.
  func days(in zone: Zone) throws(Refusal) -> Days {
    guard let line = first("DTSTART") else { throw Refusal(line: line, why: "has no DTSTART, the day it begins") }
    let start = try moment(line.value, in: line, zone)
    let length = try length(from: start, in: line, zone)
    let first = try start.startOfDay(in: zone).orThrow(notWholeDays(line))
    let isInstant = if case .instant = start { true } else { false }
    return Days(first: first, length: length, isInstant: isInstant)
  }

  /// Zone in which UNTIL is read as a date: `zone` if DTSTART is a local time, otherwise UTC, which keeps the written date.
  func untilZone(in zone: Zone) -> Zone {
    if let line = first("DTSTART"), case .local = ICalendarMoment(line.value) { zone } else { .utc }
  }

  /// The days as a `DaySpan`.
  /// - Throws: `Refusal` if the span is not valid, for example beyond 2199.
  func range(_ days: Days) throws(Refusal) -> DaySpan {
    try Self.range(days.first, days.length, line: first("DTSTART")?.number ?? line)
  }

  static func range(_ first: CivilDate, _ length: Int, line: Int) throws(Refusal) -> DaySpan {
    do throws(DaySpanError) {
      return try DaySpan(first: first, last: first.adding(days: length - 1))
    } catch { throw Refusal(line: line, why: "is left out: \(error)") }
  }

  private func notWholeDays(_ line: ICalendarLine) -> Refusal {
    Refusal(line: line.number, why: "has times of day; only whole days close")
  }

  /// The event's length in days, from DTEND or DURATION.
  private func length(from start: ICalendarMoment, in line: ICalendarLine, _ zone: Zone) throws(Refusal) -> Int {
    let isDay = if case .day = start { true } else { false }
    guard let first = start.startOfDay(in: zone) else { throw notWholeDays(line) }
    let end: ICalendarMoment
    let last: ICalendarLine
    if let line = self.first("DTEND") {
      (end, last) = (try moment(line.value, in: line, zone), line)
    } else if let line = self.first("DURATION") {
      let duration = try ICalendarDuration(line.value)
        .orThrow(Refusal(line: line.number, why: "lasts '\(line.text(.shown))', which is not a duration such as P1D"))
      (end, last) = (start.adding(duration, in: zone), line)
    } else {
      guard isDay else { throw notWholeDays(line) }
      return 1
    }
    guard let after = end.startOfDay(in: zone) else { throw notWholeDays(last) }
    let count = after.daysSince1970 - first.daysSince1970
    // An end equal to the start violates the standard, but some programs write a single day this way.
    if count == 0, isDay { return 1 }
    guard count > 0 else {
      throw count == 0 ? notWholeDays(line) : Refusal(line: last.number, why: "ends before it begins")
    }
    return count
  }

  /// Parses `value`, a date or time within `line`.
  /// - Throws: `Refusal` if it is neither, or in another zone than `zone`.
  private func moment(_ value: String, in line: ICalendarLine, _ zone: Zone) throws(Refusal) -> ICalendarMoment {
    let moment = try Self.moment(value, in: line)
    guard case .local = moment, let name = line.parameters["TZID"], !isTeamZone(name, zone) else { return moment }
    throw Refusal(
      line: line.number,
      why: "uses the time zone '\(TextRule.shown.truncated(withoutControls(name)))', but days off use \(zone.name)")
  }

  /// True if `name` is the team's zone, also with a prefix as Evolution writes it, or if Outlook marks the event as all-day.
  private func isTeamZone(_ name: String, _ zone: Zone) -> Bool {
    name.lowercased() == zone.name.lowercased() || name.hasPrefix("/") && name.hasSuffix("/" + zone.name)
      || first("X-MICROSOFT-CDO-ALLDAYEVENT")?.text(.shown).uppercased() == "TRUE"
  }

  /// Parses a date or time; the TZID parameter is ignored.
  static func moment(_ value: String, in line: ICalendarLine) throws(Refusal) -> ICalendarMoment {
    guard let moment = ICalendarMoment(value) else {
      let shown = TextRule.shown.truncated(withoutControls(value))
      throw Refusal(line: line.number, why: "has '\(shown)' as its \(line.name), which is not a date such as 20261224")
    }
    return moment
  }
}

extension Optional {
  fileprivate func orThrow<Failure>(_ error: @autoclosure () -> Failure) throws(Failure) -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
