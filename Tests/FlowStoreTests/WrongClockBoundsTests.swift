import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import Testing

/// Boundary cases of a clock rollback: rows exactly at the current instant, and one millisecond beside it.
struct WrongClockBoundsTests {
  private let folder: TemporaryFolder
  private let slot = Samples.mondayMorning
  private var now: Timestamp { slot.advanced(by: .hours(-1)) }
  private var ahead: Timestamp { slot.advanced(by: .hours(24 * 400 + 1)) }

  init() throws { folder = try TemporaryFolder() }

  private func day(_ number: Int) -> Timestamp { slot.advanced(by: .hours(24 * number)) }
  private func minutes(_ number: Int) -> Timestamp { now.advanced(by: .minutes(number)) }

  /// A team with its morning and its weekly job.
  private func addTeam(_ store: any Engine.Opened, at instant: Timestamp? = nil) async throws -> [JobRecord] {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: instant ?? day(-2)) { _ in
      [
        JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00")),
        JobPlan(kind: .weeklyDigest, rule: .calendar("Mon *-*-* 08:00:00")),
      ]
    }
    let jobs = try await store.jobs(of: team.id)
    return try [JobKind.morningSummary, .weeklyDigest].map { kind in try #require(jobs.first { $0.kind == kind }) }
  }

  private func cursor(_ job: JobRecord, in store: any Engine.Opened) async throws -> Timestamp? {
    try await store.jobs().first { $0.id == job.id }?.cursor
  }

  private func move(
    _ job: JobRecord, to cursor: Timestamp, passed: [SkippedSlot] = [], at instant: Timestamp,
    skippedRange: SkippedSlotRange? = nil, in store: any Engine.Opened
  ) async throws {
    _ = try await store.take(
      [JobTick(job: job, cursor: cursor, claims: [], passed: passed, skippedRange: skippedRange)], now: instant)
  }

  private func late(_ job: JobRecord, _ slots: Timestamp...) -> [SkippedSlot] {
    slots.map { SkippedSlot(jobID: job.id, generation: job.generation, slot: $0, reason: "too-late", detail: "d") }
  }

  private func jump(from start: Timestamp, in store: any Engine.Opened) async throws {
    try await store.heartbeat(Downtime(kind: .clockSetForwards, from: start, to: ahead), now: ahead)
  }

  private func setMorning(_ time: String, at instant: Timestamp, in store: any Engine.Opened) async throws {
    _ = try await store.changeTeam(named: "desert-blue", now: instant, change: { _ in }) { _ in
      [
        JobPlan(kind: .morningSummary, rule: .calendar("*-*-* \(time)")),
        JobPlan(kind: .weeklyDigest, rule: .calendar("Mon *-*-* 08:00:00")),
      ]
    }
  }

  private func numbers(_ engine: Engine, _ sql: String) throws -> [[Int64]] {
    try engine.connection(folder.path).rows(sql) { row throws(StoreError) in (0..<3).map { row.integer(Int32($0)) } }
  }

  private func run(_ job: JobRecord, _ slot: Timestamp, in store: any Engine.Opened) async throws {
    let claim = ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)
    let runs = try await store.take([JobTick(job: job, cursor: slot, claims: [claim])], now: slot)
    let outcome = Outcome(result: .skipped, reason: "no-stops-today", detail: nil, notice: nil)
    try await store.settle(
      runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: slot) }, routes: [])
  }

  @Test(arguments: Engine.all)
  func `a cursor at or before now stays, and a cursor ahead is rolled back`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    try await move(jobs[0], to: now, at: now, in: store)
    try await move(jobs[1], to: day(400), at: ahead, in: store)
    let seen = try await store.settled(store.jobs(), asOf: now)
    #expect(seen.first { $0.id == jobs[0].id }?.cursor == now)
    #expect(seen.first { $0.id == jobs[1].id }?.cursor == day(-2))
    let mend = try #require(try await store.rollBack(now: now))
    #expect(mend.ahead == day(400) && mend.jobs == 1 && mend.slots == 0, "\(mend)")
    #expect(try await cursor(jobs[0], in: store) == now)
    #expect(try await cursor(jobs[1], in: store) == day(-2))
  }

  @Test(arguments: Engine.all)
  func `a past slot that a clock ahead settled without a run is open again`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, day(-1), in: store)
    try await move(job, to: slot, passed: late(job, slot), at: ahead, in: store)
    let mend = try #require(try await store.rollBack(now: slot.advanced(by: .minutes(30)), from: ahead))
    #expect(mend.slots == 1 && mend.jobs == 0, "\(mend)")
    #expect(try await cursor(job, in: store) == day(-1))
    #expect(try await store.history(HistoryQuery(job: job.id)).map(\.slot) == [day(-1)])
  }

  @Test(arguments: Engine.all)
  func `a run at the current instant is settled and not early`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, slot, in: store)
    try await move(job, to: day(400), at: ahead, in: store)
    let mend = try #require(try await store.rollBack(now: slot, from: ahead))
    #expect(mend.early == 0 && mend.jobs == 1, "\(mend)")
    #expect(try await cursor(job, in: store) == slot)
    let kept = try await store.history(HistoryQuery(job: job.id))
    #expect(kept.map(\.slot) == [slot] && kept.map(\.note) == [nil])
  }

  @Test(arguments: Engine.all)
  func `a future slot that a user skipped does not count as having run`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    let skipped = SkippedSlot(
      jobID: job.id, generation: job.generation, slot: day(1), outcome: .skipped, reason: "skipped-by-hand",
      detail: "s")
    try await move(job, to: day(1), passed: [skipped], at: ahead, in: store)
    #expect(try await store.rollBack(now: now, from: ahead)?.early == 0)
    let kept = try await store.history(HistoryQuery(job: job.id))
    #expect(kept.map(\.slot) == [day(1)] && kept.map(\.note) == [nil])
  }

  @Test(arguments: Engine.all)
  func `a clock jump is remembered across a restart, inclusive of the current instant`(engine: Engine) async throws {
    let first = try engine.open(folder.path, day(-2))
    _ = try await addTeam(first)
    let jump = Downtime(kind: .clockSetForwards, from: minutes(-9), to: ahead)
    try await first.heartbeat(jump, now: now)
    let second = try engine.open(folder.path, now)
    #expect(try await second.rollBack(now: now, from: ahead)?.since == minutes(-9))
    try await second.heartbeat(Downtime(kind: .clockSetForwards, from: minutes(5), to: ahead), now: minutes(5))
    #expect(try await second.rollBack(now: minutes(5), from: ahead)?.since == minutes(5))
  }

  @Test(arguments: Engine.all)
  func `two clock jumps from one instant are one period until the later end`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    _ = try await addTeam(store)
    for end in [minutes(-4), now] {
      try await store.heartbeat(Downtime(kind: .clockSetForwards, from: minutes(-9), to: ahead), now: ahead)
      _ = try await store.rollBack(now: end, from: ahead)
    }
    let told = try await store.downtimes(since: day(-3)).filter { $0.kind == .clockWasAhead }
    #expect(told == [Downtime(kind: .clockWasAhead, from: minutes(-9), to: now)], "\(told)")
  }

  @Test(arguments: Engine.all)
  func `a process that started at this instant had no wrong clock`(engine: Engine) async throws {
    let first = try engine.open(folder.path, day(-2))
    _ = try await addTeam(first)
    try await first.endEpoch(at: minutes(-10))
    _ = try engine.open(folder.path, now)
    let third = try engine.open(folder.path, now)
    let mend = try #require(try await third.rollBack(now: now, from: ahead))
    #expect(mend.since == nil)
    #expect(try await third.downtimes(since: day(-3)).allSatisfy { $0.kind != .clockWasAhead })
  }

  @Test(arguments: Engine.all)
  func `after a clock rollback only rule spans that the wrong clock closed are reopened`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    try await setMorning("07:30:00", at: day(-1), in: store)
    try await setMorning("07:45:00", at: ahead, in: store)
    _ = try await store.rollBack(now: now, from: ahead)
    #expect(try await store.rules(of: jobs[0].id).map(\.until) == [day(-1), now, nil])
  }

  @Test(arguments: Engine.all)
  func `a rule started by a clock ahead starts no earlier than the pruning limit`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, day(-1), in: store)
    _ = try await store.changeTeam(named: "desert-blue", now: ahead, change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:30:00"))]
    }
    #expect(try await store.prune(now: day(0).advanced(by: Limits.ledgerRetention)) == 1)
    _ = try await store.rollBack(now: day(-1).advanced(by: .hours(-5)), from: ahead)
    let changed = try engine.connection(folder.path).rows(
      "SELECT cursor_ms, since_ms FROM jobs WHERE job_id = ?", .integer(job.id.number)
    ) { row throws(StoreError) in [row.integer(0), row.integer(1)] }
    #expect(changed == [[day(-1).milliseconds, day(-1).milliseconds]])
  }

  @Test(arguments: Engine.all)
  func `the clock's trust is stored unchanged, and the newest cursor is the furthest one`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    let trust = ClockTrust(confirmed: minutes(-1), unconfirmedDuration: .milliseconds(5_400_001))
    try await store.heartbeat(nil, trust: trust, now: now)
    let known = try await store.clockTrust()
    #expect(known.confirmed == trust.confirmed && known.unconfirmedDuration == trust.unconfirmedDuration)
    try await move(jobs[0], to: day(-1), at: now, in: store)
    try await move(jobs[1], to: minutes(-5), at: now, in: store)
    #expect(try await store.newestCursor() == minutes(-5))
  }

  @Test(arguments: Engine.all)
  func `neither the current instant nor the current process counts as ahead of the clock`(engine: Engine) async throws {
    let first = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(first)
    try await move(jobs[0], to: now, at: now, in: first)
    try await first.heartbeat(nil, now: now)
    let second = try engine.open(folder.path, now)
    #expect(try await second.storedClockState(now: now).isAhead == false)
    #expect(try await second.storedClockState(now: now.advanced(by: .milliseconds(-1))).isAhead)
    try await second.heartbeat(nil, now: ahead)
    #expect(try await second.storedClockState(now: now).isAhead == false)
  }

  @Test(arguments: Engine.all)
  func `a clock jump before a process started is dated by the process before it`(engine: Engine) async throws {
    try await engine.open(folder.path, day(-2)).endEpoch(at: minutes(-30))
    let second = try engine.open(folder.path, ahead)
    #expect(try await second.rollBack(now: now, from: ahead)?.since == nil)
    let later = ahead.advanced(by: .hours(1))
    let third = try engine.open(folder.path, later)
    try await third.endEpoch(at: minutes(10))
    _ = try engine.open(folder.path, later)
    let fifth = try engine.open(folder.path, minutes(20))
    #expect(try await fifth.rollBack(now: minutes(20))?.since == minutes(10))
  }

  @Test(arguments: Engine.all)
  func `a forward clock change that ended by now stays recorded`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    _ = try await addTeam(store)
    let over = Downtime(kind: .clockSetForwards, from: minutes(-9), to: now)
    try await store.heartbeat(over, now: now)
    #expect(try await store.rollBack(now: now, from: ahead)?.since == nil)
    try await jump(from: minutes(-5), in: store)
    #expect(try await store.rollBack(now: now, from: ahead)?.since == minutes(-5))
    #expect(try await store.downtimes(since: day(-3)).contains(over))
  }

  @Test(arguments: Engine.all)
  func `slots and ranges skipped at the current instant stay skipped`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    try await move(jobs[0], to: day(-1), passed: late(jobs[0], day(-1)), at: now, in: store)
    let skippedRange = SkippedSlotRange(
      jobID: jobs[1].id, generation: jobs[1].generation, first: day(-2).advanced(by: .hours(1)),
      last: day(-2).advanced(by: .hours(9)), reason: "too-old", detail: "d")
    try await move(jobs[1], to: skippedRange.last, at: now, skippedRange: skippedRange, in: store)
    for job in jobs { try await move(job, to: day(400), at: ahead, in: store) }
    let mend = try #require(try await store.rollBack(now: now))
    #expect(mend.jobs == 2 && mend.slots == 0, "\(mend)")
    #expect(try await cursor(jobs[0], in: store) == day(-1))
    #expect(try await cursor(jobs[1], in: store) == skippedRange.last)
    #expect(try await store.history(HistoryQuery(job: jobs[0].id)).map(\.slot) == [day(-1)])
  }

  @Test(arguments: Engine.all)
  func `a skipped range that is recorded twice keeps the later end`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    for hours in [4, 9, 6] {
      let skippedRange = SkippedSlotRange(
        jobID: job.id, generation: job.generation, first: day(-2).advanced(by: .hours(1)),
        last: day(-2).advanced(by: .hours(hours)), reason: "too-old", detail: "d")
      try await move(job, to: day(-1), at: now, skippedRange: skippedRange, in: store)
    }
    try await move(job, to: day(400), at: ahead, in: store)
    _ = try await store.rollBack(now: now)
    #expect(try await cursor(job, in: store) == day(-2).advanced(by: .hours(9)))
  }

  @Test(arguments: Engine.all)
  func `a slot at this instant settled by a clock ahead is reopened, its cursor unchanged`(engine: Engine) async throws
  {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await move(job, to: slot, passed: late(job, slot), at: ahead, in: store)
    let mend = try #require(try await store.rollBack(now: slot, from: ahead))
    #expect(mend.slots == 1 && mend.jobs == 0, "\(mend)")
  }

  @Test(arguments: Engine.all)
  func `a verdict before the pruning limit is not rolled back`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    try await run(jobs[0], day(-1), in: store)
    #expect(try await store.prune(now: day(0).advanced(by: Limits.ledgerRetention)) == 1)
    let slots = [-1, 0, 1].map { day(-1).advanced(by: .hours($0)) }
    try await move(jobs[1], to: day(400), passed: late(jobs[1], slots[0], slots[1], slots[2]), at: ahead, in: store)
    #expect(try await store.rollBack(now: now)?.slots == 1)
    #expect(try await store.history(HistoryQuery(job: jobs[1].id)).map(\.slot) == [slots[1], slots[0]])
  }

  @Test(arguments: Engine.all)
  func `a rule changed by a clock ahead starts at most one day ago`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    let dayAgo = now.advanced(by: .zero - Limits.plausibleClockJump)
    for (start, begin) in [(dayAgo.advanced(by: .milliseconds(-1)), now), (dayAgo, dayAgo)] {
      try await jump(from: start, in: store)
      try await setMorning(begin == now ? "07:30:00" : "07:45:00", at: ahead, in: store)
      _ = try await store.rollBack(now: now, from: ahead)
      #expect(try await store.rules(of: job.id).suffix(2).map(\.until) == [begin, nil])
    }
  }

  @Test(arguments: Engine.all)
  func `a rule that began or ended at this instant keeps its time`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await setMorning("07:30:00", at: now, in: store)
    let changed = try #require(try await store.jobs().first { $0.id == job.id })
    try await jump(from: minutes(-9), in: store)
    try await move(changed, to: day(400), at: ahead, in: store)
    #expect(try await store.rollBack(now: now)?.since == minutes(-9))
    #expect(try await store.rules(of: job.id).map(\.until) == [now, nil])
    let kept = try numbers(engine, "SELECT cursor_ms, since_ms, 0 FROM jobs WHERE job_id = \(job.id.number)")
    #expect(kept == [[now.milliseconds, now.milliseconds, 0]])
  }

  @Test(arguments: Engine.all)
  func `rules that began and ended while the clock was ahead get no time`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, day(-1), in: store)
    try await jump(from: minutes(-9), in: store)
    try await move(job, to: day(400), at: ahead, in: store)
    try await setMorning("07:30:00", at: ahead, in: store)
    try await setMorning("07:45:00", at: ahead.advanced(by: .hours(1)), in: store)
    _ = try await store.rollBack(now: now)
    let rules = try numbers(
      engine,
      "SELECT since_ms, settled_ms, until_ms FROM past_rules WHERE job_id = \(job.id.number) ORDER BY generation")
    let change = minutes(-9).milliseconds
    #expect(rules == [[day(-2).milliseconds, day(-1).milliseconds, change], [change, change, change]])
  }

  @Test(arguments: Engine.all)
  func `after a clock rollback a due retry runs now and a ten-minute wait stays`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    let claims = jobs.map { ClaimRequest(job: $0, slot: slot, cause: .schedule, asOf: slot) }
    let runs = try await store.claim(claims, now: ahead)
    let waiting = Outcome(result: .waiting, reason: "failed", detail: "d", notice: nil)
    try await store.settle(
      zip(runs, [0, 10]).map {
        RunSettlement(run: $0, outcome: waiting, finishedAt: ahead, nextTryAt: ahead.advanced(by: .minutes($1)))
      }, routes: [])
    #expect(try await store.rollBack(now: now, from: ahead)?.retries == 2)
    let tries = try numbers(engine, "SELECT next_try_ms, finished_ms, 0 FROM runs ORDER BY next_try_ms")
    #expect(tries == [0, 10].map { [minutes($0).milliseconds, now.milliseconds, 0] })
  }

  @Test(arguments: Engine.all)
  func `after a clock rollback a staged entry dated ahead is retried now`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let notice = OperatorNotice.test(sink: "drop", by: "anna").notice(at: now, install: "i")
    _ = try await store.notify(notice, routes: [SinkRoute(sink: "drop")], now: now)
    let entry = try #require(try await store.outbox(OutboxQuery()).first)
    try await store.markStaged([entry.sequence], at: now)
    try await store.markRefused(
      [EntryRefusal(sequence: entry.sequence, error: "e", next: .tryAgain(at: ahead))], at: ahead)
    #expect(try await store.rollBack(now: now, from: ahead)?.retries == 1)
    #expect(try numbers(engine, "SELECT next_try_ms, attempts, 0 FROM outbox") == [[now.milliseconds, 1, 0]])
  }

  @Test(arguments: Engine.all)
  func `a clock rollback replaces a crossing at this instant by the pool's later one`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let team = try #require(try await addTeam(store)[0].teamID)
    let pool = Samples.pool(1)
    _ = try await store.upsertPools(
      team: "desert-blue", technician: nil, pools: [pool], profiles: [], now: day(-2), dryRun: false)
    let connection = try engine.connection(folder.path)
    for (at, after) in [(-1, 0), (0, 2), (120, 0)] {
      try connection.run(
        "INSERT INTO water_crossings (team_id, pool_id, at_ms, before, after, lsi) VALUES (?, ?, ?, 1, ?, 0.5)",
        .integer(team.number), .uuid(pool.id.uuid), .integer(minutes(at).milliseconds), .integer(after))
    }
    _ = try await store.rollBack(now: now, from: ahead)
    let left = try numbers(engine, "SELECT at_ms, after, 0 FROM water_crossings ORDER BY at_ms")
    #expect(left == [[minutes(-1).milliseconds, 0, 0], [now.milliseconds, 0, 0]])
  }
}
