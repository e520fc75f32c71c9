package import FlowModel

/// A slot that is not run, and the reason.
package struct MissedSlot: Hashable, Sendable {
  package let occurrence: Occurrence
  package let reason: MissedReason
}

/// A job's due, missed and held slots at one moment.
package struct RunPlan: Hashable, Sendable {
  /// Slots to run now, oldest first; none is later than `now`.
  package let due: [Occurrence]
  /// Missed slots with reasons, oldest first: at most the newest `Limits.slotsPerCatchUp`.
  package let missedSlots: [MissedSlot]
  /// Older missed slots that are not listed individually; nil if there are none.
  package let olderMissedSlots: MissedSlotRange?
  /// Slots for which the job is on hold, oldest first: they do not run, and no other slot is coalesced into them.
  package let held: [Occurrence]
  /// First slot after `now`.
  package let next: Occurrence?

  /// The missed slots without reasons.
  package var missed: [Occurrence] { missedSlots.map(\.occurrence) }
}

/// Missed slots too many to list: all slots of a rule from `first` to `last`, both included.
package struct MissedSlotRange: Hashable, Sendable {
  package let first: Timestamp
  package let last: Timestamp
}

/// Decides which slots are due. A pure function: equal arguments give equal plans.
package enum RunPlanner {
  /// Plans every slot in `cursor < slot <= now`.
  ///
  /// Searches backwards from `now` and stops after `Limits.slotsPerCatchUp` slots, so ten years of downtime of a minutely rule
  /// cost no more than a day of it.
  /// - Parameters:
  ///   - cursor: the last slot already settled (exclusive). Never pass the clock here: a timer that fires early would run a
  ///     slot twice.
  ///   - policy: the policy for late slots.
  ///   - isHeld: true for slots for which the job is on hold; the policy does not count these.
  package static func plan(
    schedule: Schedule, cursor: Timestamp, now: Timestamp, policy: MissedRunPolicy,
    isHeld: (Timestamp) -> Bool = { _ in false }
  ) -> RunPlan {
    guard cursor < now, let first = schedule.next(after: cursor), first.instant <= now else {
      return RunPlan(
        due: [], missedSlots: [], olderMissedSlots: nil, held: [], next: schedule.next(after: max(now, cursor)))
    }
    let next = schedule.next(after: now)
    // Fast path: a single slot that is on time needs no backward search.
    if first.instant == now || next.map({ schedule.previous(before: $0.instant) == first }) == true,
      !isHeld(first.instant), missedReason(first.instant, now: now, policy: policy, newer: 0, due: 0) == nil
    {
      return RunPlan(due: [first], missedSlots: [], olderMissedSlots: nil, held: [], next: next)
    }
    var due: [Occurrence] = []
    var missed: [MissedSlot] = []
    var held: [Occurrence] = []
    var older: MissedSlotRange?
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
        older = MissedSlotRange(first: first.instant, last: slot.instant)
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
      due: due.reversed(), missedSlots: missed.reversed(), olderMissedSlots: older, held: held.reversed(), next: next)
  }

  /// - Parameters:
  ///   - newer: number of newer slots already planned.
  ///   - due: number of those that will run.
  /// - Returns: the reason why the slot is missed, or nil if it runs.
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
      newer == 0 && now.since(slot) <= MissedRunPolicy.onTimeTolerance ? nil : .notCaughtUp
    }
  }

  /// The next wake-up time: the earliest slot of any schedule after `now`; nil if no schedule has one.
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
