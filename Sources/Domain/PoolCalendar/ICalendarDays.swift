import PoolModel

/// Days off from a holiday calendar file (RFC 5545, `.ics`), as exported by Google, Apple, Outlook and public authorities.
///
/// Only whole-day events are used. Repeated events must be yearly and exactly expressible in the calendar syntax; moved and
/// cancelled days are applied. `warnings` lists everything left out, with line numbers, in file order.
package struct ICalendarDays: Sendable {
  /// One day or range of days off.
  package struct Entry: Hashable, Sendable {
    package let span: DaySpan
    /// Event title on one line; empty if the event has none.
    package let summary: String
    /// UID, stable across editions of the file; empty if the event has none.
    package let uid: String
    /// True if the calendar marks the day as an observance rather than a day off.
    package let isObservance: Bool
  }

  /// In file order; a yearly event that spans several months has one entry per month.
  package let entries: [Entry]
  /// At most `Limits.problemsShown` warnings, followed by a count of the rest.
  package let warnings: [String]

  /// - Parameter zone: the zone in which events with times must start and end at midnight.
  /// - Throws: `ICalendarError` if the file is not a calendar, truncated or too large; one unusable event only gives a warning.
  package init(_ bytes: [UInt8], zone: Zone) throws(ICalendarError) {
    guard bytes.count <= Limits.largestCalendarFile else { throw .tooLarge(bytes: bytes.count) }
    var reader = ICalendarReader()
    for line in try ICalendarLine.all(in: bytes) { try reader.take(line) }
    try reader.finish()
    let versions = try ICalendarVersions(reader.events, in: zone)
    entries = versions.entries
    let warnings = (reader.warnings + versions.warnings).sorted { $0.line < $1.line }.map(\.text)
    let rest = warnings.count - Limits.problemsShown
    self.warnings = Array(warnings.prefix(Limits.problemsShown)) + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

/// State machine over a file's components that collects its events.
private struct ICalendarReader {
  /// Components that have begun but not ended, outermost first.
  private var open: [(name: String, line: Int)] = []
  private var event: ICalendarEvent?
  private var hasCalendar = false
  /// METHOD of the current calendar, and the index in `events` of its first event.
  private var method = ""
  private var firstEvent = 0
  private(set) var events: [ICalendarEvent] = []
  private(set) var warnings: [ICalendarWarning] = []

  mutating func take(_ line: ICalendarLine) throws(ICalendarError) {
    switch line.name {
    case "BEGIN": try begin(Self.component(line), at: line)
    case "END": try end(Self.component(line), at: line)
    default:
      guard hasCalendar else { throw .noCalendar(line: line.number) }
      if open.count == 1, line.name == "METHOD" { method = line.trimmed.uppercased() }
      // Components nested in an event, such as alarms, use the same property names.
      guard open.count == 2, event != nil else { return }
      if line.name.isEmpty {
        let text = "no property such as SUMMARY:Christmas; the line is left out"
        warnings.append(ICalendarWarning(line: line.number, text: text))
      } else {
        event?.take(line)
      }
    }
  }

  private static func component(_ line: ICalendarLine) -> String {
    String(line.value.uppercased().filter { $0 != " " && $0 != "\t" })
  }

  private mutating func begin(_ name: String, at line: ICalendarLine) throws(ICalendarError) {
    if let last = open.last {
      let isFrame = name == "VCALENDAR" || name == "VEVENT" && open.contains { $0.name == "VEVENT" }
      if isFrame { throw .unclosed(last.name, line: last.line) }
    } else {
      guard name == "VCALENDAR" else { throw .noCalendar(line: line.number) }
      hasCalendar = true
    }
    guard open.count < Limits.calendarFileDepth else { throw .tooDeep(line: line.number) }
    open.append((name, line.number))
    if name == "VEVENT", open.count == 2 { event = ICalendarEvent(line: line.number) }
  }

  private mutating func end(_ name: String, at line: ICalendarLine) throws(ICalendarError) {
    guard hasCalendar else { throw .noCalendar(line: line.number) }
    guard let last = open.last else { throw .notBegun(name, line: line.number) }
    guard last.name == name else {
      if open.contains(where: { $0.name == name }) { throw .unclosed(last.name, line: last.line) }
      throw .notBegun(name, line: line.number)
    }
    open.removeLast()
    if open.isEmpty { endCalendar() }
    guard open.count == 1, var ended = event else { return }
    ended.lastLine = line.number
    events.append(ended)
    event = nil
  }

  /// Assigns METHOD to the calendar's events: METHOD can follow the events, and a file can contain several calendars.
  private mutating func endCalendar() {
    for index in firstEvent..<events.count { events[index].method = method }
    (method, firstEvent) = ("", events.count)
  }

  /// Checks at the end of the file that every component is closed.
  func finish() throws(ICalendarError) {
    if let last = open.last { throw .unclosed(last.name, line: last.line) }
    guard hasCalendar else { throw .noCalendar(line: 1) }
  }
}

/// Reason why a file cannot be parsed as a calendar.
package enum ICalendarError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLarge(bytes: Int)
  case tooManyEntries(line: Int)
  case tooDeep(line: Int)
  case noCalendar(line: Int)
  case notUTF8(line: Int)
  /// A component has no END: the file is truncated, or another END comes first.
  case unclosed(String, line: Int)
  case notBegun(String, line: Int)

  package var description: String {
    switch self {
    case .tooLarge(let bytes):
      "the file has \(sizeText(bytes)), more than the \(sizeText(Limits.largestCalendarFile)) that a calendar of holidays may "
        + "have; save the holidays as a calendar of their own"
    case .tooManyEntries(let line):
      "line \(line): more than \(Limits.calendarFileEntries) days off; save fewer years, or the holidays alone"
    case .tooDeep(let line):
      "line \(line): more than \(Limits.calendarFileDepth) BEGIN within one another; the file may be damaged: save it again"
    case .noCalendar(let line):
      "line \(line): expected BEGIN:VCALENDAR, with which a calendar file (.ics) begins; save the calendar as iCalendar"
    case .notUTF8(let line):
      "line \(line): not UTF-8, or too many accents on one character; save the calendar as UTF-8"
    case .unclosed(let name, let line):
      "line \(line): BEGIN:\(TextRule.shown.truncated(name)) has no END of its own; the file may be cut off: save it again"
    case .notBegun(let name, let line):
      "line \(line): END:\(TextRule.shown.truncated(name)) without its BEGIN; the file may be damaged: save it again"
    }
  }
}
