import FlowCalendar
import FlowModel
import FlowNotices
import FlowWork

extension SchedulerState {
  /// A planned job and the newest slot that was settled for it.
  struct Entry: Sendable {
    var job: PlannedJob
    var cursor: Timestamp
    /// True for catch-up work that was postponed to a later tick in favour of other jobs.
    var isPostponed = false
  }
}

extension SchedulerState.Entry {
  /// Sort key among jobs of one instant, smallest first: by urgency, with large notices after all others.
  func turn(isLarge: Bool) -> Int { (isLarge ? 1_000 : 0) + job.record.kind.severity.syslogPriority }

  /// The first unsettled slot of a job with jitter; nil for jobs without jitter.
  var nextJitteredSlot: Timestamp? { job.jitter > .zero ? job.schedule?.next(after: cursor)?.instant : nil }

  /// Settles the job's slots up to `now`: due slots become claims, all others missed, paused or skipped slots.
  ///
  /// - Parameter appliesJitter: false: due runs begin at once, whatever their jitter.
  /// - Returns: the verdicts and the instant of the next run; nil if the job has no schedule.
  mutating func tick(
    at now: Timestamp, downtimes: DowntimeDetector, appliesJitter: Bool = true
  ) -> (JobTick, next: Timestamp?)? {
    guard let schedule = job.schedule else { return nil }
    let record = job.record
    // Without jitter the planner finds the pending slot itself; the lookup is saved.
    let jitter =
      job.jitter == .zero || !appliesJitter
      ? .zero : schedule.next(after: cursor).map { job.jitter(of: $0.instant) } ?? .zero
    // The planner gets a time that is earlier by the jitter, so that the slot falls due when its run begins.
    let shiftedNow = now.advanced(by: .zero - jitter)
    let hasHolds = !job.holds.isEmpty
    let skipped = hasHolds ? job.skippedSlots(after: cursor, upTo: shiftedNow) : [:]
    let jobCopy = job
    // The next slot is sought after the last nominal one, never after the clock: a timer that fires early or a clock that is
    // set back cannot make a slot run twice.
    let plan = RunPlanner.plan(schedule: schedule, cursor: cursor, now: shiftedNow, policy: job.policy) { slot in
      hasHolds && (skipped[slot] != nil || jobCopy.pause(over: slot) != nil)
    }
    // Consecutive missed slots usually share one downtime, so its sentence is built once.
    var lastSentence: (downtime: Downtime, text: String)?
    let passed =
      plan.missedSlots.map { slot in
        let downtime = downtimes.covering(slot.occurrence.instant)
        if let downtime, lastSentence?.downtime != downtime {
          lastSentence = (downtime, downtime.sentence { jobCopy.zone.dateText(at: $0) })
        }
        return missed(slot, now: now, downtime: downtime == nil ? nil : lastSentence?.text)
      }
      + plan.held.compactMap { held($0, skipped: skipped) }
    let claims = plan.due.map { slot in
      ClaimRequest(
        job: record, slot: slot.instant, cause: .schedule, asOf: slot.instant, jitter: jitter,
        note: slot.note(in: job.zone))
    }
    let skippedRange = plan.olderMissedSlots.map { skippedRange in
      SkippedSlotRange(
        jobID: record.id, generation: record.generation, first: skippedRange.first, last: skippedRange.last,
        reason: MissedReason.tooOld.code,
        detail: "the scheduler did not run in all this time: "
          + "only the newest \(Limits.slotsPerCatchUp) slots are listed one by one")
    }
    // Each list is sorted, so its last slot is the newest.
    for newest in [plan.missedSlots.last?.occurrence, plan.held.last, plan.due.last] {
      if let newest { cursor = max(cursor, newest.instant) }
    }
    for slot in plan.held { if let hold = skipped[slot.instant] { job.useSkip(of: hold.id) } }
    let next = plan.next.map { $0.instant.advanced(by: job.jitter(of: $0.instant)) }
    return (
      JobTick(
        job: record, cursor: cursor, claims: claims,
        passed: passed.count > 1 ? passed.sorted { $0.slot < $1.slot } : passed, skippedRange: skippedRange),
      next
    )
  }

  /// The verdict of a slot missed by downtime.
  private func missed(_ slot: MissedSlot, now: Timestamp, downtime: String?) -> SkippedSlot {
    let instant = slot.occurrence.instant
    var detail = slot.reason.sentence(foundAfter: now.since(instant), downtime: downtime)
    if let note = slot.occurrence.note(in: job.zone) { detail += "; " + note }
    return SkippedSlot(
      jobID: job.record.id, generation: job.record.generation, slot: instant, reason: slot.reason.code, detail: detail)
  }

  /// The verdict of a slot that a pause or skip covers.
  private func held(_ slot: Occurrence, skipped: [Timestamp: Hold]) -> SkippedSlot? {
    guard let hold = job.pause(over: slot.instant) ?? skipped[slot.instant] else { return nil }
    let isPause = skipped[slot.instant] == nil
    return SkippedSlot(
      jobID: job.record.id, generation: job.record.generation, slot: slot.instant,
      outcome: isPause ? .paused : .skipped, reason: isPause ? "paused" : "skipped-by-hand", detail: hold.sentence,
      holdID: hold.id)
  }
}

extension MissedReason {
  /// The reason code stored in the ledger.
  var code: String {
    switch self {
    case .superseded: "superseded"
    case .tooOld: "too-late"
    case .beyondLimit: "beyond-limit"
    case .notCaughtUp: "not-caught-up"
    }
  }

  /// The explanation of a missed slot, shown to people.
  func sentence(foundAfter age: Duration, downtime: String?) -> String {
    let passed = downtime ?? "the scheduler did not run at this time"
    return switch self {
    case .superseded: "\(passed); a newer slot of the same job ran instead"
    case .tooOld: "\(passed); the slot was found \(age.inWords) late, after it had expired"
    case .beyondLimit: "\(passed), and newer slots of the same job were caught up first"
    case .notCaughtUp: "\(passed); this job does not run missed slots"
    }
  }
}
