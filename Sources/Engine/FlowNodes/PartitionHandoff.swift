import FlowControl
package import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
package import FlowScheduler
package import FlowServices
import FlowSettings
package import FlowStore
package import FlowWork

/// Acquires partitions and hands them off, one change at a time. Jobs of an acquired partition run here at once; before a
/// hand-off, claimed runs are settled and batches of notices are delivered.
package actor PartitionHandoff {
  /// This node.
  private let node: ClusterMember
  private let store: any ClockLog & ClusterPartitions
  private let scheduler: Scheduler
  private let dispatcher: Dispatcher
  private let work: ServerWork
  private let changes: SiteChanges
  private let settings: EffectiveSettings
  private var pins = PartitionPins()
  /// True while the rules of the server's jobs are still to be written from the current settings.
  private var isPlanPending = false
  private var turn = Turn()

  /// Whether a change of partitions is under way, and the changes that wait for its end.
  private struct Turn {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  package init(
    of node: ClusterMember, store: any ClockLog & ClusterPartitions, scheduler: Scheduler, dispatcher: Dispatcher,
    work: ServerWork, changes: SiteChanges, settings: EffectiveSettings
  ) {
    self.node = node
    self.store = store
    self.scheduler = scheduler
    self.dispatcher = dispatcher
    self.work = work
    self.changes = changes
    self.settings = settings
  }

  /// Runs `body` after every other change of partitions has ended: an `await` inside would let another one in halfway.
  private func exclusively<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    while turn.isTaken { await withCheckedContinuation { turn.waiting.append($0) } }
    turn.isTaken = true
    defer {
      let next = turn.waiting
      turn = Turn()
      for waiter in next { waiter.resume() }
    }
    return try await body()
  }

  /// Partitions to keep: a running call needs them, or a call needed them within the last `Limits.partitionStickyTime`.
  var stickyPartitions: PartitionSet {
    pins.sticky(at: MachineUptime.now())
  }

  // MARK: Acquiring and releasing partitions

  /// Acquires those of `wanted` that are free, before any job is planned at start-up. Of many teams only the first
  /// `Limits.teamsPlannedBeforeReady`; `serve` acquires the rest.
  func begin(with wanted: PartitionSet) async throws {
    try await exclusively {
      let (acquired, lost) = try await store.take(store.first(of: wanted, teams: Limits.teamsPlannedBeforeReady))
      if acquired.contains(0) { await planServerJobs() }
      await notify(acquired, lost)
    }
  }

  /// Acquires those of `wanted` that are free, `Limits.teamsPlannedAtOnce` teams at a time.
  ///
  /// - Returns: true if partitions are left to acquire and no call is waiting: the caller then runs the next tick at once,
  ///   before another node acquires them.
  func take(_ wanted: PartitionSet) async throws -> Bool {
    try await exclusively {
      let portion = try await store.first(of: wanted, teams: Limits.teamsPlannedAtOnce)
      try await acquired(portion)
      return portion != wanted && turn.waiting.isEmpty && pins.pinned.isEmpty
    }
  }

  /// Acquires free partitions and plans their jobs.
  private func acquired(_ wanted: PartitionSet) async throws {
    let (acquired, lost) = try await store.take(wanted)
    guard !acquired.isEmpty else { return }
    changes.note(nil)
    if acquired.contains(0) { await planServerJobs() }
    try await scheduler.acquire(acquired)
    // The teams' rules, too, may have been planned by older settings.
    if acquired.contains(0), acquired != store.partitions { try await scheduler.planAll() }
    dispatcher.wake()
    await notify(acquired, lost)
  }

  /// Writes the rules of the server's jobs, and of the teams' jobs where the settings differ from those last planned. Only the
  /// owner of partition 0 does this.
  private func planServerJobs() async {
    isPlanPending = true
    do {
      let settings = await settings.reading.settings
      try await work.plan(by: settings)
      try await work.planTeams(by: settings)
      isPlanPending = false
    } catch {
      work.log.error("\(error); setting the rules of the server's own jobs is tried again in a moment")
    }
  }

  /// True if an earlier failure left work that `retryFailedWork` repeats.
  ///
  /// - Parameter locked: the partitions whose locks this node's session held at the last scan.
  func hasFailedWork(_ locked: PartitionSet) -> Bool {
    isPlanPending && store.servesServer || !(locked - store.partitions).isEmpty
  }

  /// Repeats failed work: resumes partitions that were released but not handed off, and writes missing rules.
  func retryFailedWork() async throws {
    try await exclusively {
      let stranded = try await store.releasedHere()
      if !stranded.isEmpty {
        try await store.acquire(stranded)
        try await scheduler.acquire(stranded)
      }
      guard isPlanPending, store.servesServer else { return }
      await planServerJobs()
      // The teams' rules, too, may have been planned by older settings.
      try await scheduler.planAll()
    }
  }

  /// Logs the acquired partitions, and notifies the operator of each crashed node whose partitions were acquired.
  private func notify(_ acquired: PartitionSet, _ lost: [(epoch: Int64, last: Timestamp)]) async {
    guard !acquired.isEmpty else { return }
    work.log.notice(
      "node '\(node.identity.name)' owns \(store.partitions.count) of \(PartitionSet.count) partitions, \(acquired) are new"
    )
    for crashed in lost {
      do {
        try await work.notices.notify(
          .nodeFollowed(node: node.identity.name, last: crashed.last), now: work.clock.now())
      } catch {
        work.log.error("the operator could not be notified that this node has taken over: \(error)")
      }
    }
  }

  /// Hands off those of `wanted` that no call needs. Claimed runs get `Limits.handoffDrainTime` to end; if one takes longer, the
  /// node keeps the partitions.
  func handOff(_ wanted: PartitionSet) async throws {
    try await exclusively {
      let handedOff = (wanted & store.partitions) - pins.pinned
      guard !handedOff.isEmpty else { return }
      try await store.releasePartitions(handedOff)
      try await scheduler.replan(handedOff)
      let end = ContinuousClock.now + Limits.handoffDrainTime
      while try await store.claimed(of: handedOff) > 0 {
        guard ContinuousClock.now < end else {
          // A long task is still running: the partitions are handed off at a later tick.
          try await store.acquire(handedOff)
          return try await scheduler.acquire(handedOff)
        }
        // If cancelled, the process ends here and its successor recovers the released partitions.
        try await Task.sleep(for: .milliseconds(10))
      }
      await dispatcher.finishBatches()
      try await store.handOff(handedOff)
      pins.forget(handedOff)
      work.log.notice(
        "node '\(node.identity.name)' hands off partitions \(handedOff) and keeps \(store.partitions.count)")
    }
  }

  /// Refreshes caches and plans after another node changed teams that this node may own.
  ///
  /// - Parameter planned: the partitions whose jobs have changed rules.
  func refreshAfterRemoteChanges(planning planned: PartitionSet) async throws {
    try await exclusively {
      try await store.dropCachedFacts()
      changes.note(nil)
      let own = planned & store.partitions
      if !own.isEmpty { try await scheduler.replan(own) }
      dispatcher.wake()
    }
  }

  // MARK: Changes requested by people

  /// Makes this node own `wanted` until `release`; asks the present owners to hand them off.
  ///
  /// - Throws: `ControlError.busy` if an owner does not hand off within `Limits.partitionWait`.
  func hold(_ wanted: PartitionSet) async throws {
    let end = ContinuousClock.now + Limits.partitionWait
    var hasRequested = false
    var signalCount = node.wakeUpSignal.count
    while !(try await pin(wanted)) {
      try Task.checkCancellation()
      let missing = wanted - store.partitions
      guard ContinuousClock.now < end else {
        try await store.requestHandoff(for: .none)
        let owner = missing.partitions.first.flatMap(node.server).map { "node '\($0)'" } ?? "another node"
        throw ControlError(
          .busy,
          "this change needs a partition that \(owner) owns and has not handed off within \(Limits.partitionWait.inWords): "
            + "send the command to that node, or try again in a moment")
      }
      // Repeated each time, because a hand-off request expires soon.
      try await store.requestHandoff(for: missing)
      hasRequested = true
      await node.wakeUpSignal.wait(past: signalCount, atMost: Limits.unownedPartitionWait)
      signalCount = node.wakeUpSignal.count
    }
    if hasRequested {
      pins.acquiredForCall(wanted, at: MachineUptime.now())
      try await store.requestHandoff(for: .none)
    }
  }

  /// Acquires and pins all of `wanted`.
  ///
  /// - Returns: false if another node owns one of them; then none is pinned.
  private func pin(_ wanted: PartitionSet) async throws -> Bool {
    try await exclusively {
      if !store.partitions.isSuperset(of: wanted) { try await acquired(wanted - store.partitions) }
      guard store.partitions.isSuperset(of: wanted) else { return false }
      pins.pin(wanted)
      return true
    }
  }

  /// Pins `wanted` until `release` if this node owns all of them.
  ///
  /// - Returns: false if another node owns one of them; then none is pinned.
  func pinIfOwned(_ wanted: PartitionSet) async -> Bool {
    await exclusively {
      guard store.partitions.isSuperset(of: wanted) else { return false }
      pins.pin(wanted)
      return true
    }
  }

  /// Ends one `hold` or `pinIfOwned` of these partitions.
  func release(_ held: PartitionSet) { pins.unpin(held) }
}
