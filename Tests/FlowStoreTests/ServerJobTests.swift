import FlowModel
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// Server jobs, which belong to no team, in the ledger.
struct ServerJobTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  private let night = JobPlan(kind: .backup, rule: .calendar("*-*-* 02:15:00"))

  init() throws { folder = try TemporaryFolder() }

  private func job(_ store: any Ledger) async throws -> JobRecord { try #require(try await store.jobs(of: nil).first) }

  @Test(arguments: Engine.all)
  func `setting the same rule keeps the job, and another rule starts a new generation`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    try await store.planServerJobs([night], zone: "UTC", now: now)
    let first = try await job(store)
    #expect(first.teamID == nil && first.teamName.isEmpty && first.cursor == now && first.generation == 1)
    try await store.planServerJobs([night], zone: "UTC", now: now.advanced(by: .hours(9)))
    #expect(try await store.jobs() == [first])
    let later = now.advanced(by: .hours(10))
    try await store.planServerJobs([JobPlan(kind: .backup, rule: .never)], zone: "UTC", now: later)
    let changed = try await job(store)
    #expect(changed.id == first.id && changed.generation == 2 && changed.rule == .never && changed.cursor == later)
    #expect(try await store.rules(of: first.id).map(\.rule) == [night.rule, .never])
  }

  @Test(arguments: Engine.all)
  func `a new server job starts at the time its work was last done`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let last = now.advanced(by: .hours(-30))
    try await store.planServerJobs([JobPlan(kind: .backup, rule: night.rule, settled: last)], zone: "UTC", now: now)
    #expect(try await job(store).cursor == last)
    // A time in the future, from a wrong clock, is ignored.
    try await store.planServerJobs(
      [JobPlan(kind: .lsiRefresh, rule: night.rule, settled: now.advanced(by: .hours(99)))], zone: "UTC", now: now)
    #expect(try await store.jobs(of: nil).last?.cursor == now)
  }

  @Test(arguments: Engine.all)
  func `runs, holds and skipped slots of a server job have no team`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    try await store.planServerJobs([night], zone: "UTC", now: now)
    let job = try await job(store)
    let slot = now.advanced(by: .hours(12))
    let passed = SkippedSlot(jobID: job.id, generation: 1, slot: slot, reason: "too-late", detail: "d")
    let skippedRange = SkippedSlotRange(
      jobID: job.id, generation: 1, first: now, last: now.advanced(by: .hours(1)), reason: "too-late", detail: "d")
    let due = slot.advanced(by: .hours(24))
    let claim = ClaimRequest(job: job, slot: due, cause: .schedule, asOf: due)
    let look = JobTick(job: job, cursor: due, claims: [claim], passed: [passed], skippedRange: skippedRange)
    let run = try #require(try await store.take([look], now: due).first)
    #expect(run.teamID == nil && run.kind == .backup)
    try await store.settle(
      [RunSettlement(run: run, outcome: JobDecision.serverTask(of: .backup), finishedAt: due)], routes: [])
    let history = try await store.history(HistoryQuery(kind: .backup))
    #expect(history.map(\.outcome) == [.done, .missed] && history.allSatisfy { $0.teamID == nil })
    let hold = try await store.hold(
      HoldRequest(teamID: nil, jobID: job.id, kind: .pause(until: nil), note: "", setBy: "anna"), now: due)
    #expect(try await store.holds(of: nil) == [hold] && hold.concerns(job))
    #expect(try await store.holds() == [hold])
    #expect(try await store.holds(of: TeamID(1)).isEmpty)
    #expect(try await store.release(team: nil, job: job.id, now: due, by: "ben") == 1)
  }
}
