package import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowPlatform
package import FlowWork

/// Takes claimed slots to their outcome: claim, read the facts, decide, settle, then notify the delivery.
///
/// Decisions are fast and settled in batches, one commit per batch. A run that needs slow work is queued for `performBackgroundTasks()` as a
/// background task, so that it does not hold up other runs. The initialiser takes its parts one by one, because a test replaces
/// each of them alone.
package actor JobRunner {
  private let store: any Ledger & Facts
  private let zones: any ZoneSource
  let clock: any WallClock
  private let sleeper: any Clock<Duration>
  private var routes: [SinkRoute]
  /// The background task that performs a run; nil if deciding is all the work the run needs.
  private let backgroundTask: @Sendable (ClaimedRun) -> (any BackgroundTask)?
  /// Called after every commit with the settlements in it; they may have added notices, or runs that wait for a retry.
  private let committed: @Sendable ([RunSettlement]) -> Void
  /// The notices whose pages are to be rendered; nil if no sink renders any.
  private let backlog: (any PageBacklog)?
  /// Jobs whose last notice was larger than `Limits.largeNoticeBytes`.
  package private(set) var largeNoticeJobs: Set<JobID> = []
  /// Runs that are claimed or wait for a retry.
  private var unsettled = UnsettledRuns()
  /// The decisions made before their slot.
  var prefetch: SlotPrefetch
  /// Background tasks that are queued or running.
  private var tasks = BackgroundQueue()

  /// - Parameters:
  ///   - sleeper: clock that measures the time limit of background tasks.
  ///   - backgroundTask: the background task that performs a run; nil if there is none.
  ///   - backlog: waited for between two batches; nil: deciding never waits.
  ///   - prefetchStore: creates the store for prefetched outcomes, one for each slot; nil: only as many runs are prefetched as are
  ///     kept in memory.
  ///   - committed: called after every commit with the settlements in it.
  package init(
    store: any Ledger & Facts, zones: any ZoneSource, clock: any WallClock, routes: [SinkRoute],
    sleeper: any Clock<Duration> = ContinuousClock(),
    backgroundTask: @escaping @Sendable (ClaimedRun) -> (any BackgroundTask)? = { _ in nil },
    backlog: (any PageBacklog)? = nil,
    prefetchStore: @escaping @Sendable () -> (any PrefetchStore)? = { nil },
    committed: @escaping @Sendable ([RunSettlement]) -> Void
  ) {
    self.store = store
    self.zones = zones
    self.clock = clock
    self.routes = routes
    self.sleeper = sleeper
    self.backgroundTask = backgroundTask
    self.backlog = backlog
    self.committed = committed
    prefetch = SlotPrefetch(makeStore: prefetchStore)
  }

  /// Sets the routes for runs that are settled from now on.
  package func use(routes: [SinkRoute]) {
    self.routes = routes
  }

  /// The instant of the earliest retry; nil if no run waits for one.
  package var nextRetry: Timestamp? { unsettled.waiting.values.min() }

  // MARK: Runs

  /// Claims, decides and settles the due slots in batches, one commit per batch. Jobs whose last notice was large run last, so
  /// that small notices do not wait for them.
  ///
  /// - Throws: the ledger's error: claimed runs are kept and settled by the next call. `CancellationError` if the task is
  ///   cancelled: claimed runs are settled and no more are claimed.
  package func run(_ ticks: [JobTick]) async throws {
    try await settlePending(
      beforeClaiming: Self.batches(ticks.filter { !largeNoticeJobs.contains($0.jobID) })
        + Self.batches(ticks.filter { largeNoticeJobs.contains($0.jobID) }))
  }

  /// Runs the due slots of one team, or of the server if `team` is nil. Returns when they are settled, without waiting for
  /// runs of other teams.
  package func run(_ ticks: [JobTick], of team: TeamID?) async throws {
    try await settlePending(beforeClaiming: Self.batches(ticks)) { $0.teamID == team }
  }

  /// Drops what is remembered of jobs for which `isPlanned` is false.
  package func keep(where isPlanned: @Sendable (JobID) -> Bool) { largeNoticeJobs = largeNoticeJobs.filter(isPlanned) }

  /// Splits the ticks into batches. A job is never split: its verdicts and claims share one commit. The first batches are
  /// small, so that their notices are sent while later batches are decided.
  private static func batches(_ ticks: [JobTick]) -> [[JobTick]] {
    var batches: [[JobTick]] = []
    var (rowCount, batchSize) = (0, Limits.firstBatchRuns)
    for tick in ticks {
      rowCount += tick.rowCount
      if let batch = batches.last, batch.count < batchSize, rowCount <= Limits.verdictsPerCommit {
        batches[batches.count - 1].append(tick)
      } else {
        if !batches.isEmpty { batchSize = min(4 * batchSize, Limits.runsPerBatch) }
        batches.append([tick])
        rowCount = tick.rowCount
      }
    }
    return batches
  }

  /// Settles runs left over from a failed call, then retries failed runs whose wait is over.
  package func retryDue() async throws {
    // Prefetched decisions that were not claimed in time are outdated.
    if let pending = prefetch.pending, clock.now().since(pending.slot) > Limits.prefetchExpiry { discardPrefetched() }
    // Left-over runs are settled now, even if no slot is due.
    if unsettled.mayHaveUnknownClaims || !unsettled.claims.isEmpty { try await settlePending() }
    let now = clock.now()
    let due = unsettled.waiting.filter { $0.value <= now }.map(\.key).prefix(Limits.runsPerBatch)
    guard !due.isEmpty else { return }
    unsettled.claims += try await recordingTransientErrors { try await store.retry(Array(due), now: now) }
    // A run that the store did not return was cancelled or deleted.
    for key in due { unsettled.waiting[key] = nil }
    try await settlePending()
  }

  /// Runs a job on a person's request; its schedule does not change.
  ///
  /// - Parameter asOf: the instant whose local date the run is about.
  /// - Returns: the slot of the run in the ledger. It has a fraction of a second, so that it never equals a slot of a rule:
  ///   rules name whole seconds.
  package func runNow(_ job: JobRecord, asOf: Timestamp) async throws -> Timestamp {
    try await settlePending()
    let now = clock.now()
    var slot = now.millisecondOfSecond == 0 ? now.advanced(by: .milliseconds(1)) : now
    for _ in 0..<Limits.manualRunInstantsTried {
      let request = ClaimRequest(job: job, slot: slot, cause: .manual, asOf: asOf)
      let runs = try await recordingTransientErrors { try await store.claim([request], now: now) }
      unsettled.claims += runs
      try await settlePending()
      if !runs.isEmpty { return slot }
      // Another request took the same millisecond, or the rule changed in the meantime; both are rare.
      slot = slot.advanced(by: .milliseconds(slot.millisecondOfSecond == 999 ? 2 : 1))
    }
    return slot
  }

  /// Reads the waiting retries again, after the store has changed their times.
  package func reloadRetries() async throws { unsettled.waiting = try await store.waitingRuns() }

  /// Settles runs that an earlier process left `running`, and reads the waiting retries. Call once, before jobs are planned.
  ///
  /// - Parameter crashed: true if the earlier process crashed.
  /// - Returns: the number of orphaned runs.
  package func rescueOrphans(crashed: Bool) async throws -> Int {
    unsettled.waiting = try await store.waitingRuns()
    let orphans = try await store.reclaimOrphans(now: clock.now(), crashed: crashed)
    unsettled.claims += orphans
    try await settlePending()
    return orphans.count
  }

  /// Cancels a run that is running or waits for a retry. A running background task stops at its next cancellation check.
  ///
  /// - Returns: false if the run had already ended.
  package func cancel(_ key: RunKey, by caller: String) async throws -> Bool {
    if let backgroundRun = tasks.active[key] {
      backgroundRun.stop.stop(by: caller)
      return true
    }
    let cancelled = try await store.cancelWaiting(key, detail: Self.cancelled(by: caller), now: clock.now())
    if cancelled {
      unsettled.waiting[key] = nil
      committed([])
    }
    return cancelled
  }

  private static func cancelled(by caller: String) -> String { "cancelled by \(caller)" }

  // MARK: Background tasks

  /// Performs background tasks, at most `Limits.backgroundTasksAtOnce` at a time, until its task is cancelled.
  package func performBackgroundTasks() async {
    let queue = tasks.queue
    await withTaskGroup(of: Void.self) { group in
      var busy = 0
      for await backgroundRun in queue {
        if busy == Limits.backgroundTasksAtOnce {
          await group.next()
          busy -= 1
        }
        group.addTask { await self.perform(backgroundRun) }
        busy += 1
      }
      group.cancelAll()
    }
  }

  /// Performs a background task and settles its run.
  private func perform(_ backgroundRun: BackgroundRun) async {
    let run = backgroundRun.run
    let ending = await backgroundRun.perform(timeout: run.kind.attemptRules.timeout, clock: sleeper)
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
    tasks.remove(run.key)
    do {
      try await settle([settlement])
    } catch {
      // The ledger still has the run as `running`; the next call or the next process decides it again.
      unsettled.claims.append(run)
    }
  }

  // MARK: Outcomes

  private var decider: Decider { decider(at: nil) }

  /// - Parameter slot: the future slot to decide for; nil to decide at the current time.
  func decider(at slot: Timestamp?) -> Decider {
    Decider(store: store, zones: zones, clock: clock, instant: slot)
  }

  /// Settles all claimed runs, then claims and settles each batch. While one batch is settled, the next is claimed and
  /// decided. Two calls may overlap at an `await`; the ledger settles each run once.
  ///
  /// - Parameter concerns: false for claimed runs that another call settles.
  private func settlePending(
    beforeClaiming batches: [[JobTick]] = [], _ concerns: (ClaimedRun) -> Bool = { _ in true }
  ) async throws {
    if unsettled.mayHaveUnknownClaims {
      let found = try await store.unsettledRuns()
      unsettled.mayHaveUnknownClaims = false
      let known = Set(unsettled.claims.map(\.key)).union(tasks.active.keys)
      unsettled.claims += found.filter { !known.contains($0.key) }
    }
    _ = try await recordingTransientErrors {
      try await settleAll(beforeClaiming: batches, concerns)
      return []
    }
  }

  /// Calls `claim` and remembers a transient error: the claim may have been committed all the same.
  private func recordingTransientErrors(_ claim: () async throws -> [ClaimedRun]) async throws -> [ClaimedRun] {
    do {
      return try await claim()
    } catch {
      if error.isTransient { unsettled.mayHaveUnknownClaims = true }
      throw error
    }
  }

  /// Settles claimed runs and claims further batches until nothing is left.
  private func settleAll(beforeClaiming batches: [[JobTick]], _ concerns: (ClaimedRun) -> Bool) async throws {
    var rest = batches[...]
    var ready: DecidedBatch?
    var again = 0
    while true {
      let pending = unsettled.claims.filter(concerns)
      if pending.isEmpty, rest.isEmpty { return }
      // On cancellation, settle the claimed runs and leave the other batches to the next tick.
      if pending.isEmpty { try Task.checkCancellation() }
      let batch: DecidedBatch
      if let ready {
        batch = ready
      } else {
        batch = await DecidedBatch(Array(pending.prefix(Limits.runsPerBatch)), by: decider)
      }
      let decided = try batch.decided.get()
      let now = clock.now()
      // Left-over runs go first, so that claimed runs do not pile up.
      let isLast = unsettled.claims.count(where: concerns) <= batch.runs.count
      let ticks = isLast && !Task.isCancelled ? rest.popFirst() : nil
      let known = prefetch.decisions.take(ticks ?? [])
      async let next = DecidedBatch.claiming(ticks, by: decider, prefetched: known, now: now)
      let settlements = zip(batch.runs, decided).compactMap { makeSettlement($0, $1, now: now) }
      let outdated: Set<RunKey>
      do {
        outdated = try await settle(settlements, evenIfChanged: again == Limits.maxRedecisions)
      } catch {
        // The next batch may be claimed although this one failed; the first error is the one to throw.
        unsettled.claims += (try? await next)?.runs ?? []
        throw error
      }
      // Runs whose facts changed after the decision are not settled: they stay claimed and are decided again.
      again = outdated.isEmpty ? 0 : again + 1
      let taken = Set(batch.runs.filter { !outdated.contains($0.key) })
      unsettled.claims.removeAll { taken.contains($0) }
      let prepared = try await next
      unsettled.claims += prepared.runs
      ready = prepared.runs.isEmpty ? nil : prepared
      if !rest.isEmpty { await backlog?.waitForSpace() }
    }
  }

  /// Settles decided runs and notifies the delivery.
  ///
  /// - Parameter evenIfChanged: true to settle decisions whose facts have changed.
  /// - Returns: runs that were not settled because their facts have changed.
  @discardableResult
  private func settle(_ settlements: [RunSettlement], evenIfChanged: Bool = false) async throws -> Set<RunKey> {
    guard !settlements.isEmpty else { return [] }
    let outdated = try await store.settle(settlements, routes: routes, evenIfChanged: evenIfChanged)
    let settled = settlements.filter { !outdated.contains($0.run.key) }
    for settlement in settled { unsettled.waiting[settlement.run.key] = settlement.nextTryAt }
    if !prefetch.decisions.isEmpty {
      prefetch.decisions.forget(settled.lazy.compactMap { $0.outcome.account?.record == nil ? nil : $0.run.teamID })
    }
    committed(settled)
    return outdated
  }

  /// Turns a decision into a settlement; nil if the run was queued as a background task.
  private func makeSettlement(_ run: ClaimedRun, _ decided: DecidedBatch.DecidedRun, now: Timestamp) -> RunSettlement? {
    func settled(_ outcome: Outcome) -> RunSettlement { RunSettlement(run: run, outcome: outcome, finishedAt: now) }
    switch decided {
    case .failed(let reason, let detail) where reason == FailureCode.unreadableRecord:
      return failure(of: run, reason: reason, detail, at: now)
    case .nothing where run.teamID != nil:
      return settled(Outcome(result: .skipped, reason: "team-gone", detail: "the team was removed"))
    case .failed, .nothing, .outcome: break
    }
    if run.attempts > 1, run.cause == .schedule, run.isTooLate(now: now) {
      return settled(
        Outcome(result: .missed, reason: "too-late", detail: "it failed until it expired"))
    }
    if let backgroundTask = backgroundTask(run) {
      // An overlapping call has queued the run already.
      guard tasks.active[run.key] == nil else { return nil }
      let backgroundRun = BackgroundRun(run: run, backgroundTask: backgroundTask)
      tasks.add(backgroundRun)
      return nil
    }
    switch decided {
    case .outcome(let outcome):
      if let size = outcome.notice?.dataJSON.utf8.count {
        if size > Limits.largeNoticeBytes {
          largeNoticeJobs.insert(run.jobID)
        } else {
          largeNoticeJobs.remove(run.jobID)
        }
      }
      return settled(outcome)
    case .failed(let reason, let detail): return failure(of: run, reason: reason, detail, at: now)
    case .nothing: return failure(of: run, reason: "no-labour", "this daemon cannot run \(run.kind.rawValue)", at: now)
    }
  }

  /// The settlement of a failed attempt: `waiting` with the time of the retry, or `failed` after the last attempt.
  private func failure(of run: ClaimedRun, reason: String, _ detail: String, at now: Timestamp) -> RunSettlement {
    let next = run.kind.attemptRules.nextTry(after: run.attempts, failedAt: now)
    return RunSettlement(
      run: run, outcome: Outcome(result: next == nil ? .failed : .waiting, reason: reason, detail: detail),
      finishedAt: now, nextTryAt: next)
  }
}
