import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// The rows that pruning deletes, and the rows that it keeps.
struct PruningTests {
  private let folder: TemporaryFolder
  private let old = Samples.mondayMorning
  private var now: Timestamp { old.advanced(by: Limits.ledgerRetention + .hours(24)) }

  init() throws { folder = try TemporaryFolder() }

  private func job(_ store: any Engine.Opened) async throws -> JobRecord {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "a", now: old.advanced(by: .hours(-24))) {
      _ in [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    return try #require(try await store.jobs(of: team.id).first)
  }

  private func take(_ store: any Ledger, _ job: JobRecord, _ slot: Timestamp) async throws -> [ClaimedRun] {
    try await store.take(
      [
        JobTick(
          job: job, cursor: slot, claims: [ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)])
      ], now: slot)
  }

  private func settle(_ store: any Ledger, _ runs: [ClaimedRun], notice: Bool) async throws {
    try await store.settle(
      runs.map { run in
        RunSettlement(
          run: run,
          outcome: Outcome(
            result: notice ? .notified : .skipped, reason: nil, detail: nil,
            notice: notice
              ? Notice(
                id: "n-\(run.slot.compact)", teamID: run.teamID, teamName: "desert-blue", jobID: run.jobID,
                job: "morning-summary", slot: run.slot, identifier: "i", title: "t", body: "b", lines: [],
                dataJSON: "{}", lateness: .zero, createdAt: run.slot, expiresAt: nil) : nil),
          finishedAt: run.slot)
      }, routes: [SinkRoute(sink: "drop")])
  }

  private func slots(_ store: any Ledger, _ job: JobRecord) async throws -> [Timestamp] {
    try await store.history(HistoryQuery(job: job.id)).map(\.slot)
  }

  @Test(arguments: Engine.all)
  func `a verdict older than the retention is pruned and a younger one stays`(engine: Engine) async throws {
    let store = try engine.open(folder.path, old)
    let job = try await job(store)
    let young = now.advanced(by: .zero - Limits.ledgerRetention)
    for slot in [old, young] { try await settle(store, try await take(store, job, slot), notice: false) }
    #expect(try await store.prune(now: now) == 1)
    #expect(try await slots(store, job) == [young])
    // The cursor keeps a pruned slot from running again.
    #expect(try await store.jobs().first?.cursor == young)
  }

  @Test(arguments: Engine.all)
  func `runs under way and undelivered notices are kept at any age`(engine: Engine) async throws {
    let store = try engine.open(folder.path, old)
    let job = try await job(store)
    let (open, unsent, sent) = (old, old.advanced(by: .hours(1)), old.advanced(by: .hours(2)))
    let running = try await store.claim(
      [ClaimRequest(job: job, slot: open, cause: .schedule, asOf: open)], now: open)
    #expect(running.count == 1)
    for slot in [unsent, sent] {
      let runs = try await store.claim(
        [ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)], now: slot)
      try await settle(store, runs, notice: true)
    }
    _ = try await take(store, job, old.advanced(by: .hours(24)))
    let entries = try await store.outbox(OutboxQuery())
    let delivered = try #require(entries.first { $0.notice.slot == sent })
    try await store.markSent([delivered.sequence], at: sent)
    #expect(try await store.prune(now: now) == 1)
    #expect(try await slots(store, job) == [old.advanced(by: .hours(24)), unsent, open])
    #expect(try await store.outbox(OutboxQuery()).map(\.notice.slot) == [unsent])
  }

  @Test(arguments: Engine.all)
  func `pruning deletes at most its limit of rows`(engine: Engine) async throws {
    let store = try engine.open(folder.path, old)
    let job = try await job(store)
    for hour in 0..<5 {
      try await settle(store, try await take(store, job, old.advanced(by: .hours(hour))), notice: false)
    }
    #expect(try await store.prune(now: now, limit: 3) == 3)
    #expect(try await slots(store, job).count == 2)
  }
}
