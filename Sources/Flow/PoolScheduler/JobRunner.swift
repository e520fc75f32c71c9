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
  package private(set) var large: Set<JobID> = []
  /// Claimed by this process but not settled, because the store refused: tried again before anything else.
  private var unsettled: [ClaimedRun] = []
  /// A claim may be ours of which nobody could tell us.
  private var mayHoldMore = false
  /// Runs whose last attempt failed, and when each is tried again.
  private var waiting: [RunKey: Timestamp] = [:]
  /// Decided before their slots have come.
  private var ahead = RunsAhead()
  private var aheadFor: Timestamp?
  /// What of that slot is still to be laid, and where.
  private var laying: RunsToLay?
  /// Of the laying that goes on, so that an earlier one ends.
  private var layingTurn = 0
  /// How often that was begun or given up: what was decided for one before is of no use.
  private var preparations = 0
  /// Makes a shelf for what is decided before a slot; nil where there is none to be had.
  private let shelf: @Sendable () -> (any OutcomeShelf)?
  /// Given to `labour()` and not at their end.
  private var atWork: [RunKey: LabourOrder] = [:]
  private nonisolated let orders: AsyncStream<LabourOrder>
  private nonisolated let ordering: AsyncStream<LabourOrder>.Continuation

  /// - Parameters:
  ///   - sleeper: measures how long labour may take.
  ///   - labour: the heavy work behind a run, if there is any.
  ///   - pace: waited for between two batches; it returns soon whatever ails whoever it waits for.
  ///   - shelf: keeps what is decided before a slot, one for each; nil where no more is to be decided than memory holds.
  package init(
    store: any Ledger & Facts, zones: any ZoneSource, clock: any WallClock, routes: [SinkRoute],
    sleeper: any Clock<Duration> = ContinuousClock(),
    labour: @escaping @Sendable (ClaimedRun) -> (any Labour)? = { _ in nil },
    pace: @escaping @Sendable () async -> Void = {},
    shelf: @escaping @Sendable () -> (any OutcomeShelf)? = { nil },
    committed: @escaping @Sendable ([RunSettlement]) -> Void
  ) {
    self.store = store
    self.zones = zones
    self.clock = clock
    self.routes = routes
    self.sleeper = sleeper
    self.labour = labour
    self.pace = pace
    self.shelf = shelf
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

  /// The same for one team, or with nil for the server: returns once what is claimed of it is settled, however many others
  /// are under way.
  package func run(_ looks: [JobLook], of team: TeamID?) async throws {
    try await settlePending(beforeClaiming: Self.batches(looks)) { $0.teamID == team }
  }

  /// Decides what will be due first at `slot`, so that it can be told as soon as that has come; the rest is for `layReady`. Of a
  /// slot that is prepared already it decides what has come since.
  /// Nothing is claimed: what becomes of the jobs until then, holds, other rules, days off, is looked at when the slot is
  /// there.
  ///
  /// - Parameter inMemory: how many are decided at once and kept in memory.
  package func prepare(_ looks: [JobLook], for slot: Timestamp, inMemory: Int = Limits.runsPrepared) async {
    if slot != aheadFor { forgetPrepared() }
    aheadFor = slot
    let runs = looks.flatMap(\.claims).map { ClaimedRun(expected: $0) }.filter { !ahead.knows($0) }
    let atOnce = runs.prefix(max(0, inMemory - ahead.countInMemory))
    let preparation = preparations
    let first = await PreparedRuns(Array(atOnce), by: desk(at: slot))
    // Meanwhile the clocks may have changed.
    guard preparation == preparations else { return }
    ahead.add(RunsAhead(first))
    let rest = runs.dropFirst(atOnce.count).filter { !ahead.knows($0) }.prefix(Limits.runsLaid)
    if !rest.isEmpty, let shelf = laying?.shelf ?? shelf() {
      laying = RunsToLay(slot: slot, rest: rest, shelf: shelf)
    }
  }

  /// Decides what else will be due at the slot that was prepared, a few at a time, until the slot is near, all is done, or
  /// it is stopped or cancelled: a later call goes on from there.
  package func layReady() async {
    layingTurn += 1
    let turn = layingTurn
    while turn == layingTurn, !Task.isCancelled, let at = laying, !at.rest.isEmpty,
      at.slot.since(clock.now()) > Limits.laidUntil
    {
      let runs = Array(at.rest.prefix(Limits.runsLaidAtOnce))
      laying?.rest.removeFirst(runs.count)
      let found = await RunsAhead.laying(runs, by: desk(at: at.slot), on: at.shelf)
      // Meanwhile another slot may have come first, or the clocks changed.
      if laying?.shelf === at.shelf { ahead.add(found) }
    }
  }

  /// The few that are being decided are the last.
  package func stopLaying() { layingTurn += 1 }

  /// What was decided by clocks that are no more.
  package func forgetPrepared() {
    preparations += 1
    ahead = RunsAhead()
    aheadFor = nil
    laying = nil
  }

  /// What was decided of shares that have come or gone: whoever has them may change what it looks at.
  package func forgetPrepared(of shares: ShareSet) {
    ahead.forget(shares)
    laying?.rest.removeAll { shares.contains(team: $0.teamID) }
  }

  /// Forgets what it knows of jobs that are gone.
  package func keep(where isPlanned: @Sendable (JobID) -> Bool) { large = large.filter(isPlanned) }

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

  /// Settles what was left over, and tries what failed before and whose wait is over.
  package func retryDue() async throws {
    // What nobody claimed of it in time is of no use any more.
    if let laying, clock.now().since(laying.slot) > Limits.lateForPrepared { forgetPrepared() }
    // What an earlier look could not settle, or does not know of, waits for no slot.
    if mayHoldMore || !unsettled.isEmpty { try await settlePending() }
    let now = clock.now()
    let due = waiting.filter { $0.value <= now }.map(\.key).prefix(Limits.runsPerBatch)
    guard !due.isEmpty else { return }
    unsettled += try await claimed { try await store.retry(Array(due), now: now) }
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
      let runs = try await claimed { try await store.claim([request], now: now) }
      unsettled += runs
      try await settlePending()
      if !runs.isEmpty { return slot }
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

  private var desk: DecisionDesk { desk(at: nil) }

  /// - Parameter slot: where it is still to come.
  private func desk(at slot: Timestamp?) -> DecisionDesk {
    DecisionDesk(store: store, zones: zones, clock: clock, instant: slot)
  }

  /// Settles everything that is claimed, then claims and settles batch after batch: while one is settled, the next is claimed
  /// and decided. Two calls may overlap at an `await`: a run settles once, by the ledger's state.
  ///
  /// - Parameter concerns: false for what others have claimed and settle.
  private func settlePending(
    beforeClaiming batches: [[JobLook]] = [], _ concerns: (ClaimedRun) -> Bool = { _ in true }
  ) async throws {
    if mayHoldMore {
      let found = try await store.runsUnderWay()
      mayHoldMore = false
      let known = Set(unsettled.map(\.key)).union(atWork.keys)
      unsettled += found.filter { !known.contains($0.key) }
    }
    _ = try await claimed {
      try await settleAll(beforeClaiming: batches, concerns)
      return []
    }
  }

  /// What claims; where it fails by what may pass, the claim may be there all the same.
  private func claimed(_ claim: () async throws -> [ClaimedRun]) async throws -> [ClaimedRun] {
    do {
      return try await claim()
    } catch {
      if error.mayPass { mayHoldMore = true }
      throw error
    }
  }

  private func settleAll(beforeClaiming batches: [[JobLook]], _ concerns: (ClaimedRun) -> Bool) async throws {
    var rest = batches[...]
    var ready: PreparedRuns?
    var again = 0
    while true {
      let pending = unsettled.filter(concerns)
      if pending.isEmpty, rest.isEmpty { return }
      // Who is to stop settles what is claimed, and leaves the rest to whoever looks next.
      if pending.isEmpty { try Task.checkCancellation() }
      let batch: PreparedRuns
      if let ready {
        batch = ready
      } else {
        batch = await PreparedRuns(Array(pending.prefix(Limits.runsPerBatch)), by: desk)
      }
      let decided = try batch.decided.get()
      let now = clock.now()
      // What waits from before goes first: no more is claimed than is settled.
      let isLast = unsettled.count(where: concerns) <= batch.runs.count
      let looks = isLast && !Task.isCancelled ? rest.popFirst() : nil
      let known = ahead.take(looks ?? [])
      async let next = PreparedRuns.claiming(looks, by: desk, ahead: known, now: now)
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
    if !ahead.isEmpty {
      ahead.forget(settled.lazy.compactMap { $0.outcome.account?.record == nil ? nil : $0.run.teamID })
    }
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
