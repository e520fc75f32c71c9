import FlowModel
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// Holds, absences and former rules.
struct SchedulerTablesTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func addTeam(_ store: any Ledger & Teams, rule: String = "*-*-* 07:00:00") async throws -> JobRecord {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar(rule))]
    }
    return try #require(try await store.jobs(of: team.id).first)
  }

  @Test(arguments: Engine.all)
  func `a pause replaces the one before, and resuming ends it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await addTeam(store)
    func request(_ kind: Hold.Kind) -> HoldRequest {
      HoldRequest(teamID: job.teamID, jobID: job.id, kind: kind, note: "recount", setBy: "anna")
    }
    _ = try await store.hold(request(.pause(until: nil)), now: now)
    let until = now.advanced(by: .hours(5))
    let second = try await store.hold(request(.pause(until: until)), now: now.advanced(by: .seconds(1)))
    #expect(try await store.holds(of: job.teamID).last == second)
    let resumed = now.advanced(by: .hours(1))
    #expect(try await store.release(team: job.teamID, job: job.id, now: resumed, by: "ben") == 1)
    #expect(try await store.release(team: job.teamID, job: job.id, now: resumed, by: "ben") == 0)
    // The job's cursor is before the pause's end: the slots between are still to be recorded as paused.
    #expect(try await store.holds(of: job.teamID).last?.endedAt == resumed)
    let later = now.advanced(by: .hours(24))
    _ = try await store.take([JobTick(job: job, cursor: later, claims: [])], now: later)
    #expect(try await store.holds(of: job.teamID).isEmpty)
    #expect(try await store.holds(of: job.teamID, from: now, to: later).count == 2)
  }

  @Test(arguments: Engine.all)
  func `each skipped slot uses a skip once`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await addTeam(store)
    let skip = try await store.hold(
      HoldRequest(teamID: job.teamID, jobID: job.id, kind: .skip(left: 2), note: "", setBy: "anna"), now: now)
    for (day, left) in [(1, [1]), (1, [1]), (2, [])] {
      let slot = now.advanced(by: .hours(24 * day))
      let passed = SkippedSlot(
        jobID: job.id, generation: job.generation, slot: slot, outcome: .skipped, reason: "skipped-by-hand",
        detail: skip.sentence, holdID: skip.id)
      _ = try await store.take([JobTick(job: job, cursor: slot, claims: [], passed: [passed])], now: slot)
      #expect(try await store.holds().map(\.kind) == left.map { .skip(left: $0) })
    }
  }

  @Test(arguments: Engine.all)
  func `downtime is bounded by heartbeats after a crash and by the end after a stop`(engine: Engine) async throws {
    let first = try engine.open(folder.path, now)
    let nap = Downtime(kind: .asleep, from: now.advanced(by: .hours(1)), to: now.advanced(by: .hours(2)))
    try await first.heartbeat(nap, now: now.advanced(by: .hours(2)))
    let second = try engine.open(folder.path, now.advanced(by: .hours(3)))
    try await second.endEpoch(at: now.advanced(by: .hours(4)))
    let third = try engine.open(folder.path, now.advanced(by: .hours(5)))
    #expect(
      try await third.downtimes(since: now) == [
        nap, Downtime(kind: .crashed, from: now.advanced(by: .hours(2)), to: now.advanced(by: .hours(3))),
        Downtime(kind: .stopped, from: now.advanced(by: .hours(4)), to: now.advanced(by: .hours(5))),
      ])
    #expect(try await third.downtimes(since: now.advanced(by: .hours(4))).count == 1)
  }

  @Test(arguments: Engine.all)
  func `a job's tick is recorded completely or, after a rule change, not at all`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await addTeam(store)
    let slot = now.advanced(by: .hours(24))
    let look = JobTick(
      job: job, cursor: slot, claims: [ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)],
      passed: [
        SkippedSlot(
          jobID: job.id, generation: job.generation, slot: now.advanced(by: .hours(1)), reason: "r", detail: "d")
      ],
      skippedRange: SkippedSlotRange(
        jobID: job.id, generation: job.generation, first: now, last: now.advanced(by: .minutes(1)), reason: "r",
        detail: "d"))
    _ = try await store.changeTeam(named: "desert-blue", now: now, change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 08:00:00"))]
    }
    #expect(try await store.take([look], now: slot).isEmpty)
    #expect(try await store.history(HistoryQuery()).isEmpty)
    #expect(try await store.jobs().map(\.cursor) == [now])
  }
}
