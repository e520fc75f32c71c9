import PoolModel

/// The events of a file, each in its newest version, together with the events that change single days of it.
///
/// A file can contain an event several times: with a higher SEQUENCE, as a changed occurrence with RECURRENCE-ID, or in a
/// calendar that cancels it (RFC 5545, 3.8.7.4 and 3.8.4.4; RFC 5546, 2.1.5).
struct ICalendarVersions {
  private let events: [ICalendarEvent]
  /// Index in `events` of each event's newest version, by UID.
  private var newest: [String: Int] = [:]
  /// Events that change single days, by the UID of the event they change, in file order.
  private var changes: [String: [ICalendarEvent]] = [:]
  private(set) var entries: [ICalendarDays.Entry] = []
  private(set) var warnings: [ICalendarWarning] = []

  /// - Throws: `ICalendarError.tooManyEntries`; an unusable event only produces a warning in `warnings`.
  init(_ events: [ICalendarEvent], in zone: Zone) throws(ICalendarError) {
    self.events = events
    findNewest()
    findChanges()
    var seen: Set<ICalendarDays.Entry> = []
    for (index, event) in events.enumerated() where event.recurrence == nil {
      do throws(ICalendarEvent.Refusal) {
        let found = try days(of: event, index, in: zone)
        // A file that merges several calendars can contain the same event twice.
        entries += event.uid.isEmpty ? found : found.filter { seen.insert($0).inserted }
      } catch { warnings.append(ICalendarWarning(event, error)) }
      guard entries.count <= Limits.calendarFileEntries else { throw .tooManyEntries(line: event.lastLine) }
    }
    warnings.sort { $0.line < $1.line }
  }

  /// The days off of one event.
  /// - Throws: `Refusal` if the event is outdated, cancelled, a reply to an invitation, or not representable.
  private mutating func days(
    of event: ICalendarEvent, _ index: Int, in zone: Zone
  ) throws(ICalendarEvent.Refusal) -> [ICalendarDays.Entry] {
    if event.isReply {
      throw .init(line: event.line, why: "answers an invitation (METHOD:\(event.method)), which is not a day off")
    }
    let winner = newest[event.uid]
    if let winner, events[winner].isNewer(than: event) {
      throw .init(line: event.line, why: "is an older version of the event in line \(events[winner].line)")
    }
    guard !event.isCancelled else {
      throw .init(
        line: event.line,
        why:
          "is cancelled; if its days were added before, `pfctl closed list` shows them and `pfctl closed remove` takes "
          + "them back")
    }
    let series = try ICalendarSeries(event, changes: winner == index ? changes[event.uid] ?? [] : [], in: zone)
    warnings += series.warnings
    return try series.entries()
  }

  private mutating func findNewest() {
    for (index, event) in events.enumerated() where event.recurrence == nil && !event.uid.isEmpty && !event.isReply {
      if let known = newest[event.uid], !event.isNewer(than: events[known]) { continue }
      newest[event.uid] = index
    }
  }

  /// Collects the newest version of each changed day; if versions are equal, the last one in the file.
  private mutating func findChanges() {
    var changeIndexes: [String: Int] = [:]
    for event in events {
      guard let recurrence = event.recurrence, !event.isReply else { continue }
      guard newest[event.uid] != nil else {
        let why = "changes one day of a repeated event; the event is unchanged"
        warnings.append(ICalendarWarning(event, .init(line: recurrence.number, why: why)))
        continue
      }
      let key = "\(event.uid)\n\(recurrence.trimmed)"
      guard let changeIndex = changeIndexes[key], let other = changes[event.uid]?[changeIndex] else {
        changeIndexes[key] = changes[event.uid]?.count ?? 0
        changes[event.uid, default: []].append(event)
        continue
      }
      let (older, newer) = other.isNewer(than: event) ? (event, other) : (other, event)
      changes[event.uid]?[changeIndex] = newer
      let why = "is an older version of the change in line \(newer.line)"
      warnings.append(ICalendarWarning(older, .init(line: older.line, why: why)))
    }
  }
}
