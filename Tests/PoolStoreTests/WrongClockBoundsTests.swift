import PoolJobs
import PoolModel
import PoolStore
import PoolTestKit
import PoolWork
import Testing

/// Where the line lies between what a clock that stood ahead wrote and what was right: at this instant, not beside it.
struct WrongClockBoundsTests {
  private let folder: TemporaryFolder
  private let slot = Samples.mondayMorning
  private var now: Timestamp { slot.advanced(by: .hours(-1)) }
  private var ahead: Timestamp { slot.advanced(by: .hours(24 * 400 + 1)) }

  init() throws { folder = try TemporaryFolder() }

  private func day(_ number: Int) -> Timestamp { slot.advanced(by: .hours(24 * number)) }
  private func minutes(_ number: Int) -> Timestamp { now.advanced(by: .minutes(number)) }

  /// The team's morning and its week.
  private func addTeam(_ store: any Engine.Opened) async throws -> [JobRecord] {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: day(-2)) { _ in
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
    _ job: JobRecord, to cursor: Timestamp, passed: [PassedSlot] = [], at instant: Timestamp,
    in store: any Engine.Opened
  ) async throws {
    _ = try await store.take([JobLook(job: job, cursor: cursor, claims: [], passed: passed)], now: instant)
  }

  private func run(_ job: JobRecord, _ slot: Timestamp, in store: any Engine.Opened) async throws {
    let claim = ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)
    let runs = try await store.take([JobLook(job: job, cursor: slot, claims: [claim])], now: slot)
    let outcome = Outcome(result: .skipped, reason: "no-stops-today", detail: nil, notice: nil)
    try await store.settle(
      runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: slot) }, routes: [])
  }

  @Test(arguments: Engine.all)
  func `a cursor that has come stays where it is, whatever stands behind it; one ahead goes back`(engine: Engine)
    async throws
  {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    try await move(jobs[0], to: now, at: now, in: store)
    try await move(jobs[1], to: day(400), at: ahead, in: store)
    let seen = try await store.settled(store.jobs(), asOf: now)
    #expect(seen.first { $0.id == jobs[0].id }?.cursor == now)
    #expect(seen.first { $0.id == jobs[1].id }?.cursor == day(-2))
    let mend = try #require(try await store.takeBack(now: now))
    #expect(mend.ahead == day(400) && mend.jobs == 1 && mend.slots == 0, "\(mend)")
    #expect(try await cursor(jobs[0], in: store) == now)
    #expect(try await cursor(jobs[1], in: store) == day(-2))
  }

  @Test(arguments: Engine.all)
  func `a slot that has come and that a clock ahead gave its verdict is open again`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, day(-1), in: store)
    let late = PassedSlot(jobID: job.id, generation: job.generation, slot: slot, reason: "too-late", detail: "d")
    try await move(job, to: slot, passed: [late], at: ahead, in: store)
    let mend = try #require(try await store.takeBack(now: slot.advanced(by: .minutes(30)), from: ahead))
    #expect(mend.slots == 1 && mend.jobs == 0, "\(mend)")
    #expect(try await cursor(job, in: store) == day(-1))
    #expect(try await store.history(HistoryQuery(job: job.id)).map(\.slot) == [day(-1)])
  }

  @Test(arguments: Engine.all)
  func `a run of this very instant is settled, and no early one`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, slot, in: store)
    try await move(job, to: day(400), at: ahead, in: store)
    let mend = try #require(try await store.takeBack(now: slot, from: ahead))
    #expect(mend.early == 0 && mend.jobs == 1, "\(mend)")
    #expect(try await cursor(job, in: store) == slot)
    let kept = try await store.history(HistoryQuery(job: job.id))
    #expect(kept.map(\.slot) == [slot] && kept.map(\.note) == [nil])
  }

  @Test(arguments: Engine.all)
  func `a slot to come that a person skipped has not run`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    let skipped = PassedSlot(
      jobID: job.id, generation: job.generation, slot: day(1), outcome: .skipped, reason: "skipped-by-hand",
      detail: "s")
    try await move(job, to: day(1), passed: [skipped], at: ahead, in: store)
    #expect(try await store.takeBack(now: now, from: ahead)?.early == 0)
    let kept = try await store.history(HistoryQuery(job: job.id))
    #expect(kept.map(\.slot) == [day(1)] && kept.map(\.note) == [nil])
  }

  @Test(arguments: Engine.all)
  func `a jump of the clock is remembered by the life after it, and one from this instant counts`(engine: Engine)
    async throws
  {
    let first = try engine.open(folder.path, day(-2))
    _ = try await addTeam(first)
    let jump = Absence(kind: .clockSetForwards, from: minutes(-9), to: ahead)
    try await first.beat(jump, now: now)
    let second = try engine.open(folder.path, now)
    #expect(try await second.takeBack(now: now, from: ahead)?.since == minutes(-9))
    try await second.beat(Absence(kind: .clockSetForwards, from: minutes(5), to: ahead), now: minutes(5))
    #expect(try await second.takeBack(now: minutes(5), from: ahead)?.since == minutes(5))
  }

  @Test(arguments: Engine.all)
  func `two jumps from one instant are one time that was ahead, to the end of the later`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    _ = try await addTeam(store)
    for end in [minutes(-4), now] {
      try await store.beat(Absence(kind: .clockSetForwards, from: minutes(-9), to: ahead), now: ahead)
      _ = try await store.takeBack(now: end, from: ahead)
    }
    let told = try await store.absences(since: day(-3)).filter { $0.kind == .clockWasAhead }
    #expect(told == [Absence(kind: .clockWasAhead, from: minutes(-9), to: now)], "\(told)")
  }

  @Test(arguments: Engine.all)
  func `a life that began at this instant was not ahead of it`(engine: Engine) async throws {
    let first = try engine.open(folder.path, day(-2))
    _ = try await addTeam(first)
    try await first.endEpoch(at: minutes(-10))
    _ = try engine.open(folder.path, now)
    let third = try engine.open(folder.path, now)
    let mend = try #require(try await third.takeBack(now: now, from: ahead))
    #expect(mend.since == nil)
    #expect(try await third.absences(since: day(-3)).allSatisfy { $0.kind != .clockWasAhead })
  }

  @Test(arguments: Engine.all)
  func `of a job's rules only what a clock ahead ended is ended anew`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let jobs = try await addTeam(store)
    func change(_ time: String, at instant: Timestamp) async throws {
      _ = try await store.changeTeam(named: "desert-blue", now: instant, change: { _ in }) { _ in
        [
          JobPlan(kind: .morningSummary, rule: .calendar("*-*-* \(time)")),
          JobPlan(kind: .weeklyDigest, rule: .calendar("Mon *-*-* 08:00:00")),
        ]
      }
    }
    try await change("07:30:00", at: day(-1))
    try await change("07:45:00", at: ahead)
    _ = try await store.takeBack(now: now, from: ahead)
    #expect(try await store.rules(of: jobs[0].id).map(\.until) == [day(-1), now, nil])
  }

  @Test(arguments: Engine.all)
  func `a rule that a clock ahead began does not begin before what pruning has forgotten`(engine: Engine) async throws {
    let store = try engine.open(folder.path, day(-2))
    let job = try await addTeam(store)[0]
    try await run(job, day(-1), in: store)
    _ = try await store.changeTeam(named: "desert-blue", now: ahead, change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:30:00"))]
    }
    #expect(try await store.prune(now: day(0).advanced(by: Limits.ledgerRetention)) == 1)
    _ = try await store.takeBack(now: day(-1).advanced(by: .hours(-5)), from: ahead)
    let changed = try engine.connection(folder.path).rows(
      "SELECT cursor_ms, since_ms FROM jobs WHERE job_id = ?", .integer(job.id.number)
    ) { row throws(StoreError) in [row.integer(0), row.integer(1)] }
    #expect(changed == [[day(-1).milliseconds, day(-1).milliseconds]])
  }
}
