import PoolModel

/// The days of a file of holidays (RFC 5545, `.ics`), as calendars of Google, Apple, Outlook and public offices are saved.
///
/// Only whole days are taken, and of repeated events the yearly ones that the calendar language can say exactly, with the
/// days that were moved or cancelled. What is left out is named in a remark with its line, in the file's order.
package struct ICalendarDays: Sendable {
  package struct Entry: Hashable, Sendable {
    package let span: DaySpan
    /// The event's title in one line; empty where it has none.
    package let summary: String
    /// The same in the next edition of the file; empty where the event has none.
    package let uid: String
    /// The calendar says that it is a day to remember and no day off.
    package let isObservance: Bool
  }

  /// In the file's order; one event is several entries where its days lie in several months of every year.
  package let entries: [Entry]
  /// At most `Limits.problemsShown` sentences, and one that counts the others.
  package let remarks: [String]

  /// - Parameter zone: whose clocks say where days begin for events that are written with times.
  /// - Throws: `ICalendarError` for what is no calendar file, is cut off or is too large; one odd event is a remark.
  package init(_ bytes: [UInt8], zone: Zone) throws(ICalendarError) {
    guard bytes.count <= Limits.largestCalendarFile else { throw .tooLarge(bytes: bytes.count) }
    var reader = ICalendarReader()
    for line in try ICalendarLine.all(in: bytes) { try reader.take(line) }
    try reader.finish()
    let versions = try ICalendarVersions(reader.events, in: zone)
    entries = versions.entries
    let remarks = (reader.remarks + versions.remarks).sorted { $0.line < $1.line }.map(\.text)
    let rest = remarks.count - Limits.problemsShown
    self.remarks = Array(remarks.prefix(Limits.problemsShown)) + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

/// Follows the components of a file and collects its events.
private struct ICalendarReader {
  /// The components that have begun and not ended, outermost first.
  private var open: [(name: String, line: Int)] = []
  private var event: ICalendarEvent?
  private var hasCalendar = false
  /// METHOD of the calendar that is open, and the first event of it.
  private var method = ""
  private var firstEvent = 0
  private(set) var events: [ICalendarEvent] = []
  private(set) var remarks: [ICalendarRemark] = []

  mutating func take(_ line: ICalendarLine) throws(ICalendarError) {
    switch line.name {
    case "BEGIN": try begin(Self.component(line), at: line)
    case "END": try end(Self.component(line), at: line)
    default:
      guard hasCalendar else { throw .noCalendar(line: line.number) }
      if open.count == 1, line.name == "METHOD" { method = line.trimmed.uppercased() }
      // Alarms and the like within an event have properties of the same names.
      guard open.count == 2, event != nil else { return }
      if line.name.isEmpty {
        let text = "no property such as SUMMARY:Christmas; the line is left out"
        remarks.append(ICalendarRemark(line: line.number, text: text))
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

  /// METHOD may come behind the events, and a file may hold several calendars.
  private mutating func endCalendar() {
    for index in firstEvent..<events.count { events[index].method = method }
    (method, firstEvent) = ("", events.count)
  }

  func finish() throws(ICalendarError) {
    if let last = open.last { throw .unclosed(last.name, line: last.line) }
    guard hasCalendar else { throw .noCalendar(line: 1) }
  }
}

/// Why a file is no calendar that can be read.
package enum ICalendarError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLarge(bytes: Int)
  case tooManyEntries(line: Int)
  case tooDeep(line: Int)
  case noCalendar(line: Int)
  case notUTF8(line: Int)
  /// A component has no END, because the file is cut off or another END stands in its place.
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
      "line \(line): not UTF-8, or a thousand marks on a letter; save the calendar with that encoding"
    case .unclosed(let name, let line):
      "line \(line): BEGIN:\(TextRule.shown.cut(name)) has no END of its own; the file may be cut off: save it again"
    case .notBegun(let name, let line):
      "line \(line): END:\(TextRule.shown.cut(name)) without its BEGIN; the file may be damaged: save it again"
    }
  }
}
