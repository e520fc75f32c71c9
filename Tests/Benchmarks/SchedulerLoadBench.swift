import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowWork
import Foundation
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import TradeStores

extension SchedulerBench {
  // MARK: Rules and reminders

  /// Changes a team's rule among 100,000 jobs: the store's transaction and the scheduler's new plan.
  func rules() async throws {
    let teams = Self.teams(ofJobs: 100_000)
    print("scheduler: a rule changed among \(teams * JobCatalogue.pools.ofTeam.count) jobs")
    let store = try Store(path: folder.path + "/rules.db", now: morning.advanced(by: .hours(-1)), version: "bench")
    try await addTeams(teams, to: store, kinds: JobCatalogue.pools.ofTeam)
    var cache = RuleCache()
    var state = SchedulerState()
    _ = state.handle(.loaded(try await store.jobs().map { try PlannedJob($0, zones: zones, rules: &cache) }))
    let zone = try zones.zone(named: "America/Phoenix")
    var whole: [Double] = []
    var planning: [Double] = []
    for number in 0..<1_000 {
      var timing = JobTiming()
      timing.rule = "Mon..Fri *-*-* 06:\(padded(number % 60, 2)):00"
      let begin = ContinuousClock.now
      let team = try await store.chooseTiming(
        of: .morningSummary, team: "team-\(number * 16 + 1)", now: morning.advanced(by: .seconds(number)),
        change: { [timing] _, _ in timing },
        plan: { team in JobPlan.all(of: team, in: .pools, zone: zone) })
      let committed = ContinuousClock.now
      let jobs = try await store.jobs(of: team.id).map { try PlannedJob($0, zones: zones) }
      _ = state.handle(.replanned(team.id, jobs))
      planning.append((ContinuousClock.now - committed) / .milliseconds(1))
      whole.append((ContinuousClock.now - begin) / .milliseconds(1))
    }
    figureLine("re-planned, ms, p99", [planning.sorted()[990]], .reference(5))
    figureLine("changed, committed and re-planned, ms, median", [whole.sorted()[500]])
    figureLine("changed, committed and re-planned, ms, p99", [whole.sorted()[990]], .reference(5))
  }

  /// A thousand reminders of ten teams, due in the same second as ten thousand mornings.
  func reminders() async throws {
    let (mornings, reminders) = (10_000, 1_000)
    print("scheduler: \(reminders) reminders due in the second of \(mornings) mornings")
    let store = try Store(path: folder.path + "/reminders.db", now: morning.advanced(by: .hours(-1)), version: "bench")
    try await addTeams(mornings, to: store, kinds: [.morningSummary])
    let zone = try zones.zone(named: "America/Phoenix")
    for number in 0..<reminders {
      guard let name = ReminderName("note-\(number)") else { continue }
      let reminder = Reminder(
        name: name, title: .empty, text: try ReminderText("Order cartridges for {pools.today} pools"),
        technicianID: nil, severity: .notice, condition: .always, timesLeft: nil)
      _ = try await store.changeReminder(
        name, of: "team-\(number % 10 + 1)", now: morning.advanced(by: .hours(-1)),
        change: { _, _, _ in TeamReminder(reminder, rule: .calendar("*-*-* 07:00:00"), setBy: "bench") },
        plan: { team in [JobPlan(kind: .morningSummary, rule: JobKind.morningSummary.rule(for: team, zone: zone))] })
    }
    var apart: [Double] = []
    var together: [Double] = []
    for day in 0..<5 {
      // Mornings alone on one day, all jobs on the next; each day is due once.
      let instant = morning.advanced(by: .hours(48 * day))
      apart.append(try await run(of: store, at: instant) { $0.kind == .morningSummary } * 1e6 / Double(mornings))
      together.append(
        try await run(of: store, at: instant.advanced(by: .hours(24))) { _ in true } * 1e6
          / Double(mornings + reminders))
    }
    figureLine("a morning alone, µs, median of \(apart.count)", apart, .baseline)
    figureLine("a run of mornings and reminders, µs, median", together)
    figureLine("ratio", zip(together, apart).map { $0 / $1 })
  }

  // MARK: A year

  func year() async throws {
    print("scheduler: a year of 10,000 jobs")
    let store = try Store(path: folder.path + "/year.db", now: morning.advanced(by: .hours(-1)), version: "bench")
    try await addTeams(2_500, to: store, kinds: [.morningSummary, .lowStock, .weeklyDigest, .trialReminder])
    let image = try await StoreReader(path: store.path).image(team: nil, now: Timestamp(milliseconds: .max))
    var rules = RuleCache()
    let jobs = try image.jobs.map { try PlannedJob($0, zones: zones, rules: &rules) }
    let simulation = Simulation(jobs: jobs, decisions: image.facts.mapValues(\.decision), install: store.install)
    var runs = 0
    let processor = processorSeconds()
    let time = try await timed {
      for _ in simulation.runs(from: morning, to: morning.advanced(by: .hours(8_766))) { runs += 1 }
    }
    figureLine("a simulated year of \(jobs.count) jobs (\(runs) decisions), s", [time], .reference(10))
    figureLine("of it, seconds of one processor", [processorSeconds() - processor])
  }

  // MARK: Lateness

  /// Runs a scheduler over 1,000 slots of 1,000 jobs, one every 40 ms; each run's lateness is read from the ledger.
  func lateness() async throws {
    let count = 1_000
    print("scheduler: \(count) slots, one every 40 ms")
    let clock = SystemWallClock()
    let store = try Store(path: folder.path + "/late.db", now: clock.now(), version: "bench")
    // The teams are created first, so that their commits do not disturb the slots.
    let first = clock.now().advanced(by: .seconds(20))
    for number in 0..<count {
      let slot = first.advanced(by: .milliseconds(number * 40 + 7))
      let draft = Team(
        id: TeamID(0), name: "team-\(number)", trade: .poolService, zone: "America/Phoenix", language: .english,
        units: .imperial,
        objective: .time, plan: .trial(expires: slot.advanced(by: .hours(24))), settings: TeamSettings(),
        createdAt: clock.now())
      _ = try await store.addTeam(draft, defaultTechnician: "anna", now: clock.now()) { _ in
        [JobPlan(kind: .trialReminder, rule: .once(slot))]
      }
    }
    guard clock.now() < first else { throw BenchFailure(description: "the disk takes too long for \(count) teams") }
    let runner = JobRunner(store: store, zones: zones, clock: clock, routes: [SinkRoute(sink: "drop")]) { _ in }
    let scheduler = Scheduler(
      store: store, runner: runner, zones: zones, clocks: SchedulerClocks(clock, timer: try WakeTimer()),
      callbacks: SchedulerCallbacks(report: { print("scheduler: \($0)") }))
    try await scheduler.prepare()
    let end = first.advanced(by: .milliseconds(count * 40 + 1_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await scheduler.run() }
      try await Task.sleep(for: end.since(clock.now()))
      group.cancelAll()
    }
    let late = try await store.history(HistoryQuery(limit: count)).compactMap { run in
      run.startedAt.map { Double($0.milliseconds - run.slot.milliseconds) }
    }.sorted()
    guard late.count == count else { throw BenchFailure(description: "only \(late.count) of \(count) slots ran") }
    figureLine("begun after its slot, ms, median", [late[count / 2]])
    figureLine("begun after its slot, ms, p99", [late[count * 99 / 100]], .reference(5))
    figureLine("begun after its slot, ms, least (never early)", [late[0]], .atLeast(0))
  }
}
