import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import Synchronization
import Testing
import TradeStores

/// The scheduler and the runner on a real store, with a clock and a timer that the test controls.
struct SchedulerTests {
  private let folder: TemporaryFolder
  private let store: Store
  private let clock = ManualWallClock(Samples.mondayMorning.advanced(by: .hours(-1)))
  private let timer = ManualWakeTimer()
  private let zones = SystemZones()
  private let slot = Samples.mondayMorning

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(place: .ofTest(folder.path), now: Samples.mondayMorning, version: "test")
  }

  private func world(store: Store) -> (Scheduler, JobRunner) {
    let runner = JobRunner(store: store, zones: zones, clock: clock, routes: [SinkRoute(sink: "drop")]) { _ in }
    return (
      Scheduler(
        store: store, runner: runner, zones: zones, clocks: SchedulerClocks(clock, timer: timer),
        callbacks: SchedulerCallbacks(report: { _ in })), runner
    )
  }

  private func addTeam(_ settings: TeamSettings = TeamSettings()) async throws -> Team {
    let zone = try zones.zone(named: "America/Phoenix")
    let team = try await store.addTeam(
      Samples.team(settings: settings), defaultTechnician: "desert-blue", now: clock.now()
    ) { team in JobPlan.all(of: team, in: .pools, zone: zone) }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(
        pools: [Samples.pool(1), Samples.pool(2, customer: "Frank Lam", order: 1)],
        inventory: [Samples.item(stock: 1, threshold: 2)]),
      photos: [:], now: clock.now(), dryRun: false)
    return team
  }

  /// Runs `body` while a scheduler runs that has looked once.
  private func living(_ scheduler: Scheduler, _ body: () async throws -> Void) async throws {
    try await scheduler.prepare()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await scheduler.run() }
      _ = await timer.nextArm()
      try await body()
      group.cancelAll()
    }
  }

  @Test func `a slot becomes a notice with its stops, on time and once`() async throws {
    _ = try await addTeam()
    let (scheduler, _) = world(store: store)
    try await living(scheduler) {
      clock.set(slot)
      timer.fire()
      #expect(await timer.nextArm() == slot.advanced(by: .seconds(60)))
      timer.fire()
      _ = await timer.nextArm()
      let entries = try await store.outbox(OutboxQuery())
      #expect(entries.map(\.notice.body) == ["You have 2 pool(s) scheduled today."])
      #expect(entries.first?.notice.lines.contains { $0.contains("Frank Lam") } == true)
      #expect(entries.first?.notice.lateness == .zero)
    }
  }

  @Test func `the heartbeat is once a minute, however often the scheduler wakes`() async throws {
    let beats = Mutex<[Timestamp]>([])
    let runner = JobRunner(store: store, zones: zones, clock: clock, routes: []) { _ in }
    let scheduler = Scheduler(
      store: store, runner: runner, zones: zones, clocks: SchedulerClocks(clock, timer: timer),
      callbacks: SchedulerCallbacks(
        report: { _ in }, heartbeat: { _, now in beats.withLock { $0.append(now) } }))
    let begin = clock.now()
    try await living(scheduler) {
      clock.set(begin.advanced(by: .seconds(54)))
      await scheduler.runDueJobs()
      #expect(await timer.nextArm() == begin.advanced(by: .seconds(60)))
      clock.set(begin.advanced(by: .seconds(60)))
      timer.fire()
      #expect(await timer.nextArm() == begin.advanced(by: .seconds(120)))
      // The heartbeat follows the arming of the timer.
      timer.fire()
      _ = await timer.nextArm()
      #expect(beats.withLock { $0 } == [begin, begin.advanced(by: .seconds(60))])
    }
  }

  @Test func `a team with a large previous notice is decided last`() async throws {
    let zone = try zones.zone(named: "America/Phoenix")
    for (name, pools) in [("large", 800), ("small-1", 2), ("small-2", 2)] {
      let team = try await store.addTeam(Samples.team(name), defaultTechnician: name, now: clock.now()) { team in
        JobPlan.all(of: team, in: .pools, zone: zone)
      }
      _ = try await store.replaceRecords(
        team: team.name, technician: nil,
        records: RecordSet(
          pools: (1...pools).map { Samples.pool($0, order: $0) },
          serviceEvents: (1...pools).map {
            Samples.visit(10_000 + $0, to: Samples.pool($0).id, at: slot.advanced(by: .hours(-72)))
          }), photos: [:], now: clock.now(), dryRun: false, limitsPools: false)
    }
    let (_, runner) = world(store: store)
    let jobs = try await store.jobs().filter { $0.kind == .morningSummary }
    for (week, told) in [(0, ["large", "small-1", "small-2"]), (1, ["small-1", "small-2", "large"])] {
      let monday = slot.advanced(by: .hours(24 * 7 * week))
      clock.set(monday)
      try await runner.run(
        jobs.map {
          JobTick(
            job: $0, cursor: monday, claims: [ClaimRequest(job: $0, slot: monday, cause: .schedule, asOf: monday)])
        })
      let entries = try await store.outbox(OutboxQuery()).filter { $0.notice.slot == monday }
      #expect(entries.sorted { $0.sequence < $1.sequence }.map(\.notice.teamName) == told)
    }
  }

  @Test func `the timer is armed for at most a minute, and for the slot itself`() async throws {
    _ = try await addTeam()
    let (scheduler, _) = world(store: store)
    try await scheduler.prepare()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await scheduler.run() }
      #expect(await timer.nextArm() == clock.now().advanced(by: .seconds(60)))
      clock.set(slot.advanced(by: .seconds(-20)))
      timer.fire()
      #expect(await timer.nextArm() == slot)
      group.cancelAll()
    }
  }

  @Test func `low stock is suppressed while the morning summary is enabled, with the reason recorded`() async throws {
    _ = try await addTeam()
    let (scheduler, _) = world(store: store)
    try await living(scheduler) {
      clock.set(slot.advanced(by: .minutes(11 * 60 + 30)))
      timer.fire()
      _ = await timer.nextArm()
      let runs = try await store.history(HistoryQuery(kind: .lowStock))
      #expect(runs.map(\.outcome) == [.skipped])
      #expect(runs.first?.reason == "morning-summary-enabled")
    }
  }

  @Test func `a changed morning time moves the slot at once`() async throws {
    let team = try await addTeam()
    let (scheduler, _) = world(store: store)
    let zone = try zones.zone(named: "America/Phoenix")
    try await living(scheduler) {
      _ = try await scheduler.perform(.rules(of: team.id)) {
        try await store.changeTeam(
          named: team.name, now: clock.now(),
          change: { $0.settings.morningTime = TimeOfDay(hour: 7, minute: 2) ?? .sevenInTheMorning }
        ) { team in JobPlan.all(of: team, in: .pools, zone: zone) }
      }
      // The jobs due before the change arm the timer once, the new plan once more.
      _ = await timer.nextArm()
      _ = await timer.nextArm()
      clock.set(slot)
      timer.fire()
      _ = await timer.nextArm()
      #expect(try await store.history(HistoryQuery(kind: .morningSummary)).isEmpty)
      clock.set(slot.advanced(by: .minutes(2)))
      timer.fire()
      _ = await timer.nextArm()
      #expect(try await store.history(HistoryQuery(kind: .morningSummary)).map(\.slot) == [clock.now()])
    }
  }

  @Test func `changed defaults are planned only if the write changed jobs`() async throws {
    let team = try await addTeam()
    let (scheduler, _) = world(store: store)
    let zone = try zones.zone(named: "America/Phoenix")
    try await scheduler.prepare()
    func plannedRule() async throws -> JobRule {
      let upcoming = try #require(await scheduler.upcomingJobs(20, now: clock.now()))
      return try #require(upcoming.jobs.first { $0.record.kind == .morningSummary }).record.rule
    }
    let before = try await plannedRule()
    try await scheduler.changeDefaults {
      _ = try await store.changeTeam(
        named: team.name, now: clock.now(),
        change: { $0.settings.morningTime = TimeOfDay(hour: 7, minute: 2) ?? .sevenInTheMorning }
      ) { team in JobPlan.all(of: team, in: .pools, zone: zone) }
      return false
    }
    #expect(try await plannedRule() == before)
    try await scheduler.changeDefaults { true }
    #expect(try await plannedRule() == .calendar("*-*-* 07:02:00"))
  }

  @Test func `an orphaned run is finished by the next process with the same notice`() async throws {
    let team = try await addTeam()
    let job = try #require(try await store.jobs(of: team.id).first { $0.kind == .morningSummary })
    let request = ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)
    #expect(try await store.claim([request], now: slot).count == 1)
    clock.set(slot.advanced(by: .hours(3)))
    let next = try Store(place: .ofTest(folder.path), now: clock.now(), version: "test")
    let (scheduler, _) = world(store: next)
    try await living(scheduler) {
      let entries = try await next.outbox(OutboxQuery())
      #expect(entries.count == 1)
      #expect(entries.first?.notice.lateness == .hours(3))
      #expect(entries.first?.notice.lines.first == "Late: due Mon 7:00\u{202F}AM MST, sent Mon 10:00\u{202F}AM MST.")
      #expect(entries.first?.notice.id.hasPrefix("20260302T140000Z-morning-summary-") == true)
    }
  }

  @Test func `a manual run decides for another day and moves no schedule`() async throws {
    let team = try await addTeam()
    let (scheduler, runner) = world(store: store)
    try await scheduler.prepare()
    let job = try #require(try await store.jobs(of: team.id).first { $0.kind == .morningSummary })
    let sunday = try await runner.runNow(job, asOf: slot.advanced(by: .hours(-24)))
    let monday = try await runner.runNow(job, asOf: slot)
    #expect(sunday != monday && monday.millisecondOfSecond != 0)
    let runs = try await store.history(HistoryQuery(job: job.id))
    #expect(
      Dictionary(uniqueKeysWithValues: runs.map { ($0.slot, $0.outcome) }) == [sunday: .skipped, monday: .notified])
    #expect(try await store.jobs(of: team.id).first { $0.kind == .morningSummary } == job)
  }
}
