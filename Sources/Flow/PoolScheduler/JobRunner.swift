package import PoolCalendar
package import PoolModel
package import PoolNotices
package import PoolPlatform
package import PoolWork

/// Takes slots from claim to outcome: claim, have the facts read, decide, settle; then tells delivery.
///
/// Decisions are quick and settled in batches that share their commits. A run behind which labour stands is handed to
/// `labour()`, so that no slow one holds back the others.
package actor JobRunner {
  private let store: any Ledger & Facts
  private let zones: any ZoneSource
  private let clock: any WallClock
  private let sleeper: any Clock<Duration>
  private var routes: [SinkRoute]
  /// Nil where a decision is all the work there is.
  private let labour: @Sendable (ClaimedRun) -> (any Labour)?
  /// Called after every commit, with what it settled: it may have made notices, or runs that wait for another attempt.
  private let committed: @Sendable ([RunSettlement]) -> Void
  /// Waits between two batches of many until those who bring them have had some.
  private let pace: @Sendable () async -> Void
  /// Jobs whose last notice was large.
  private var large: Set<JobID> = []
  /// Claimed by this process but not settled, because the store refused: tried again before anything else.
  private var unsettled: [ClaimedRun] = []
  /// Runs whose last attempt failed, and when each is tried again.
  private var waiting: [RunKey: Timestamp] = [:]
  /// Given to `labour()` and not at their end.
  private var atWork: [RunKey: LabourOrder] = [:]
  private nonisolated let orders: AsyncStream<LabourOrder>
  private nonisolated let ordering: AsyncStream<LabourOrder>.Continuation

  /// - Parameters:
  ///   - sleeper: measures how long labour may take.
  ///   - labour: the heavy work behind a run, if there is any.
  ///   - pace: waited for between two batches; it returns soon whatever ails whoever it waits for.
  package init(
    store: any Ledger & Facts, zones: any ZoneSource, clock: any WallClock, routes: [SinkRoute],
    sleeper: any Clock<Duration> = ContinuousClock(),
    labour: @escaping @Sendable (ClaimedRun) -> (any Labour)? = { _ in nil },
    pace: @escaping @Sendable () async -> Void = {},
    committed: @escaping @Sendable ([RunSettlement]) -> Void
  ) {
    self.store = store
    self.zones = zones
    self.clock = clock
    self.routes = routes
    self.sleeper = sleeper
    self.labour = labour
    self.pace = pace
    self.committed = committed
    // Bounded by the jobs: one run of each at a time.
    (orders, ordering) = AsyncStream.makeStream()
  }

  /// What is settled from now on goes to the sinks that take it by these.
  package func use(routes: [SinkRoute]) {
    self.routes = routes
  }

  /// When the next failed run is tried again.
  package var nextRetry: Timestamp? { waiting.values.min() }

  // MARK: Runs

  /// Runs every slot that the store grants, in batches that share their commits; those of which the last notice was large
  /// after all others, so that nobody waits for them.
  ///
  /// - Throws: the ledger's error; what was claimed stays ours and is settled at the next call. `CancellationError` where the
  ///   task is to stop; what was claimed is settled then, and nothing else is begun.
  package func run(_ looks: [JobLook]) async throws {
    try await settlePending(
      beforeClaiming: Self.batches(looks.filter { !large.contains($0.jobID) })
        + Self.batches(looks.filter { large.contains($0.jobID) }))
  }

  /// Whole jobs only: a job's verdicts and its claims are one commit. The first batches are small, so that what comes of them
  /// is on its way while the others are decided.
  private static func batches(_ looks: [JobLook]) -> [[JobLook]] {
    var batches: [[JobLook]] = []
    var (weight, room) = (0, Limits.runsOfFirstBatch)
    for look in looks {
      weight += look.weight
      if let batch = batches.last, batch.count < room, weight <= Limits.verdictsPerCommit {
        batches[batches.count - 1].append(look)
      } else {
        if !batches.isEmpty { room = min(4 * room, Limits.runsPerBatch) }
        batches.append([look])
        weight = look.weight
      }
    }
    return batches
  }

  /// Tries what failed before and whose wait is over.
  package func retryDue() async throws {
    let now = clock.now()
    let due = waiting.filter { $0.value <= now }.map(\.key).prefix(Limits.runsPerBatch)
    guard !due.isEmpty else { return }
    unsettled += try await store.retry(Array(due), now: now)
    // One that was not granted was cancelled or swept away.
    for key in due { waiting[key] = nil }
    try await settlePending()
  }

  /// Runs a job because a person asked; its schedule does not move.
  ///
  /// - Parameter asOf: the instant whose local date the work is about.
  /// - Returns: the slot under which the ledger has the run. Rules name whole seconds, so a manual run takes an instant
  ///   between two seconds and can never stand in a rule's place.
  package func runNow(_ job: JobRecord, asOf: Timestamp) async throws -> Timestamp {
    try await settlePending()
    let now = clock.now()
    var slot = now.millisecondOfSecond == 0 ? now.advanced(by: .milliseconds(1)) : now
    for _ in 0..<Limits.manualRunsPerSecond {
      let request = ClaimRequest(job: job, slot: slot, cause: .manual, asOf: asOf)
      let claimed = try await store.claim([request], now: now)
      unsettled += claimed
      try await settlePending()
      if !claimed.isEmpty { return slot }
      // Somebody asked within the same millisecond, or the rule changed while we looked; both are rare.
      slot = slot.advanced(by: .milliseconds(slot.millisecondOfSecond == 999 ? 2 : 1))
    }
    return slot
  }

  /// Reads again what waits for another attempt, after the store has changed when.
  package func readWaiting() async throws { waiting = try await store.waitingRuns() }

  /// Takes up what an earlier process left half done. Call once, before anything is planned.
  package func rescueOrphans(crashed: Bool) async throws -> Int {
    waiting = try await store.waitingRuns()
    let orphans = try await store.reclaimOrphans(now: clock.now(), crashed: crashed)
    unsettled += orphans
    try await settlePending()
    return orphans.count
  }

  /// Ends a run that is under way or waits for another attempt.
  ///
  /// - Returns: false where it had its end already. Labour under way notices at its next row.
  package func cancel(_ key: RunKey, by caller: String) async throws -> Bool {
    if let order = atWork[key] {
      order.stop.stop(by: caller)
      return true
    }
    let cancelled = try await store.cancelWaiting(key, detail: Self.cancelled(by: caller), now: clock.now())
    if cancelled {
      waiting[key] = nil
      committed([])
    }
    return cancelled
  }

  private static func cancelled(by caller: String) -> String { "cancelled by \(caller)" }

  // MARK: Labour

  /// Performs the labour behind runs, so many at once, until its task is cancelled.
  package func labourOn() async {
    let orders = orders
    await withTaskGroup(of: Void.self) { group in
      var busy = 0
      for await order in orders {
        if busy == Limits.laboursAtOnce {
          await group.next()
          busy -= 1
        }
        group.addTask { await self.perform(order) }
        busy += 1
      }
      group.cancelAll()
    }
  }

  private func perform(_ order: LabourOrder) async {
    let run = order.run
    let ending = await order.perform(timeout: run.kind.attemptRules.timeout, clock: sleeper)
    let now = clock.now()
    let settlement: RunSettlement
    switch ending {
    case .finished(let outcome): settlement = RunSettlement(run: run, outcome: outcome, finishedAt: now)
    case .failed(let why): settlement = failure(of: run, reason: "failed", why, at: now)
    case .timedOut:
      let time = run.kind.attemptRules.timeout.inWords
      settlement = failure(of: run, reason: "timed-out", "it took longer than \(time) and was cancelled", at: now)
    case .cancelled(let caller):
      settlement = RunSettlement(
        run: run, outcome: Outcome(result: .skipped, reason: "cancelled", detail: Self.cancelled(by: caller)),
        finishedAt: now)
    case .abandoned: return
    }
    atWork[run.key] = nil
    do {
      try await settle([settlement])
    } catch {
      // The ledger has it as running: it is taken up again before anything else, or by the next process.
      unsettled.append(run)
    }
  }

  // MARK: Outcomes

  private var desk: DecisionDesk { DecisionDesk(store: store, zones: zones, clock: clock) }

  /// Settles everything that is claimed, then claims and settles batch after batch: while one is settled, the next is claimed
  /// and decided. Two calls may overlap at an `await`: a run settles once, by the ledger's state.
  private func settlePending(beforeClaiming batches: [[JobLook]] = []) async throws {
    var rest = batches[...]
    var ready: PreparedRuns?
    var again = 0
    while !unsettled.isEmpty || !rest.isEmpty {
      // Who is to stop settles what is claimed, and leaves the rest to whoever looks next.
      if unsettled.isEmpty { try Task.checkCancellation() }
      let batch: PreparedRuns
      if let ready {
        batch = ready
      } else {
        batch = await PreparedRuns(Array(unsettled.prefix(Limits.runsPerBatch)), by: desk)
      }
      let decided = try batch.decided.get()
      let now = clock.now()
      // What waits from before goes first: no more is claimed than is settled.
      let looks = unsettled.count <= batch.runs.count && !Task.isCancelled ? rest.popFirst() : nil
      async let next = PreparedRuns.claiming(looks, by: desk, now: now)
      let settlements = zip(batch.runs, decided).compactMap { attempt($0, $1, now: now) }
      let outdated: Set<RunKey>
      do {
        outdated = try await settle(settlements, evenIfChanged: again == Limits.decisionsAgain)
      } catch {
        // Claimed is claimed, whatever became of the batch before; the first failure is the one to tell.
        unsettled += (try? await next)?.runs ?? []
        throw error
      }
      // What was decided of facts that have changed meanwhile stays ours, and is decided again.
      again = outdated.isEmpty ? 0 : again + 1
      let taken = Set(batch.runs.filter { !outdated.contains($0.key) })
      unsettled.removeAll { taken.contains($0) }
      let prepared = try await next
      unsettled += prepared.runs
      ready = prepared.runs.isEmpty ? nil : prepared
      if !rest.isEmpty { await pace() }
    }
  }

  @discardableResult
  private func settle(_ settlements: [RunSettlement], evenIfChanged: Bool = false) async throws -> Set<RunKey> {
    guard !settlements.isEmpty else { return [] }
    let outdated = try await store.settle(settlements, routes: routes, evenIfChanged: evenIfChanged)
    let settled = settlements.filter { !outdated.contains($0.run.key) }
    for settlement in settled { waiting[settlement.run.key] = settlement.nextTryAt }
    committed(settled)
    return outdated
  }

  /// One attempt; nil where it is labour's now.
  private func attempt(_ run: ClaimedRun, _ decided: PreparedRuns.Decided, now: Timestamp) -> RunSettlement? {
    func settled(_ outcome: Outcome) -> RunSettlement { RunSettlement(run: run, outcome: outcome, finishedAt: now) }
    switch decided {
    case .failed(let reason, let detail) where reason == TroubledWork.unreadableRecord:
      return failure(of: run, reason: reason, detail, at: now)
    case .nothing where run.teamID != nil:
      return settled(Outcome(result: .skipped, reason: "team-gone", detail: "the team was removed"))
    case .failed, .nothing, .outcome: break
    }
    if run.attempts > 1, run.cause == .schedule, run.isTooLate(now: now) {
      return settled(
        Outcome(result: .missed, reason: "too-late", detail: "it failed until it was of no use any more"))
    }
    if let labour = labour(run) {
      // An overlapping call may have found it first.
      guard atWork[run.key] == nil else { return nil }
      let order = LabourOrder(run: run, labour: labour)
      atWork[run.key] = order
      ordering.yield(order)
      return nil
    }
    switch decided {
    case .outcome(let outcome):
      if let size = outcome.notice?.dataJSON.utf8.count {
        if size > Limits.largeNoticeBytes { large.insert(run.jobID) } else { large.remove(run.jobID) }
      }
      return settled(outcome)
    case .failed(let reason, let detail): return failure(of: run, reason: reason, detail, at: now)
    case .nothing: return failure(of: run, reason: "no-labour", "nobody here performs \(run.kind.rawValue)", at: now)
    }
  }

  /// What becomes of an attempt that failed: another one later, or the end.
  private func failure(of run: ClaimedRun, reason: String, _ detail: String, at now: Timestamp) -> RunSettlement {
    let next = run.kind.attemptRules.nextTry(after: run.attempts, failedAt: now)
    return RunSettlement(
      run: run, outcome: Outcome(result: next == nil ? .failed : .waiting, reason: reason, detail: detail),
      finishedAt: now, nextTryAt: next)
  }
}
