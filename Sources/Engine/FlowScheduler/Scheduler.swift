package import FlowCalendar
package import FlowModel
import FlowPlatform
package import FlowWork

/// Performs the actions that `SchedulerState` returns: arms the timer, runs due slots, records missed ones.
package actor Scheduler {
  private let store: any Ledger & Holds & ClockLog
  private let runner: JobRunner
  private let clocks: SchedulerClocks
  private let callbacks: SchedulerCallbacks
  private let longestSleep: Duration
  private var planner: JobPlanner
  private var state = SchedulerState(jobsPerTick: Limits.jobsPerTick)
  /// When the once-a-minute work last ran.
  private var lastHeartbeat: Timestamp?
  /// The slot whose decisions are prefetched.
  private var prefetchedFor: Timestamp?
  private var orphanRecovery = OrphanRecovery.done
  /// The last tick could not reach the database server.
  private var isStoreAway = false
  /// The plan may differ from the store, because reading the store again failed.
  private var isAheadOfStore = false

  /// Whether runs that an earlier process left `running` are still to be settled.
  private enum OrphanRecovery {
    case pending(afterCrash: Bool)
    case done
  }

  /// - Parameters:
  ///   - jitter: longest delay of a kind's runs after their slots; kinds that are not listed have none.
  ///   - longestSleep: longest time between two ticks.
  package init(
    store: any Ledger & Holds & ClockLog, runner: JobRunner, zones: any ZoneSource, clocks: SchedulerClocks,
    jitter: [JobKind: Duration] = [:], longestSleep: Duration = Limits.longestSleep, callbacks: SchedulerCallbacks
  ) {
    self.store = store
    self.runner = runner
    self.clocks = clocks
    self.callbacks = callbacks
    self.longestSleep = longestSleep
    planner = JobPlanner(zones: zones, jitter: jitter, report: callbacks.report)
  }

  package var clockFinding: ClockWatch.Finding { state.clock }
  package var clockTrust: ClockTrust { state.trust }

  /// Settles runs that an earlier process left `running`, and plans every job. Call once, before `run`. While the store is
  /// temporarily unavailable, the first tick settles the runs instead.
  ///
  /// - Parameter crashed: true if the earlier process crashed.
  package func prepare(crashed: Bool = false) async throws {
    orphanRecovery = .pending(afterCrash: crashed)
    do {
      try await settleOrphans()
    } catch  where error.isTransient {
      callbacks.report("\(error); runs that an earlier process left unfinished are recovered after that")
    }
    try await load()
    let now = clocks.wall.now()
    _ = state.handle(
      .began(downtimes: try await downtimes(before: now), clock: try await store.storedClockState(now: now)))
  }

  private func downtimes(before now: Timestamp) async throws -> [Downtime] {
    try await store.downtimes(since: now.advanced(by: .hours(-24 * 366)), limit: Limits.downtimesRemembered)
  }

  /// Rolls back what the store settled while the clock was ahead, and plans all jobs again.
  ///
  /// - Parameter last: the latest time that this process read from the wrong clock; nil if an earlier process ran by it.
  private func rollBack(now: Timestamp, from last: Timestamp?) async throws {
    let correction = try await store.rollBack(now: now, from: last)
    try await runner.reloadRetries()
    try await load()
    _ = state.handle(.rolledBack(downtimes: try await downtimes(before: now)))
    guard let correction, correction.isWorthLogging else { return }
    callbacks.report("the clock came back: \(correction.sentence)")
    await callbacks.clockCorrected(correction)
  }

  /// Settles orphaned runs of an earlier process, unless that is already done.
  private func settleOrphans() async throws {
    guard case .pending(let crashed) = orphanRecovery else { return }
    let rescued = try await runner.rescueOrphans(crashed: crashed)
    orphanRecovery = .done
    if rescued > 0 { callbacks.report("recovered \(rescued) run(s) that an earlier process left unfinished") }
  }

  /// Runs ticks until its task is cancelled; the current batch is finished first.
  ///
  /// Between two ticks, decisions of the next slot are prefetched; a tick stops the prefetching. It runs in this task group,
  /// because a separate task would run on threads of Dispatch, which then wakes up once a second for the rest of the process.
  package func run() async {
    let wakes = clocks.timer.events()
    await withDiscardingTaskGroup { group in
      await tick()
      group.addTask { [runner] in await runner.prefetchRemaining() }
      for await _ in wakes {
        await runner.stopPrefetching()
        if Task.isCancelled { return }
        await tick()
        group.addTask { [runner] in await runner.prefetchRemaining() }
      }
    }
  }

  /// Plans the jobs of a team again after the store has changed them; nil: the server's jobs.
  func replan(team: TeamID?) async throws {
    let (records, holds) = (try await store.jobsToRun(of: team), try await store.holds(of: team))
    _ = state.handle(.replanned(team, planner.plan(records, holds: holds)))
    await forgetRemovedJobs()
    clocks.timer.interrupt()
  }

  /// Drops what the runner remembers of jobs that no longer exist.
  private func forgetRemovedJobs() async {
    let largeNoticeJobs = await runner.largeNoticeJobs
    guard !largeNoticeJobs.isEmpty else { return }
    let removed = largeNoticeJobs.filter { !state.isPlanned($0) }
    if !removed.isEmpty { await runner.keep { !removed.contains($0) } }
  }

  /// Starts the jobs of partitions that this node has acquired: first settles the runs that their previous owner left
  /// `running`.
  ///
  /// - Throws: the store's error; the next tick then repeats the work.
  package func acquire(_ partitions: PartitionSet) async throws {
    // If settling fails, the next tick begins with it.
    if case .done = orphanRecovery { orphanRecovery = .pending(afterCrash: false) }
    do {
      try await settleOrphans()
      try await replan(partitions)
    } catch {
      isAheadOfStore = true
      throw error
    }
  }

  /// Plans the jobs of partitions again that this node has acquired or released.
  package func replan(_ partitions: PartitionSet) async throws {
    let (records, holds) = (try await store.jobsToRun(of: partitions), try await store.holds())
    // If a released job cannot be planned, its new owner reports it.
    planner.forgetUnplanned(of: partitions)
    let jobs = planner.plan(records, holds: holds)
    await runner.discardPrefetched(of: partitions)
    prefetchedFor = nil
    _ = state.handle(.partitionsChanged(partitions, jobs))
    await forgetRemovedJobs()
    clocks.timer.interrupt()
  }

  /// Plans all jobs again, after the store has changed many.
  ///
  /// - Throws: the store's error; the next tick then repeats the work.
  package func planAll() async throws {
    do {
      try await load()
    } catch {
      isAheadOfStore = true
      throw error
    }
    clocks.timer.interrupt()
  }

  /// Changes the jitter of each kind. Slots that are due by the old jitter run first.
  package func use(jitter: [JobKind: Duration]) async throws {
    guard jitter != planner.jitter else { return }
    await tick()
    planner.jitter = jitter
    try await load()
    clocks.timer.interrupt()
  }

  /// Plans all jobs again after new time zone data was installed, and reports which slots move.
  ///
  /// Call it after a tick, so that all slots due by the old data have run. A slot that the new data moves before a job's
  /// cursor counts as settled.
  package func zonesChanged(_ updates: [(before: Zone, after: Zone)]) async throws {
    await runner.discardPrefetched()
    let now = clocks.wall.now()
    let end = now.advanced(by: .hours(24 * Limits.simulatedDays))
    for update in updates {
      let jobs = try await store.jobsToRun().filter { $0.zone == update.after.name }
      for due in Set(jobs.map { ScheduleKey(rule: $0.rule, policy: $0.timing.policy) }) {
        guard case .calendar(let text) = due.rule, let expression = try? CalendarExpression(text) else { continue }
        let moves = CalendarRule(expression, zone: update.before, policy: due.policy).slotsMoved(
          by: update.after, from: now, to: end, limit: Limits.problemsShown)
        guard let first = moves.first else { continue }
        let (before, after) = (first.before.map { "\($0)" } ?? "nowhere", first.after.map { "\($0)" } ?? "nowhere")
        callbacks.report(
          "new time zone data moves \(moves.count) slot(s) of '\(text)' in \(update.after.name), the first one "
            + "from \(before) to \(after)")
      }
    }
    try await load()
    clocks.timer.interrupt()
  }

  /// A rule and its daylight policy: jobs that share both have the same slots.
  private struct ScheduleKey: Hashable {
    let rule: JobRule
    let policy: DaylightPolicy
  }

  /// The next `limit` jobs; nil if the plan in memory does not suffice and the store must be read.
  package func upcomingJobs(_ limit: Int, now: Timestamp) -> SchedulerState.UpcomingJobs? {
    state.upcomingJobs(limit, now: now)
  }

  /// The latest cursor of all planned jobs: this process has settled no slot after it.
  package var newestCursor: Timestamp { state.newestCursor }

  /// Runs all due jobs.
  package func runDueJobs() async {
    let now = clocks.wall.now()
    while await tick(), state.isDue(by: now) {}
  }

  /// Runs one team's due jobs (nil: the server's) without waiting for other teams.
  func runDueJobs(of team: TeamID?) async { await tick(of: .some(team)) }

  /// Runs due jobs before the rules of a team change, or of all teams if `team` is nil. Runs that jitter delays begin now,
  /// because the rule that made them due is about to be replaced.
  func runDueJobs(beforeChanging team: TeamID?) async {
    if let team { await runDueJobs(of: team) } else { await runDueJobs() }
    for case .take(let ticks) in state.handle(.jitterFlushed(team, now: clocks.wall.now())) where !ticks.isEmpty {
      do {
        if let team { try await runner.run(ticks, of: team) } else { try await runner.run(ticks) }
      } catch is CancellationError {
        await reload()
      } catch {
        callbacks.report("\(error); trying again within a minute")
        await reload()
      }
    }
  }

  /// Reads all jobs and holds from the store and plans them.
  private func load() async throws {
    let (records, holds) = (try await store.jobsToRun(), try await store.holds())
    _ = state.handle(.loaded(planner.plan(records, holds: holds)))
    await forgetRemovedJobs()
  }

  /// Plans the jobs again that could not be planned, for example because a zone file was missing.
  package func planUnplanned() async throws {
    if planner.hasUnplanned { try await planAll() }
  }

  /// Teams with a job that cannot be planned, and the reason.
  package var unplannedTeams: [TeamID: String] { planner.unplannedTeams }

  /// One tick: reads the clock, performs every action that follows, and arms the timer for the next tick.
  ///
  /// - Parameter team: restricts the tick to one team's jobs; `.some(nil)`: the server's; nil: all due jobs.
  /// - Returns: false if the clock is not believable, on an error or on cancellation.
  @discardableResult
  private func tick(of team: TeamID?? = nil) async -> Bool {
    let largeNoticeJobs = await runner.largeNoticeJobs
    let now = clocks.wall.now()
    var next = NextTick(latest: now.advanced(by: longestSleep))
    var isDone = false
    do {
      if case .pending = orphanRecovery {
        // Orphaned runs are settled before new work begins; the once-a-minute work continues meanwhile.
        next.isHeartbeatDue = true
        try await settleOrphans()
      }
      // After a failed tick the plan lacks slots that are still due; the store has them.
      if isAheadOfStore {
        try await load()
        isAheadOfStore = false
      }
      state.setLargeJobs(largeNoticeJobs)
      let event = team.map { SchedulerState.Event.teamChanging($0, now: now, uptime: clocks.uptime()) }
      for action in state.handle(event ?? .timerFired(now: now, uptime: clocks.uptime())) {
        try await perform(action, of: team, now: now, &next)
      }
      // Nothing is scheduled by a clock that is not set; the once-a-minute work still runs and reports it.
      if case .notSet = state.clock { next.isHeartbeatDue = true }
      if case .believable = state.clock {
        if team == nil { try await runner.retryDue() }
        if let retry = await runner.nextRetry { next.comes(by: retry) }
        isDone = true
      }
      // Run the once-a-minute work at once after the server came back, so that waiting callers are notified.
      if isStoreAway { next.isHeartbeatDue = true }
      isStoreAway = false
    } catch is CancellationError {
      await reload()
    } catch {
      note(error, now: now, &next)
      // After an error the plan is read again from the store, so that no uncommitted slot counts as settled.
      await reload()
    }
    if next.isHeartbeatDue { lastHeartbeat = now }
    // A tick for a slot just before the minute is over must not delay the once-a-minute work to the tick after next.
    if let lastHeartbeat {
      let minute = lastHeartbeat.advanced(by: Limits.longestSleep)
      next.comes(by: max(minute, now.advanced(by: Limits.longestSleep - Limits.heartbeat)))
    }
    clocks.timer.arm(at: next.latest)
    if next.isHeartbeatDue { await callbacks.heartbeat(self, now) }
    await callbacks.healthPulse(state.nextJob())
    if isDone { await prepare(now: now) }
    return isDone
  }

  /// What a tick finds out about the next one.
  private struct NextTick {
    /// The latest instant of the next tick.
    private(set) var latest: Timestamp
    /// Whether this tick does the once-a-minute work.
    var isHeartbeatDue = false

    init(latest: Timestamp) { self.latest = latest }

    mutating func comes(by instant: Timestamp) { latest = min(latest, instant) }
  }

  /// Performs one action of the state machine.
  ///
  /// - Parameter team: as in `tick`.
  private func perform(
    _ action: SchedulerState.Action, of team: TeamID??, now: Timestamp, _ next: inout NextTick
  ) async throws {
    switch action {
    case .heartbeat(let downtime):
      next.isHeartbeatDue = true
      try await store.heartbeat(downtime, trust: state.trust, now: now)
    case .rollBack(let last): try await rollBack(now: now, from: last)
    case .take(let ticks):
      if let team { try await runner.run(ticks, of: team) } else { try await runner.run(ticks) }
      // The clock was set back while these slots were settled: a rollback that ran in between may have missed the last of
      // them, so another one is needed.
      if now.since(clocks.wall.now()) > Limits.clockStep {
        _ = state.handle(.began(downtimes: [], clock: StoredClockState(trust: state.trust, isAhead: true)))
      }
    case .sleep(let until): if let until { next.comes(by: until) }
    }
  }

  /// Reports the error that ended a tick, and plans when the next one tries again.
  private func note(_ error: any Error, now: Timestamp, _ next: inout NextTick) {
    if error.isCausedByFullDisk { next.comes(by: now.advanced(by: Limits.diskFullRetry)) }
    guard error.isCausedByServerOutage else { return callbacks.report("\(error); trying again within a minute") }
    next.comes(by: now.advanced(by: Limits.serverRetry))
    // The once-a-minute work still runs and reports that the server is away.
    next.isHeartbeatDue = true
    isStoreAway = true
  }

  /// Prefetches decisions for the next slot if it comes within twice `longestSleep`. It runs after a tick, so that it needs no
  /// wake-up of its own.
  private func prepare(now: Timestamp) async {
    guard let next = state.nextInstant, next != prefetchedFor, next.since(now) <= longestSleep * 2,
      next.since(clocks.wall.now()) > Limits.leastPrefetchTime,
      let (slot, ticks) = state.expected(Limits.prefetchedRunsInMemory + Limits.prefetchedRunsInFile)
    else { return }
    prefetchedFor = slot
    await runner.prepare(ticks, for: slot)
  }

  /// Plans all jobs again after an error; if that fails too, the next tick does it.
  private func reload() async {
    do {
      try await load()
    } catch {
      isAheadOfStore = true
      // An unreachable server is already reported elsewhere.
      if !error.isCausedByServerOutage { callbacks.report("\(error); the jobs stay as they were planned") }
    }
  }
}
