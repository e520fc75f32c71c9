package import FlowCalendar
package import FlowModel
package import FlowWork

/// A stored job with its parsed rule, holds and jitter, ready to be scheduled.
package struct PlannedJob: Sendable {
  package let record: JobRecord
  /// Nil if the job has no rule and only runs on request.
  package let schedule: Schedule?
  package let policy: MissedRunPolicy
  /// Time zone of the rule; texts about the job show times in it.
  package let zone: Zone
  /// The job's holds, oldest first.
  package internal(set) var holds: [Hold]
  /// Runs begin up to this long after their slots; the delay of a job is the same at every slot.
  package let jitter: Duration
  /// Future slots that have already run, because the clock was ahead; they do not run again.
  package var ranEarly: Set<Timestamp> = []

  /// A copy of `other` with another record.
  init(_ other: PlannedJob, record: JobRecord) {
    self.record = record
    schedule = other.schedule
    policy = other.policy
    zone = other.zone
    holds = other.holds
    jitter = other.jitter
    ranEarly = other.ranEarly
  }
}

/// A stored job whose rule or zone cannot be read, and the reason.
package struct UnplannableJob: Error, CustomStringConvertible {
  package let job: JobRecord
  package let why: String

  package var description: String {
    let owner = job.teamID == nil ? "the server" : "team '\(job.teamName)'"
    return "cannot plan \(job.kind.rawValue) of \(owner): \(why); it stays unplanned until that is corrected"
  }
}

extension PlannedJob {
  /// - Parameter holds: holds of any jobs; those that do not concern this job are left out.
  /// - Throws: `UnplannableJob` if the zone or the calendar expression cannot be read.
  package init(
    _ record: JobRecord, zones: some ZoneSource, holds: [Hold] = [], jitter: Duration = .zero
  ) throws(UnplannableJob) {
    var rules = RuleCache()
    try self.init(record, zones: zones, rules: &rules, holds: holds, jitter: jitter)
  }

  /// Parses the rule of `record`, or takes it from `rules`: jobs with equal expression, zone and policy share one rule.
  ///
  /// - Throws: `UnplannableJob` if the zone or the calendar expression cannot be read.
  package init(
    _ record: JobRecord, zones: some ZoneSource, rules: inout RuleCache, holds: [Hold] = [], jitter: Duration = .zero
  ) throws(UnplannableJob) {
    self.record = record
    self.jitter = min(record.timing.jitter ?? jitter, Limits.longestJitter)
    self.holds = holds.isEmpty ? [] : holds.filter { $0.concerns(record) }
    policy = (record.timing.catchUp ?? record.kind.catchUp).policy(rule: record.rule, deadline: record.deadline)
    do {
      switch record.rule {
      case .never:
        schedule = nil
        zone = .utc
      case .once(let instant):
        schedule = .once(instant)
        zone = try zones.zone(named: record.zone)
      case .calendar(let text):
        zone = try zones.zone(named: record.zone)
        schedule = .calendar(try rules.rule(text, in: zone, record.timing.policy))
      }
    } catch {
      throw UnplannableJob(job: record, why: "\(error)")
    }
  }

  // MARK: Holds

  /// The slots after `cursor`, up to and including `end`, that a skip covers, with the hold that covers each.
  func skippedSlots(after cursor: Timestamp, upTo end: Timestamp) -> [Timestamp: Hold] {
    var skipped: [Timestamp: Hold] = [:]
    guard let schedule else { return skipped }
    for hold in holds {
      guard case .skip(let left) = hold.kind else { continue }
      var position = max(cursor, hold.from.advanced(by: .milliseconds(-1)))
      var rest = min(left, Limits.slotsPerSkip)
      // A slot that a pause covers uses up no skip.
      for _ in 0..<Limits.slotsPerCatchUp where rest > 0 {
        guard let slot = schedule.next(after: position)?.instant, slot <= end else { break }
        position = slot
        if skipped[slot] != nil || pause(over: slot) != nil { continue }
        skipped[slot] = hold
        rest -= 1
      }
    }
    return skipped
  }

  /// The pause that covers `slot`; nil if there is none.
  func pause(over slot: Timestamp) -> Hold? { holds.first { $0.pauses(slot) } }

  /// Lowers the number of remaining skips of the hold by one.
  mutating func useSkip(of id: Int64) {
    guard let index = holds.firstIndex(where: { $0.id == id }), case .skip(let left) = holds[index].kind else { return }
    let hold = holds[index]
    holds[index] = Hold(
      id: hold.id, teamID: hold.teamID, jobID: hold.jobID, kind: .skip(left: max(0, left - 1)), from: hold.from,
      endedAt: hold.endedAt, note: hold.note, setBy: hold.setBy)
  }

  /// The first slot after both `instant` and the job's cursor that no hold covers and that has not run early; nil if none is
  /// found.
  package func nextToRun(after instant: Timestamp) -> Occurrence? {
    guard let schedule else { return nil }
    var position = max(instant, record.cursor)
    guard !holds.isEmpty || !ranEarly.isEmpty else { return schedule.next(after: position) }
    let horizon = position.advanced(by: .hours(24 * Limits.simulatedDays))
    // Skips count from the job's cursor, whatever `instant` is.
    let skipped = skippedSlots(after: record.cursor, upTo: horizon)
    for _ in 0..<Limits.slotsPerCatchUp {
      guard let slot = schedule.next(after: position) else { return nil }
      if ranEarly.contains(slot.instant) {
        position = slot.instant
        continue
      }
      guard let pause = pause(over: slot.instant) else {
        if skipped[slot.instant] == nil { return slot }
        position = slot.instant
        continue
      }
      // A pause without an end covers all later slots.
      guard case .pause(let until?) = pause.kind else { return nil }
      position = max(slot.instant, until.advanced(by: .milliseconds(-1)))
    }
    return nil
  }

  // MARK: Jitter

  /// The jitter of the run at `slot`: how long after `slot` it begins. Constant for a job with evenly spaced slots, different
  /// between jobs, and always less than the distance to the next slot.
  package func jitter(of slot: Timestamp) -> Duration {
    guard jitter > .zero, let schedule else { return .zero }
    var window = jitter.wholeMilliseconds
    if let next = schedule.next(after: slot)?.instant { window = min(window, next.milliseconds - slot.milliseconds) }
    return .milliseconds(Int64(Spread.hash(record.teamID?.number ?? 0, record.id.number) % UInt64(max(1, window))))
  }
}

/// Rules by expression, zone and policy. Teams share few morning times and zones, so ten thousand jobs need only some hundred
/// rules.
package struct RuleCache {
  /// Everything that a rule's slots depend on.
  private struct Key: Hashable {
    let text: String
    let zone: String
    let policy: DaylightPolicy
  }

  private var rules: [Key: CalendarRule] = [:]

  package init() {}

  /// The rule for `text`; parsed once per expression, zone and policy.
  ///
  /// - Parameter zone: always from the same version of the time zone database during the cache's lifetime.
  /// - Throws: an error if the expression cannot be parsed.
  mutating func rule(_ text: String, in zone: Zone, _ policy: DaylightPolicy) throws -> CalendarRule {
    let key = Key(text: text, zone: zone.name, policy: policy)
    if let known = rules[key] { return known }
    let rule = CalendarRule(try CalendarExpression(text), zone: zone, policy: policy)
    rules[key] = rule
    return rule
  }
}

/// The hash that distributes jitter over jobs.
enum Spread {
  /// Mixes two numbers into one that is the same in every process: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
  static func hash(_ first: Int64, _ second: Int64) -> UInt64 {
    var mixed = UInt64(bitPattern: first) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: second)
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
