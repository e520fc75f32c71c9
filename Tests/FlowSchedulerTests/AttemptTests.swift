import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Synchronization
import Testing
import TradeStores

/// Attempts, back-off, timeouts, cancellation and coalescing on a real store, with clocks that the test controls.
struct AttemptTests {
  private let folder: TemporaryFolder
  private let store: Store
  private let clock = ManualWallClock(Samples.mondayMorning)
  private let zones = BrittleZones()
  private let slot = Samples.mondayMorning

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(place: .ofTest(folder.path), now: Samples.mondayMorning, version: "test")
  }

  private func addJob() async throws -> JobRecord {
    let zone = try SystemZones().zone(named: "America/Phoenix")
    let before = slot.advanced(by: .hours(-1))
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "desert-blue", now: before) { team in
      [JobPlan(kind: .morningSummary, rule: JobKind.morningSummary.rule(for: team, zone: zone))]
    }
    return try #require(try await store.jobs(of: team.id).first)
  }

  private func tick(_ job: JobRecord, _ slot: Timestamp) -> JobTick {
    JobTick(
      job: job, cursor: slot, claims: [ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)])
  }

  private func runner(
    backgroundTask: @escaping @Sendable (ClaimedRun) -> (any BackgroundTask)? = { _ in nil },
    sleeper: any Clock<Duration> = ContinuousClock()
  ) -> JobRunner {
    JobRunner(
      store: store, zones: zones, clock: clock, routes: [SinkRoute(sink: "drop")], sleeper: sleeper,
      backgroundTask: backgroundTask,
      committed: { _ in })
  }

  private func run(_ job: JobRecord, _ slot: Timestamp? = nil) async throws -> RunRecord {
    try #require(try await store.history(HistoryQuery(job: job.id, slot: slot ?? self.slot, limit: 1)).first)
  }

  // MARK: Attempts

  @Test func `each failed attempt waits longer, and the last one fails the run`() async throws {
    let job = try await addJob()
    let runner = runner()
    zones.isBroken = true
    try await runner.run([tick(job, slot)])
    let backOff = JobKind.morningSummary.attemptRules.backOff
    for (number, wait) in backOff.enumerated() {
      let waiting = try await run(job)
      #expect(waiting.outcome == .waiting && waiting.attempts == number + 1)
      #expect(waiting.reason == "zone-unreadable")
      let next = clock.now().advanced(by: wait)
      #expect(waiting.nextTryAt == next)
      #expect(await runner.nextRetry == next)
      clock.set(next.advanced(by: .milliseconds(-1)))
      try await runner.retryDue()
      #expect(try await run(job).attempts == number + 1)
      clock.set(next)
      try await runner.retryDue()
    }
    let end = try await run(job)
    #expect(end.outcome == .failed && end.attempts == backOff.count + 1)
    #expect(await runner.nextRetry == nil)
  }

  @Test func `an attempt that succeeds after a failure settles the run once`() async throws {
    let job = try await addJob()
    let runner = runner()
    zones.isBroken = true
    try await runner.run([tick(job, slot)])
    zones.isBroken = false
    clock.advance(by: .seconds(30))
    try await runner.retryDue()
    let run = try await run(job)
    #expect(run.outcome == .skipped && run.reason == "no-stops-today" && run.attempts == 2)
    #expect(run.nextTryAt == nil)
  }

  @Test func `a waiting run is reclaimed by the next process, and missed once too late`() async throws {
    let job = try await addJob()
    zones.isBroken = true
    try await runner().run([tick(job, slot)])
    let next = try Store(place: .ofTest(folder.path), now: clock.now(), version: "test")
    let later = JobRunner(
      store: next, zones: SystemZones(), clock: clock, routes: [SinkRoute(sink: "drop")], committed: { _ in })
    #expect(try await later.rescueOrphans(crashed: false) == 0)
    #expect(await later.nextRetry == slot.advanced(by: .seconds(30)))
    clock.advance(by: .hours(6))
    try await later.retryDue()
    let run = try await run(job)
    #expect(run.outcome == .missed && run.reason == "too-late")
  }

  @Test func `a changed rule removes runs that wait under the old rule`() async throws {
    let job = try await addJob()
    let runner = runner()
    zones.isBroken = true
    try await runner.run([tick(job, slot)])
    let team = try await store.team(named: "desert-blue")
    _ = try await store.changeTeam(named: team.name, now: clock.now(), change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 09:00:00"))]
    }
    let swept = try await run(job)
    #expect(swept.outcome == .skipped && swept.reason == "rule-changed")
    clock.advance(by: .minutes(1))
    try await runner.retryDue()
    #expect(try await run(job) == swept)
  }

  @Test func `a cancelled waiting run never runs again`() async throws {
    let job = try await addJob()
    let runner = runner()
    zones.isBroken = true
    try await runner.run([tick(job, slot)])
    let key = RunKey(jobID: job.id, slot: slot)
    #expect(try await runner.cancel(key, by: "anna"))
    #expect(try await runner.cancel(key, by: "anna") == false)
    zones.isBroken = false
    clock.advance(by: .minutes(1))
    try await runner.retryDue()
    let run = try await run(job)
    #expect(run.outcome == .skipped && run.reason == "cancelled" && run.detail == "cancelled by anna")
    #expect(await runner.nextRetry == nil)
  }

  @Test func `a slot due while an earlier one waits is coalesced, and the next one runs`() async throws {
    let job = try await addJob()
    let runner = runner()
    zones.isBroken = true
    try await runner.run([tick(job, slot)])
    let tomorrow = slot.advanced(by: .hours(24))
    try await runner.run([tick(job, tomorrow)])
    let coalesced = try await run(job, tomorrow)
    #expect(coalesced.outcome == .coalesced && coalesced.startedAt == nil)
    #expect(try await runner.cancel(RunKey(jobID: job.id, slot: slot), by: "anna"))
    zones.isBroken = false
    let after = slot.advanced(by: .hours(48))
    try await runner.run([tick(job, after)])
    #expect(try await run(job, after).outcome == .skipped)
  }

  // MARK: Background tasks

  /// Runs `body` while the runner executes background tasks.
  private func whilePerforming(_ runner: JobRunner, _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await runner.performBackgroundTasks() }
      try await body()
      group.cancelAll()
    }
  }

  @Test func `a background task settles its run and delays no decision`() async throws {
    let job = try await addJob()
    let gate = Gate()
    let runner = runner(backgroundTask: { $0.cause == .schedule ? GatedTask(gate: gate) : nil })
    try await whilePerforming(runner) {
      try await runner.run([tick(job, slot)])
      await gate.arrivals(1)
      #expect(try await run(job).outcome == .running)
      let manual = try await runner.runNow(job, asOf: slot)
      #expect(try await run(job, manual).outcome == .skipped)
      gate.open()
      try await settled(job)
      #expect(try await run(job).outcome == .done)
    }
  }

  @Test func `a server run is a background task, and fails with a reason without a handler`() async throws {
    let job = try await addJob()
    try await store.planServerJobs(
      [JobPlan(kind: .lsiRefresh, rule: .calendar("*-*-* 02:30:00"))], zone: "UTC", now: slot.advanced(by: .hours(-1)))
    let night = try #require(try await store.jobs(of: nil).first)
    let gate = Gate()
    let able = runner(backgroundTask: { $0.kind == .lsiRefresh ? GatedTask(gate: gate) : nil })
    try await whilePerforming(able) {
      try await able.run([tick(night, slot), tick(job, slot)])
      #expect(try await run(job).outcome == .skipped)
      gate.open()
      try await settled(night)
      let done = try await run(night)
      #expect(done.outcome == .done && done.detail == "passed" && done.teamID == nil)
    }
    let later = slot.advanced(by: .hours(24))
    try await runner().run([tick(night, later)])
    let unperformed = try await run(night, later)
    #expect(unperformed.outcome == .waiting && unperformed.reason == "no-labour")
  }

  @Test func `background tasks are limited in number`() async throws {
    let job = try await addJob()
    let gate = Gate()
    let runner = runner(backgroundTask: { _ in GatedTask(gate: gate) })
    try await whilePerforming(runner) {
      var slots: [Timestamp] = []
      for _ in 0..<Limits.backgroundTasksAtOnce + 3 { slots.append(try await runner.runNow(job, asOf: slot)) }
      await gate.arrivals(Limits.backgroundTasksAtOnce)
      #expect(gate.highest == Limits.backgroundTasksAtOnce)
      gate.open()
      for slot in slots { try await settled(job, slot) }
      #expect(gate.highest == Limits.backgroundTasksAtOnce)
    }
  }

  @Test func `a background task that exceeds its timeout is cancelled and retried`() async throws {
    let job = try await addJob()
    let gate = Gate()
    let runner = runner(backgroundTask: { _ in GatedTask(gate: gate) }, sleeper: ImpatientClock())
    try await whilePerforming(runner) {
      try await runner.run([tick(job, slot)])
      try await settled(job)
      let run = try await run(job)
      #expect(run.outcome == .waiting && run.reason == "timed-out")
      #expect(run.nextTryAt == slot.advanced(by: .seconds(30)))
    }
  }

  @Test func `a cancelled background task stops and is not retried`() async throws {
    let job = try await addJob()
    let gate = Gate()
    let runner = runner(backgroundTask: { _ in GatedTask(gate: gate) })
    try await whilePerforming(runner) {
      try await runner.run([tick(job, slot)])
      await gate.arrivals(1)
      #expect(try await runner.cancel(RunKey(jobID: job.id, slot: slot), by: "anna"))
      try await settled(job)
      let run = try await run(job)
      #expect(run.outcome == .skipped && run.reason == "cancelled")
    }
  }

  @Test func `a background task interrupted by a stop is reclaimed by the next process`() async throws {
    let job = try await addJob()
    let gate = Gate()
    let runner = runner(backgroundTask: { _ in GatedTask(gate: gate) })
    try await whilePerforming(runner) {
      try await runner.run([tick(job, slot)])
      await gate.arrivals(1)
    }
    #expect(try await run(job).outcome == .running)
    let next = try Store(place: .ofTest(folder.path), now: clock.now(), version: "test")
    let later = JobRunner(
      store: next, zones: SystemZones(), clock: clock, routes: [SinkRoute(sink: "drop")], committed: { _ in })
    #expect(try await later.rescueOrphans(crashed: false) == 1)
    #expect(try await run(job).outcome == .skipped)
  }

  /// Polls the store until the run has ended, with a time limit.
  private func settled(_ job: JobRecord, _ slot: Timestamp? = nil) async throws {
    let start = ContinuousClock.now
    while try await run(job, slot).outcome == .running {
      try #require(ContinuousClock.now - start < .seconds(180), "the run never ended")
      await Task.yield()
    }
  }
}

/// The system's zones, which a test can make fail.
private final class BrittleZones: ZoneSource {
  private let system = SystemZones()
  private let broken = Mutex(false)

  var isBroken: Bool {
    get { broken.withLock { $0 } }
    set { broken.withLock { $0 = newValue } }
  }

  func zone(named name: String) throws(ZoneError) -> Zone {
    if isBroken { throw .broken(name: name, why: "another program replaces it") }
    return try system.zone(named: name)
  }
}

/// A background task that waits until the test releases it or its task is cancelled.
private struct GatedTask: BackgroundTask {
  let gate: Gate

  func perform() async throws -> Outcome {
    try await gate.pass()
    return Outcome(result: .done, reason: nil, detail: "passed", notice: nil)
  }
}

private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var inside = 0
    var highest = 0
  }

  private let state = Mutex(State())

  var highest: Int { state.withLock { $0.highest } }

  func open() { state.withLock { $0.isOpen = true } }

  func pass() async throws {
    state.withLock {
      $0.inside += 1
      $0.highest = max($0.highest, $0.inside)
    }
    defer { state.withLock { $0.inside -= 1 } }
    while !state.withLock({ $0.isOpen }) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Waits until `count` tasks are inside.
  func arrivals(_ count: Int) async {
    while state.withLock({ $0.inside }) < count { await Task.yield() }
  }
}

/// A clock whose sleeps end at once.
private struct ImpatientClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
