package import PoolModel

/// A slot that is passed over, and why.
package struct MissedSlot: Hashable, Sendable {
  package let occurrence: Occurrence
  package let reason: MissedReason
}

/// What a job has to do at one moment.
package struct RunPlan: Hashable, Sendable {
  /// To run now, oldest first; every slot is at most `now`.
  package let due: [Occurrence]
  /// Passed over and why, oldest first: the newest `Limits.slotsPerCatchUp` of them.
  package let missedSlots: [MissedSlot]
  /// The older slots that are passed over without being listed one by one.
  package let missedBeyond: MissedStretch?
  /// Passed over because somebody holds the job, oldest first: they neither run nor stand for others.
  package let held: [Occurrence]
  /// The first slot after `now`.
  package let next: Occurrence?

  /// The slots passed over, without the reasons.
  package var missed: [Occurrence] { missedSlots.map(\.occurrence) }
}

/// Missed slots too many to list: all of a rule's slots from `first` up to and including `last`.
package struct MissedStretch: Hashable, Sendable {
  package let first: Timestamp
  package let last: Timestamp
}

/// Decides what is due. Pure: the same arguments give the same plan.
package enum RunPlanner {
  /// Settles every slot after `cursor` and up to `now`.
  ///
  /// Looks from `now` backwards and stops after `Limits.slotsPerCatchUp` slots, so ten years of downtime of a minutely rule
  /// cost no more than a day of it.
  /// - Parameters:
  ///   - cursor: the last slot already settled, exclusive; never "now", or a timer that wakes early runs a slot twice.
  ///   - policy: what becomes of slots that are late.
  ///   - isHeld: whether somebody holds a slot; the policy then knows nothing of it.
  package static func plan(
    schedule: Schedule, cursor: Timestamp, now: Timestamp, policy: MissedRunPolicy,
    isHeld: (Timestamp) -> Bool = { _ in false }
  ) -> RunPlan {
    guard cursor < now, let first = schedule.next(after: cursor), first.instant <= now else {
      return RunPlan(
        due: [], missedSlots: [], missedBeyond: nil, held: [], next: schedule.next(after: max(now, cursor)))
    }
    let next = schedule.next(after: now)
    // The common case, one slot and that at its time, needs no search backwards.
    if first.instant == now || next.map({ schedule.previous(before: $0.instant) == first }) == true,
      !isHeld(first.instant), missedReason(first.instant, now: now, policy: policy, newer: 0, due: 0) == nil
    {
      return RunPlan(due: [first], missedSlots: [], missedBeyond: nil, held: [], next: next)
    }
    var due: [Occurrence] = []
    var missed: [MissedSlot] = []
    var held: [Occurrence] = []
    var beyond: MissedStretch?
    var before = Timestamp(milliseconds: now.milliseconds + 1)
    while let slot = schedule.previous(before: before), slot.instant > cursor {
      let newer = due.count + missed.count
      let isHeld = isHeld(slot.instant)
      let reason = missedReason(slot.instant, now: now, policy: policy, newer: newer, due: due.count)
      if !isHeld, reason == nil {
        due.append(slot)
        before = slot.instant
        continue
      }
      guard held.count + missed.count < Limits.slotsPerCatchUp else {
        beyond = MissedStretch(first: first.instant, last: slot.instant)
        break
      }
      if isHeld {
        held.append(slot)
      } else if let reason {
        missed.append(MissedSlot(occurrence: slot, reason: reason))
      }
      before = slot.instant
    }
    return RunPlan(
      due: due.reversed(), missedSlots: missed.reversed(), missedBeyond: beyond, held: held.reversed(), next: next)
  }

  /// Nil when the slot runs. `newer` slots were settled before it, `due` of them to run.
  private static func missedReason(
    _ slot: Timestamp, now: Timestamp, policy: MissedRunPolicy, newer: Int, due: Int
  ) -> MissedReason? {
    switch policy {
    case .latest(let window):
      now.since(slot) > window ? .tooOld : newer == 0 ? nil : .superseded
    case .latestUntil(let deadline):
      now > deadline ? .tooOld : newer == 0 ? nil : .superseded
    case .all(let limit):
      due < min(limit, Limits.slotsPerCatchUp) ? nil : .beyondLimit
    case .none:
      newer == 0 && now.since(slot) <= MissedRunPolicy.onTime ? nil : .notCaughtUp
    }
  }

  /// The earliest instant after `now` at which any of the schedules comes due: when to wake up.
  package static func nextWakeUp(_ schedules: some Sequence<Schedule>, after now: Timestamp) -> Timestamp? {
    var earliest: Timestamp?
    for schedule in schedules {
      guard let next = schedule.next(after: now)?.instant else { continue }
      if let known = earliest, known <= next { continue }
      earliest = next
    }
    return earliest
  }
}
