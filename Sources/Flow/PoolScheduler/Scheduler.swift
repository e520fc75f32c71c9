package import PoolCalendar
package import PoolJobs
package import PoolModel
package import PoolPlatform
package import PoolStore

/// Performs what `SchedulerState` decides: arms the timer, runs what is due, records what was missed.
package actor Scheduler {
  private let store: Store
  private let runner: JobRunner
  private let zones: any ZoneSource
  private let clock: any WallClock
  private let timer: any WakeSource
  private let uptime: @Sendable () -> Duration
  private let jitter: [JobKind: Duration]
  private let report: @Sendable (String) -> Void
  private var state = SchedulerState()

  /// - Parameters:
  ///   - uptime: the machine's running time, sleep included: tells a clock that was set from time that passed.
  ///   - jitter: how far the runs of a kind are spread after their slots; none without it.
  ///   - report: takes a sentence for the log, where the daemon goes on after a failure.
  package init(
    store: Store, runner: JobRunner, zones: any ZoneSource, clock: any WallClock, timer: any WakeSource,
    uptime: @escaping @Sendable () -> Duration = MachineUptime.now, jitter: [JobKind: Duration] = [:],
    report: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.runner = runner
    self.zones = zones
    self.clock = clock
    self.timer = timer
    self.uptime = uptime
    self.jitter = jitter
    self.report = report
  }

  package var clockFinding: ClockWatch.Finding { state.clock }

  /// Settles what an earlier process left half done and plans every job. Call once, before `run`.
  ///
  /// - Parameter crashed: whether the process before this one crashed by itself.
  package func prepare(crashed: Bool = false) async throws {
    let rescued = try await runner.rescueOrphans(crashed: crashed)
    if rescued > 0 { report("took up \(rescued) run(s) that an earlier process left unfinished") }
    try await load()
    _ = state.handle(.began(absences: try await store.absences(since: clock.now().advanced(by: .hours(-24 * 366)))))
  }

  /// Runs until its task is cancelled; a batch under way is finished first.
  package func run() async {
    let wakes = timer.events()
    await look()
    for await _ in wakes {
      if Task.isCancelled { return }
      await look()
    }
  }

  /// Plans a team's jobs anew, after the store has changed them.
  package func replan(team: TeamID) async throws {
    let jobs = planned(try await store.jobs(of: team), holds: try await store.holds(of: team))
    _ = state.handle(.replanned(team, jobs))
    timer.interrupt()
  }

  /// Settles what is due by now, before something changes what is due.
  package func lookNow() async { await look() }

  private func load() async throws {
    let jobs = planned(try await store.jobs(), holds: try await store.holds())
    _ = state.handle(.loaded(jobs))
  }

  private func planned(_ records: [JobRecord], holds: [Hold]) -> [PlannedJob] {
    let holds = Dictionary(grouping: holds, by: \.teamID)
    var rules = RuleShelf()
    return records.compactMap { record in
      do {
        return try PlannedJob(
          record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [], jitter: jitter[record.kind] ?? .zero)
      } catch {
        report("\(error)")
        return nil
      }
    }
  }

  /// One look at the clock and everything that follows from it.
  private func look() async {
    let now = clock.now()
    var latest = now.advanced(by: Limits.longestSleep)
    do {
      for action in state.handle(.woke(now: now, uptime: uptime())) {
        switch action {
        case .beat(let absence): try await store.beat(absence, now: now)
        case .take(let looks): try await runner.run(looks)
        case .sleep(let until): if let until { latest = min(latest, until) }
        }
      }
    } catch {
      // The store's cursors are the truth: read them again, so that nothing that was not committed counts as settled.
      report("\(error); trying again within a minute")
      await reload()
    }
    timer.arm(at: latest)
  }

  private func reload() async {
    do {
      try await load()
    } catch {
      report("\(error); the jobs stay as they were planned")
    }
  }
}
