import PoolModel

/// One event with the versions that change some of its days (RFC 5545, 3.8.4.4), converted to days off.
struct ICalendarSeries {
  typealias Refusal = ICalendarEvent.Refusal

  private let event: ICalendarEvent
  private let zone: Zone
  private let days: ICalendarEvent.Days
  private let rule: ICalendarRule?
  /// First days of all occurrences, ignoring the end of the rule.
  private let starts: DaySpan

  /// First days of occurrences that are cancelled, moved or renamed.
  private var exceptions: [CivilDate] = []
  /// First day from which the event has no more occurrences; nil if it is not cut off.
  private var end: CivilDate?
  private var moved: [ICalendarDays.Entry] = []
  /// Warnings about changes that could not be applied.
  private(set) var warnings: [ICalendarWarning] = []

  /// - Parameter changes: the newest version of each changed day.
  /// - Throws: `Refusal` if the event cannot be represented exactly.
  init(_ event: ICalendarEvent, changes: [ICalendarEvent], in zone: Zone) throws(Refusal) {
    self.event = event
    self.zone = zone
    days = try event.days(in: zone)
    for name in ["RDATE", "EXRULE"] {
      guard let line = event.first(name) else { continue }
      throw Refusal(line: line.number, why: "has \(name), which is not supported; write the days one by one")
    }
    if let line = event.first("RRULE") {
      if let second = event.all("RRULE").dropFirst().first {
        throw Refusal(line: second.number, why: "has two rules (RRULE); write two events")
      }
      guard !days.isInstant else {
        throw Refusal(line: line.number, why: "repeats at times in UTC; only whole days can be days off")
      }
      let rule = try ICalendarRule(line, start: days.first)
      starts = try rule.starts(length: days.length)
      self.rule = rule
    } else {
      starts = try ICalendarEvent.range(days.first, 1, line: event.first("DTSTART")?.number ?? event.line)
      rule = nil
    }
    try excludeExceptions()
    for change in changes { apply(change) }
  }

  /// The days off: regular ones in the order of their months, then moved ones.
  func entries() throws(Refusal) -> [ICalendarDays.Entry] {
    let spans: [DaySpan]
    if let rule {
      spans = try rule.spans(
        starts, length: days.length, exceptions: exceptions, before: end, zone: event.untilZone(in: zone))
    } else if exceptions.contains(days.first) || end.map({ $0 <= days.first }) ?? false {
      spans = []
    } else {
      spans = [try event.range(days)]
    }
    return spans.map(event.entry) + moved
  }

  // MARK: Changes

  /// EXDATE: adds excluded days to `exceptions`.
  private mutating func excludeExceptions() throws(Refusal) {
    for line in event.all("EXDATE") {
      for value in line.value.split(separator: ",") {
        let moment = try ICalendarEvent.moment(String(value), in: line)
        if let date = start(at: moment) {
          exceptions.append(date)
        } else {
          warn(line, event, "leaves out \(moment.date(in: zone)), which is not one of its days")
        }
      }
    }
  }

  /// Applies a changed occurrence, or adds a warning if that is not possible.
  private mutating func apply(_ change: ICalendarEvent) {
    guard let line = change.recurrence else { return }
    do throws(Refusal) {
      let moment = try ICalendarEvent.moment(line.value, in: line)
      guard let date = start(at: moment) else {
        throw Refusal(
          line: line.number,
          why: "changes \(moment.date(in: zone)), which is not a day of its event; the event is unchanged")
      }
      switch line.parameters["RANGE"]?.uppercased() {
      case nil: try apply(change, to: date)
      case "THISANDFUTURE": try applyToAll(change, from: date, line)
      case let range?:
        throw Refusal(
          line: line.number,
          why:
            "changes several days (RANGE=\(TextRule.shown.truncated(withoutControls(range)))), which is not supported; "
            + "its event is unchanged")
      }
    } catch { warnings.append(ICalendarWarning(change, error)) }
  }

  /// Cancels, moves or renames one occurrence.
  private mutating func apply(_ change: ICalendarEvent, to date: CivilDate) throws(Refusal) {
    if change.isCancelled {
      exceptions.append(date)
      return
    }
    if isSame(try? change.days(in: zone), from: date), change.summary == event.summary { return }
    // The old day is removed even if the new one cannot be parsed.
    exceptions.append(date)
    moved.append(change.entry(try change.range(try change.days(in: zone))))
  }

  /// Applies RANGE=THISANDFUTURE: ends the event before `date` if its later days are cancelled or changed.
  private mutating func applyToAll(_ change: ICalendarEvent, from date: CivilDate, _ line: ICalendarLine)
    throws(Refusal)
  {
    if !change.isCancelled, change.first("RRULE") == nil, isSame(try? change.days(in: zone), from: date) { return }
    end = min(end ?? date, date)
    guard !change.isCancelled else { return }
    throw Refusal(
      line: line.number,
      why: "changes all days from \(date) on (RANGE=THISANDFUTURE): its event ends before them; write an event for them"
    )
  }

  /// True if the changed days are those of the unchanged occurrence on `date`.
  private func isSame(_ changed: ICalendarEvent.Days?, from date: CivilDate) -> Bool {
    changed.map { $0.first == date && $0.length == days.length } ?? false
  }

  private mutating func warn(_ line: ICalendarLine, _ event: ICalendarEvent, _ why: String) {
    warnings.append(ICalendarWarning(event, Refusal(line: line.number, why: why)))
  }

  // MARK: Finding the changed day

  /// The first day of the occurrence that `moment` names; nil if it names none or is ambiguous.
  ///
  /// Exchange and iCloud write exceptions of whole-day events as instants: midnight in the team's zone or another zone, or
  /// midnight UTC of the date.
  private func start(at moment: ICalendarMoment) -> CivilDate? {
    switch moment {
    case .day(let date): return starts.contains(date) ? date : nil
    case .local(let local): return starts.contains(local.date) ? local.date : nil
    case .instant(let instant):
      let inUTC = Zone.utc.local(at: instant)
      let likely = [moment.startOfDay(in: zone), inUTC.time == .midnight ? inUTC.date : nil].compactMap(\.self)
      if let date = likely.first(where: starts.contains) { return date }
      let possible = (-1...1).map { inUTC.date.adding(days: $0) }.filter { date in
        let offset = instant.seconds - Int64(date.daysSince1970) * 86_400
        return Self.midnights.contains(offset) && starts.contains(date)
      }
      return possible.count == 1 ? possible.first : nil
    }
  }

  /// Start of a date around the world (UTC+14 to UTC-12), in seconds relative to its midnight in UTC.
  private static let midnights: ClosedRange<Int64> = -14 * 3_600...12 * 3_600
}

/// A warning about a part of the file that was left out, with its line number.
struct ICalendarWarning {
  let line: Int
  let text: String

  init(line: Int, text: String) {
    self.line = line
    self.text = "line \(line): \(text)"
  }

  init(_ event: ICalendarEvent, _ refusal: ICalendarEvent.Refusal) {
    self.init(line: refusal.line, text: "\(event.title) \(refusal.why)")
  }
}
