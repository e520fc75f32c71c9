import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import Testing

/// The rows that a clock ahead of time leaves in the store, and their rollback.
struct WrongClockTests {
  private let folder: TemporaryFolder
  private let slot = Samples.mondayMorning
  private var now: Timestamp { slot.advanced(by: .hours(-1)) }
  private var ahead: Timestamp { slot.advanced(by: .hours(24 * 400 + 1)) }

  init() throws { folder = try TemporaryFolder() }

  private func day(_ number: Int) -> Timestamp { slot.advanced(by: .hours(24 * number)) }

  private func addTeam(_ store: any Engine.Opened) async throws -> JobRecord {
    var trust = ClockTrust()
    trust.tick(at: day(-2), elapsed: .zero)
    try await store.heartbeat(nil, trust: trust, now: day(-2))
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: day(-2)) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    return try #require(try await store.jobs(of: team.id).first)
  }

  private func claim(_ job: JobRecord, _ slot: Timestamp) -> ClaimRequest {
    ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)
  }

  private func missed(_ job: JobRecord, _ days: ClosedRange<Int>) -> [SkippedSlot] {
    days.map {
      SkippedSlot(jobID: job.id, generation: job.generation, slot: day($0), reason: "too-late", detail: "d")
    }
  }

  private func run(
    _ store: any Engine.Opened, _ job: JobRecord, _ slot: Timestamp, at instant: Timestamp? = nil,
    passed: [SkippedSlot] = []
  ) async throws {
    let instant = instant ?? slot
    let runs = try await store.take(
      [JobTick(job: job, cursor: slot, claims: [claim(job, slot)], passed: passed)], now: instant)
    let outcome = Outcome(result: .skipped, reason: "no-stops-today", detail: nil, notice: nil)
    try await store.settle(
      runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: instant) }, routes: [])
  }

  /// Yesterday's run used the right clock; then a process 400 days ahead skips the days between and runs the newest slot.
  private func wrongLife(_ engine: Engine) async throws -> JobRecord {
    let right = try engine.open(folder.path, day(-2))
    let job = try await addTeam(right)
    try await run(right, job, day(-1))
    try await right.endEpoch(at: now)
    let wrong = try engine.open(folder.path, ahead)
    try await run(wrong, job, day(400), at: ahead, passed: missed(job, 0...399))
    try await wrong.heartbeat(nil, now: ahead)
    return job
  }

  @Test(arguments: Engine.all)
  func `the cursor returns to the newest run, and skipped slots are open again`(engine: Engine) async throws {
    let job = try await wrongLife(engine)
    let store = try engine.open(folder.path, now)
    #expect(try await store.storedClockState(now: now).isAhead)
    let mend = try #require(try await store.rollBack(now: now))
    #expect(mend.jobs == 1 && mend.slots == 400 && mend.early == 1 && mend.isForOperator)
    #expect(mend.ahead == ahead && mend.since == now)
    #expect(try await store.jobs().map(\.cursor) == [day(-1)])
    #expect(try await store.history(HistoryQuery(job: job.id)).map(\.slot) == [day(400), day(-1)])
    #expect(try await store.slotsRunEarly(after: now) == [job.id: [day(400)]])
    #expect(try await store.lastClockCorrection() == mend)
    // Runs stay settled, and a second rollback finds nothing.
    #expect(try await store.claim([claim(job, day(400)), claim(job, day(-1))], now: now).isEmpty)
    #expect(try await store.rollBack(now: now.advanced(by: .seconds(1))) == nil)
    #expect(try await store.storedClockState(now: now.advanced(by: .seconds(1))).isAhead == false)
    let downtimes = try await store.downtimes(since: day(-3))
    #expect(downtimes.contains { $0.kind == .clockWasAhead } && downtimes.allSatisfy { $0.to <= now }, "\(downtimes)")
  }

  @Test(arguments: Engine.all)
  func `jobs are read as after the rollback before it is applied`(engine: Engine) async throws {
    _ = try await wrongLife(engine)
    let store = try engine.open(folder.path, now)
    #expect(try await store.settled(store.jobs(), asOf: now).map(\.cursor) == [day(-1)])
    #expect(try await store.jobs().map(\.cursor) == [day(400)])
  }

  @Test(arguments: Engine.all)
  func `after a clock rollback a used skip stays used and an ended pause stays ended`(engine: Engine) async throws {
    let right = try engine.open(folder.path, day(-2))
    let job = try await addTeam(right)
    let wrong = try engine.open(folder.path, ahead)
    let pause = HoldRequest(teamID: job.teamID, jobID: job.id, kind: .pause(until: nil), note: "", setBy: "anna")
    _ = try await right.hold(pause, now: now)
    _ = try await wrong.take(
      [
        JobTick(
          job: job, cursor: day(2), claims: [],
          passed: [
            SkippedSlot(
              jobID: job.id, generation: 1, slot: day(1), outcome: .skipped, reason: "skipped-by-hand", detail: "s"),
            SkippedSlot(jobID: job.id, generation: 1, slot: day(2), outcome: .paused, reason: "paused", detail: "p"),
          ])
      ], now: ahead)
    #expect(try await wrong.release(team: job.teamID, job: job.id, now: ahead, by: "ben") == 1)
    let store = try engine.open(folder.path, now)
    _ = try await store.rollBack(now: now)
    #expect(try await store.history(HistoryQuery(job: job.id)).map(\.slot) == [day(1)])
    let holds = try await store.holds(of: job.teamID, from: day(-3), to: ahead)
    #expect(holds.map(\.endedAt) == [now])
  }

  @Test(arguments: Engine.all)
  func `a rule that a wrong clock changed starts now`(engine: Engine) async throws {
    let right = try engine.open(folder.path, day(-2))
    let job = try await addTeam(right)
    try await right.endEpoch(at: now.advanced(by: .minutes(-10)))
    let wrong = try engine.open(folder.path, ahead)
    _ = try await wrong.changeTeam(named: "desert-blue", now: ahead, change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:30:00"))]
    }
    let store = try engine.open(folder.path, now)
    _ = try await store.rollBack(now: now)
    let rules = try await store.rules(of: job.id)
    #expect(rules.map(\.until) == [now.advanced(by: .minutes(-10)), nil])
    #expect(try await store.jobs().map(\.cursor) == [now.advanced(by: .minutes(-10))])
  }

  @Test(arguments: Engine.all)
  func `an entry waiting for a future day is retried now, small clock steps shorten nothing`(engine: Engine)
    async throws
  {
    let right = try engine.open(folder.path, now)
    let notice = OperatorNotice.test(sink: "drop", by: "anna")
    _ = try await right.notify(notice.notice(at: now, install: "i"), routes: [SinkRoute(sink: "drop")], now: now)
    let entry = try #require(try await right.outbox(OutboxQuery()).first)
    let later = now.advanced(by: .hours(10))
    try await right.markRefused(
      [EntryRefusal(sequence: entry.sequence, error: "e", next: .tryAgain(at: later))], at: now)
    _ = try await right.rollBack(now: now, from: now.advanced(by: .seconds(30)))
    #expect(try await right.nextDue(sink: "drop") == later)
    try await right.markRefused(
      [EntryRefusal(sequence: entry.sequence, error: "e", next: .tryAgain(at: ahead.advanced(by: .seconds(5))))],
      at: ahead)
    let mend = try await right.rollBack(now: now, from: ahead)
    #expect(mend?.retries == 1)
    #expect(try await right.nextDue(sink: "drop") == now)
  }

  @Test(arguments: Engine.all)
  func `a cursor never returns before a pruned run`(engine: Engine) async throws {
    let job = try await wrongLife(engine)
    let store = try engine.open(folder.path, now)
    #expect(try await store.prune(now: day(0).advanced(by: Limits.ledgerRetention)) == 1)
    let before = day(-1).advanced(by: .hours(-5))
    _ = try await store.rollBack(now: before)
    #expect(try await store.jobs().map(\.cursor) == [day(-1)])
    #expect(try await store.claim([claim(job, day(400))], now: before).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `a clock that jumped deletes nothing until a day of running confirms it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    #expect(try await store.deletionTime(now: ahead) == ahead, "nothing is known yet")
    var trust = ClockTrust()
    trust.tick(at: now, elapsed: .zero)
    try await store.heartbeat(nil, trust: trust, now: now)
    #expect(try await store.deletionTime(now: now.advanced(by: .hours(25))) == now.advanced(by: .hours(25)))
    #expect(try await store.deletionTime(now: ahead) == now)
    var next = try await store.clockTrust()
    for hour in 0...23 { next.tick(at: ahead.advanced(by: .hours(hour)), elapsed: hour == 0 ? .zero : .hours(1)) }
    #expect(next.confirmed == now)
    next.tick(at: ahead.advanced(by: .hours(24)), elapsed: .hours(1))
    #expect(next.confirmed == ahead.advanced(by: .hours(24)))
  }

  @Test func `sleep does not make the clock doubtful, a time far behind does`() {
    var trust = ClockTrust()
    #expect(!trust.isFarBehind(now))
    trust.tick(at: now, elapsed: .zero)
    trust.tick(at: ahead, elapsed: .seconds(3))
    #expect(!trust.isFarBehind(now), "it comes back from a jump")
    trust.tick(at: now.advanced(by: .hours(24 * 9)), elapsed: .hours(24 * 9))
    #expect(trust.confirmed == now.advanced(by: .hours(24 * 9)))
    #expect(trust.isFarBehind(now) && !trust.isFarBehind(now.advanced(by: .hours(24 * 8))))
  }

  @Test(arguments: Engine.all)
  func `a clock set forward during this process counts as right until then`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)
    try await run(store, job, day(-1))
    // A suspend says nothing about the clock.
    try await store.heartbeat(Downtime(kind: .asleep, from: now.advanced(by: .minutes(-5)), to: ahead), now: ahead)
    for minutes in [-40, -9] {
      let from = now.advanced(by: .minutes(minutes))
      try await store.heartbeat(Downtime(kind: .clockSetForwards, from: from, to: ahead), now: ahead)
    }
    // A manual run settles no slot.
    let byHand = try await store.claim(
      [ClaimRequest(job: job, slot: now.advanced(by: .hours(-2)), cause: .manual, asOf: now)], now: now)
    try await store.settle(
      byHand.map {
        RunSettlement(
          run: $0, outcome: Outcome(result: .skipped, reason: "no-stops-today", detail: nil, notice: nil),
          finishedAt: now)
      }, routes: [])
    let skippedRange = SkippedSlotRange(
      jobID: job.id, generation: job.generation, first: day(0), last: day(300), reason: "too-old", detail: "d")
    _ = try await store.take(
      [JobTick(job: job, cursor: day(400), claims: [], passed: missed(job, 301...400), skippedRange: skippedRange)],
      now: ahead)
    let mend = try #require(try await store.rollBack(now: now, from: ahead))
    #expect(mend.since == now.advanced(by: .minutes(-9)) && mend.slots == 101 && mend.jobs == 1 && mend.early == 0)
    let downtimes = try await store.downtimes(since: day(-3))
    let told = downtimes.filter { $0.kind == .clockWasAhead }
    #expect(told == [Downtime(kind: .clockWasAhead, from: now.advanced(by: .minutes(-9)), to: now)], "\(downtimes)")
    #expect(try await store.jobs().map(\.cursor) == [day(-1)])
  }

  @Test(arguments: Engine.all)
  func `the newest range that the right clock skipped stays skipped`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)
    func pass(_ first: Int, _ last: Int, cursor: Timestamp, at instant: Timestamp) async throws {
      let skippedRange = SkippedSlotRange(
        jobID: job.id, generation: job.generation, first: day(-2).advanced(by: .minutes(first)),
        last: day(-2).advanced(by: .minutes(last)), reason: "too-old", detail: "d")
      _ = try await store.take(
        [JobTick(job: job, cursor: cursor, claims: [], passed: [], skippedRange: skippedRange)], now: instant)
    }
    try await pass(10, 20, cursor: day(-2).advanced(by: .minutes(20)), at: day(-1))
    try await pass(30, 40, cursor: day(-2).advanced(by: .minutes(40)), at: day(-1))
    try await pass(50, 600_000, cursor: day(400), at: ahead)
    _ = try await store.rollBack(now: now, from: ahead)
    #expect(try await store.jobs().map(\.cursor) == [day(-2).advanced(by: .minutes(40))])
  }

  @Test(arguments: Engine.all)
  func `a clock rollback redates server notices to now and keeps team notices' times`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)
    _ = try await store.notify(
      OperatorNotice.test(sink: "drop", by: "anna").notice(at: ahead, install: "i"), routes: [SinkRoute(sink: "drop")],
      now: ahead)
    let runs = try await store.claim([claim(job, day(400))], now: ahead)
    try await store.settle(
      runs.map { run in
        RunSettlement(
          run: run,
          outcome: Outcome(
            result: .notified, reason: nil, detail: nil,
            notice: Notice(
              id: "of-the-team", teamID: run.teamID, teamName: "", jobID: run.jobID, job: "morning-summary",
              slot: run.slot, identifier: "i", title: "t", body: "b", lines: [], dataJSON: "{}", lateness: .zero,
              createdAt: ahead,
              expiresAt: nil)),
          finishedAt: ahead)
      }, routes: [SinkRoute(sink: "drop")])
    _ = try await store.rollBack(now: now, from: ahead)
    let created = try engine.connection(folder.path).rows(
      "SELECT job_id IS NULL, created_ms FROM notices ORDER BY 1 DESC"
    ) { row throws(StoreError) in row.integer(1) }
    #expect(created == [now.milliseconds, ahead.milliseconds])
  }

  @Test(arguments: Engine.all)
  func `a process that only polled while the clock was ahead is rolled back too`(engine: Engine) async throws {
    let wrong = try engine.open(folder.path, day(-2))
    _ = try await addTeam(wrong)
    #expect(try await wrong.storedClockState(now: now).isAhead == false)
    try await wrong.heartbeat(nil, now: ahead)
    let store = try engine.open(folder.path, now)
    #expect(try await store.storedClockState(now: now).isAhead)
    let mend = try #require(try await store.rollBack(now: now))
    #expect(mend.ahead == ahead && mend.jobs == 0 && mend.slots == 0 && mend.early == 0)
    #expect(try await store.storedClockState(now: now).isAhead == false)
    #expect(try await store.rollBack(now: now) == nil)
  }

  @Test(arguments: Engine.all)
  func `a clock rollback keeps each pool's last crossing`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)
    let team = try #require(job.teamID)
    let pools = [Samples.pool(1), Samples.pool(2), Samples.pool(3)]
    _ = try await store.upsertPools(
      team: "desert-blue", technician: nil, pools: pools, profiles: [], now: day(-2), dryRun: false)
    let connection = try engine.connection(folder.path)
    // The second pool's crossing is after all of the first's, the third's before now.
    for (pool, at, after) in [(0, 1, 0), (0, 2, 2), (1, 3, 0), (2, -3, 2)] {
      try connection.run(
        "INSERT INTO water_crossings (team_id, pool_id, at_ms, before, after, lsi) VALUES (?, ?, ?, 1, ?, 0.5)",
        .integer(team.number), .uuid(pools[pool].id.uuid), .integer(now.advanced(by: .hours(at)).milliseconds),
        .integer(after))
    }
    _ = try await store.rollBack(now: now, from: ahead)
    let left = try connection.rows("SELECT pool_id, at_ms, after FROM water_crossings ORDER BY after, at_ms, pool_id") {
      row throws(StoreError) in
      [row.text(0).lowercased(), "\((row.integer(1) - now.milliseconds) / 1_000)", "\(row.integer(2))"]
    }
    let ids = pools.map { "\($0.id)".lowercased() }
    #expect(left == [[ids[1], "0", "0"], [ids[2], "-10800", "2"], [ids[0], "0", "2"]], "\(left)")
  }
}
