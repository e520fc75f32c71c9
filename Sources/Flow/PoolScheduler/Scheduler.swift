package import PoolCalendar
package import PoolModel
package import PoolPlatform
package import PoolWork

/// Performs what `SchedulerState` decides: arms the timer, runs what is due, records what was missed.
package actor Scheduler {
  private let store: any Ledger & Holds & ClockLog
  private let runner: JobRunner
  private let zones: any ZoneSource
  private let clock: any WallClock
  private let timer: any WakeSource
  private let uptime: @Sendable () -> Duration
  private var jitter: [JobKind: Duration]
  private let report: @Sendable (String) -> Void
  private let beat: @Sendable (Scheduler, Timestamp) async -> Void
  private let longestSleep: Duration
  private var lastBeat: Timestamp?
  private let pulse: @Sendable ((job: JobRecord, at: Timestamp)?) async -> Void
  private let mended: @Sendable (ClockMend) async -> Void
  /// Jobs whose rule or zone could not be read, each told once, with its team and the reason.
  private var unplanned: [JobID: UnplannableJob] = [:]
  private var state = SchedulerState(jobsPerLook: Limits.jobsPerLook)
  /// The slot for which decisions lie ready.
  private var preparedFor: Timestamp?
  /// Whether the process before this one crashed, where what it left half done is not settled yet; nil where it is.
  private var unsettled: Bool?
  /// The last look found no store to ask.
  private var isStoreAway = false
  /// What was planned may be ahead of the store, which could not be read again after a failure.
  private var isAheadOfStore = false

  /// - Parameters:
  ///   - uptime: the machine's running time, sleep included: tells a clock that was set from time that passed.
  ///   - jitter: how far the runs of a kind are spread after their slots; none without it.
  ///   - report: takes a sentence for the log, where the daemon goes on after a failure.
  ///   - beat: what is to be done once a minute, with this scheduler; called after a look, so that it costs no wake-up of its own.
  ///   - longestSleep: how long nobody looks at the clock at most.
  ///   - pulse: called at the end of every look, with what comes next: the scheduler is well.
  ///   - mended: called once a clock that stood ahead has come back and what it had settled is taken back.
  package init(
    store: any Ledger & Holds & ClockLog, runner: JobRunner, zones: any ZoneSource, clock: any WallClock,
    timer: any WakeSource,
    uptime: @escaping @Sendable () -> Duration = MachineUptime.now, jitter: [JobKind: Duration] = [:],
    report: @escaping @Sendable (String) -> Void,
    beat: @escaping @Sendable (Scheduler, Timestamp) async -> Void = { _, _ in },
    longestSleep: Duration = Limits.longestSleep,
    pulse: @escaping @Sendable ((job: JobRecord, at: Timestamp)?) async -> Void = { _ in },
    mended: @escaping @Sendable (ClockMend) async -> Void = { _ in }
  ) {
    self.store = store
    self.runner = runner
    self.zones = zones
    self.clock = clock
    self.timer = timer
    self.uptime = uptime
    self.jitter = jitter
    self.report = report
    self.beat = beat
    self.longestSleep = longestSleep
    self.pulse = pulse
    self.mended = mended
  }

  package var clockFinding: ClockWatch.Finding { state.clock }
  package var clockTrust: ClockTrust { state.trust }

  /// Settles what an earlier process left half done and plans every job. Call once, before `run`.
  ///
  /// - Parameter crashed: whether the process before this one crashed by itself.
  package func prepare(crashed: Bool = false) async throws {
    unsettled = crashed
    do {
      try await rescue()
    } catch  where error.mayPass {
      report("\(error); what an earlier process left unfinished is taken up once that has passed")
    }
    try await load()
    let now = clock.now()
    _ = state.handle(
      .began(absences: try await absences(before: now), clock: try await store.clockMemory(now: now)))
  }

  private func absences(before now: Timestamp) async throws -> [Absence] {
    try await store.absences(since: now.advanced(by: .hours(-24 * 366)), limit: Limits.absencesRemembered)
  }

  /// Takes back what a clock that stood ahead had settled, and plans everything anew.
  private func takeBack(now: Timestamp, from last: Timestamp?) async throws {
    let mend = try await store.takeBack(now: now, from: last)
    try await runner.readWaiting()
    try await load()
    _ = state.handle(.tookBack(absences: try await absences(before: now)))
    guard let mend, mend.isWorthTelling else { return }
    report("the clock came back: \(mend.sentence)")
    await mended(mend)
  }

  private func rescue() async throws {
    guard let crashed = unsettled else { return }
    let rescued = try await runner.rescueOrphans(crashed: crashed)
    unsettled = nil
    if rescued > 0 { report("took up \(rescued) run(s) that an earlier process left unfinished") }
  }

  /// Runs until its task is cancelled; a batch under way is finished first.
  ///
  /// Between two looks what is due at the coming slot is decided, as far as there is time: a look waits for nothing that may be
  /// done later. It is done in this task's group, for a task of its own would leave our threads, and Dispatch looks after its
  /// own once a second for as long as we live.
  package func run() async {
    let wakes = timer.events()
    await withDiscardingTaskGroup { group in
      await look()
      group.addTask { [runner] in await runner.layReady() }
      for await _ in wakes {
        await runner.stopLaying()
        if Task.isCancelled { return }
        await look()
        group.addTask { [runner] in await runner.layReady() }
      }
    }
  }

  /// Plans a team's jobs, or the server's, anew, after the store has changed them.
  package func replan(team: TeamID?) async throws {
    let jobs = planned(try await store.jobsToRun(of: team), holds: try await store.holds(of: team))
    for job in jobs { unplanned[job.record.id] = nil }
    _ = state.handle(.replanned(team, jobs))
    await forgetGone()
    timer.interrupt()
  }

  /// What was remembered of jobs that are none any more.
  private func forgetGone() async {
    let large = await runner.large
    guard !large.isEmpty else { return }
    let gone = large.filter { !state.plans($0) }
    if !gone.isEmpty { await runner.keep { !gone.contains($0) } }
  }

  /// Begins with the jobs of shares that are this process's from now on: what whoever had them before left half done comes first.
  package func takeUp(_ shares: ShareSet) async throws {
    // Where it does not come to its end, the next look begins with it.
    unsettled = unsettled ?? false
    do {
      try await rescue()
      try await replan(shares)
    } catch {
      isAheadOfStore = true
      throw error
    }
  }

  /// Plans the jobs of shares anew that have come, or that are to be begun no more.
  package func replan(_ shares: ShareSet) async throws {
    let (records, holds) = (try await store.jobsToRun(of: shares), try await store.holds())
    // What cannot be planned and is another's now is his to tell of.
    unplanned = unplanned.filter { !shares.contains(team: $0.value.job.teamID) }
    let jobs = planned(records, holds: holds)
    await runner.forgetPrepared(of: shares)
    preparedFor = nil
    _ = state.handle(.handedOver(shares, jobs))
    await forgetGone()
    timer.interrupt()
  }

  /// Plans every job anew, after the store has changed many.
  package func planAll() async throws {
    try await load()
    timer.interrupt()
  }

  /// Spreads the runs of each kind so far after their slots from now on; what is due by the old spread runs first.
  package func use(jitter: [JobKind: Duration]) async throws {
    guard jitter != self.jitter else { return }
    await look()
    self.jitter = jitter
    try await load()
    timer.interrupt()
  }

  /// Plans every job anew because the clocks of some zones change at other instants now, and tells which slots moved.
  ///
  /// What is due by the old clocks has run; a slot that the new ones put before the cursor is settled already.
  package func zonesChanged(_ updates: [(before: Zone, after: Zone)]) async throws {
    await runner.forgetPrepared()
    let now = clock.now()
    let end = now.advanced(by: .hours(24 * Limits.simulatedDays))
    for update in updates {
      let jobs = try await store.jobsToRun().filter { $0.zone == update.after.name }
      for due in Set(jobs.map { DueBy(rule: $0.rule, policy: $0.timing.policy) }) {
        guard case .calendar(let text) = due.rule, let expression = try? CalendarExpression(text) else { continue }
        let moves = CalendarRule(expression, zone: update.before, policy: due.policy).slotsMoved(
          by: update.after, from: now, to: end, limit: Limits.problemsShown)
        guard let first = moves.first else { continue }
        let (before, after) = (first.before.map { "\($0)" } ?? "nowhere", first.after.map { "\($0)" } ?? "nowhere")
        report(
          "new time zone data moves \(moves.count) slot(s) of '\(text)' in \(update.after.name), the first one "
            + "from \(before) to \(after)")
      }
    }
    try await load()
    timer.interrupt()
  }

  private struct DueBy: Hashable {
    let rule: JobRule
    let policy: DaylightPolicy
  }

  /// The jobs that come first; nil where only the store can tell.
  package func coming(_ limit: Int, now: Timestamp) -> SchedulerState.ComingJobs? { state.coming(limit, now: now) }

  /// No job is settled beyond it, as far as this process has planned it.
  package var newestCursor: Timestamp { state.newestCursor }

  /// Settles all that is due by now, before something changes what is due.
  package func lookNow() async {
    let now = clock.now()
    while await look(), state.isDue(by: now) {}
  }

  /// The same for what a team, or with nil the server, has due: nobody else's is waited for.
  package func lookNow(of team: TeamID?) async { await look(of: .some(team)) }

  /// The same, before the rules of a team's jobs change, or with nil those of all: what has come and is spread over the time
  /// after it begins now, since the rule that it is due by is none any more.
  package func lookNow(beforeChanging team: TeamID?) async {
    if let team { await lookNow(of: team) } else { await lookNow() }
    for case .take(let looks) in state.handle(.hastened(team, now: clock.now())) where !looks.isEmpty {
      do {
        if let team { try await runner.run(looks, of: team) } else { try await runner.run(looks) }
      } catch is CancellationError {
        await reload()
      } catch {
        report("\(error); trying again within a minute")
        await reload()
      }
    }
  }

  private func load() async throws {
    let jobs = planned(try await store.jobsToRun(), holds: try await store.holds())
    for job in jobs { unplanned[job.record.id] = nil }
    _ = state.handle(.loaded(jobs))
    await forgetGone()
  }

  /// Tries again what could not be planned: a zone's file may be back.
  package func planUnplanned() async throws {
    if !unplanned.isEmpty { try await planAll() }
  }

  /// Teams with a job that cannot be planned, and why.
  package var unplannedTeams: [TeamID: String] {
    Dictionary(
      unplanned.values.compactMap { job in job.job.teamID.map { ($0, "\(job)") } }, uniquingKeysWith: { min($0, $1) })
  }

  private func planned(_ records: [JobRecord], holds: [Hold]) -> [PlannedJob] {
    let holds = Dictionary(grouping: holds, by: \.teamID)
    var rules = RuleCache()
    return records.compactMap { record in
      do throws(UnplannableJob) {
        return try PlannedJob(
          record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [], jitter: jitter[record.kind] ?? .zero)
      } catch {
        if unplanned.updateValue(error, forKey: record.id) == nil { report("\(error)") }
        return nil
      }
    }
  }

  /// One look at the clock and everything that follows from it.
  ///
  /// - Parameter team: whose jobs alone are looked at, with `.some(nil)` the server's; nil for whatever is due.
  /// - Returns: false where something stood in its way.
  @discardableResult
  private func look(of team: TeamID?? = nil) async -> Bool {
    let large = await runner.large
    let now = clock.now()
    var latest = now.advanced(by: longestSleep)
    var isBeat = false
    var isDone = false
    do {
      if unsettled != nil {
        // Nothing is begun before it, but what comes once a minute besides still comes.
        isBeat = true
        try await rescue()
      }
      // What a look took out of the plan and could not settle is due still.
      if isAheadOfStore {
        try await load()
        isAheadOfStore = false
      }
      state.putLast(large)
      let event = team.map { SchedulerState.Event.called($0, now: now, uptime: uptime()) }
      for action in state.handle(event ?? .woke(now: now, uptime: uptime())) {
        switch action {
        case .beat(let absence):
          isBeat = true
          try await store.beat(absence, trust: state.trust, now: now)
        case .takeBack(let last): try await takeBack(now: now, from: last)
        case .take(let looks):
          if let team { try await runner.run(looks, of: team) } else { try await runner.run(looks) }
          // Set back while its slots were settled: another look may have taken back before the last of them were.
          if now.since(clock.now()) > Limits.clockStep {
            _ = state.handle(.began(absences: [], clock: ClockMemory(trust: state.trust, isAhead: true)))
          }
        case .sleep(let until): if let until { latest = min(latest, until) }
        }
      }
      // Nothing is scheduled by such a clock, but what comes once a minute besides still comes, and tells of it.
      if case .notSet = state.clock { isBeat = true }
      if case .believable = state.clock {
        if team == nil { try await runner.retryDue() }
        if let retry = await runner.nextRetry { latest = min(latest, retry) }
        isDone = true
      }
      // Whoever waits for the store hears at once that it is back.
      if isStoreAway { isBeat = true }
      isStoreAway = false
    } catch is CancellationError {
      await reload()
    } catch {
      // The store's cursors are the truth: read them again, so that nothing that was not committed counts as settled.
      if error.isWantOfRoom { latest = min(latest, now.advanced(by: Limits.roomRetry)) }
      if error.isWantOfServer {
        latest = min(latest, now.advanced(by: Limits.serverRetry))
        // What comes once a minute besides still comes, and tells of it.
        isBeat = true
        isStoreAway = true
      } else {
        report("\(error); trying again within a minute")
      }
      await reload()
    }
    if isBeat { lastBeat = now }
    // A look that came for a slot shortly before it was a minute ago does not put off what comes once a minute.
    if let lastBeat {
      let next = lastBeat.advanced(by: Limits.longestSleep)
      latest = min(latest, max(next, now.advanced(by: Limits.longestSleep - Limits.heartbeat)))
    }
    timer.arm(at: latest)
    if isBeat { await beat(self, now) }
    await pulse(state.upcoming())
    if isDone { await prepare(now: now) }
    return isDone
  }

  /// Has decided what is due first at a slot that comes before the look after the next: no wake-up is spent on it.
  private func prepare(now: Timestamp) async {
    guard let next = state.nextInstant, next != preparedFor, next.since(now) <= longestSleep * 2,
      next.since(clock.now()) > Limits.leastTimeToPrepare,
      let (slot, looks) = state.expected(Limits.runsPrepared + Limits.runsLaid)
    else { return }
    preparedFor = slot
    await runner.prepare(looks, for: slot)
  }

  private func reload() async {
    do {
      try await load()
    } catch {
      isAheadOfStore = true
      // Of a server that is away once is enough.
      if !error.isWantOfServer { report("\(error); the jobs stay as they were planned") }
    }
  }
}
