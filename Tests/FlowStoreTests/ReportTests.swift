import FlowCalendar
import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolChemistry
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import Testing

/// Reports on records and on the store itself, on every engine.
struct ReportTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  private let night = JobPlan(kind: .backup, rule: .calendar("*-*-* 02:15:00"))

  init() throws { folder = try TemporaryFolder() }

  private func at(_ hours: Int) -> Timestamp { now.advanced(by: .hours(hours)) }

  private func use(_ type: String, _ ounces: Double, isBefore: Bool = false) -> PeriodFacts.Use {
    PeriodFacts.Use(type: type, isBefore: isBefore, ounces: ounces, cost: 1.4)
  }

  @Test(arguments: Engine.all)
  func `a visit's doses, a pool's chemicals and a month's costs add up`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    await #expect(throws: StoreError.teamExists(team.name)) {
      try await store.addTeam(Samples.team(), defaultTechnician: "ben", now: now) { _ in [] }
    }
    let pools = (1...2).map { Samples.pool($0, customer: "Customer \($0)") }
    let visits = [
      Samples.visit(1_001, to: pools[0].id, at: at(-48)), Samples.visit(1_002, to: pools[0].id, at: at(-24)),
    ]
    let item = Samples.item(stock: 5, threshold: 9)
    var poured = Samples.dose(2_001, for: visits[1].id, of: item.id)
    poured.quantityOz = 99
    let doses = [poured, Samples.dose(2_002, for: visits[1].id, of: nil)]
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(pools: pools, serviceEvents: visits, chemicalDoses: doses, inventory: [item]), now: now)
    let told = try await store.doses(of: visits[1].id, team: team.id)
    #expect(told.map(\.quantityOz) == [99, 28] && told.map(\.name) == [item.name, ""])
    let used = try await store.usage(at: pools[0].id, of: team.id, until: now)
    #expect(Set(used.chemicals.map(\.item)) == [item.id, nil] && used.chemicals.map(\.ounces).reduce(0, +) == 127)
    #expect(used.visits.map(\.id) == [visits[1].id, visits[0].id] && used.visits.map(\.chemicals.count) == [2, 0])
    #expect(used.spent == 5 && used.average == 2.5)
    let earlier = try await store.usage(at: pools[0].id, of: team.id, until: at(-25))
    #expect(earlier.visits.map(\.id) == [visits[0].id] && earlier.chemicals.isEmpty && earlier.spent == 2.5)
    #expect(try await store.usage(at: pools[1].id, of: team.id, until: now).average == 0)
    #expect(try await store.chemicalCosts(of: team.id, since: at(-24), until: now) == [pools[0].id: 2.5])
    #expect(try await store.chemicalCosts(of: team.id, since: at(-99), until: now) == [pools[0].id: 5])
    // Saturday and Sunday, 14:00; the doses are Sunday's.
    func week(to day: Int) async throws -> PeriodFacts {
      try await store.period(
        Period(weekTo: CivilDate(year: 2026, month: 2, day: 28).adding(days: day), in: .utc), of: team.id,
        until: .init(milliseconds: .max))
    }
    let sunday = try await week(to: 1)
    #expect(sunday.visits.map(\.at) == [at(-24), at(-48)] && sunday.visits.map(\.cost) == [2.5, 2.5])
    #expect(sunday.visits.allSatisfy { $0.poolID == pools[0].id && $0.lsi == 0.1 })
    #expect(Set(sunday.uses) == [use("acid", 99), use("", 28)])
    // Visits of later days are included, their doses are not.
    #expect(try await week(to: 0).visits.count == 2)
    #expect(try await week(to: 0).uses.isEmpty)
    #expect(Set(try await week(to: 8).uses) == [use("acid", 99, isBefore: true), use("", 28, isBefore: true)])
    #expect(try await week(to: 14).visits.map(\.at) == [at(-24)])
    #expect(try await week(to: 15).visits.isEmpty)
    #expect(try await store.oldestVisits(of: team.id, pool: nil, after: 0, limit: 9).map(\.event) == visits)
    #expect(try await store.oldestVisits(of: team.id, pool: nil, after: 1, limit: 9).map(\.customer) == ["Customer 1"])
    let own = visits.filter { $0.poolID == visits[0].poolID }
    #expect(try await store.oldestVisits(of: team.id, pool: visits[0].poolID, after: 0, limit: 9).map(\.event) == own)
    let counts = try await store.stateCounts()
    #expect(counts.teams == 1 && counts.records == 2 && counts.jobs == 0)
    #expect(try await store.team(team.id)?.name == team.name)
    #expect(try await store.teamName(team.id) == team.name)
    #expect(try await store.team(TeamID(99)) == nil)
  }

  @Test(arguments: Engine.all)
  func `the last runs, outcomes and failures are listed, without future slots`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    try await store.planServerJobs([night], zone: "UTC", now: at(-99))
    let job = try #require(try await store.jobs(of: nil).first)
    func run(_ slot: Timestamp, _ result: RunOutcome) async throws {
      let runs = try await store.take(
        [
          JobTick(
            job: job, cursor: slot, claims: [ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)])
        ], now: slot)
      let outcome = Outcome(result: result, reason: "r", detail: "the disk is gone", notice: nil)
      try await store.settle(runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: slot) }, routes: [])
    }
    try await run(at(-48), .done)
    #expect(try await store.failedWork().isEmpty)
    try await run(at(-24), .failed)
    try await run(at(24), .done)
    var failed = HistoryQuery()
    failed.onlyFailed = true
    #expect(try await store.history(failed).map(\.slot) == [at(-24)])
    #expect(try await store.outcomes(since: at(-48), notAfter: now) == [.done: 1, .failed: 1])
    #expect(try await store.outcomes(since: at(-25), notAfter: nil) == [.done: 1, .failed: 1])
    #expect(try await store.lastRuns(notAfter: now)[job.id]?.outcome == .failed)
    #expect(try await store.lastRuns(notAfter: nil)[job.id]?.slot == at(24))
    #expect(try await store.slotsRunEarly(after: now) == [job.id: [at(24)]])
    #expect(try await store.newestCursor() == at(24))
    #expect(try await store.settled(store.jobs(), asOf: now).map(\.cursor) == [at(-24)])
    #expect(try await store.unreadableJobs().isEmpty)
    let skippedRange = SkippedSlotRange(
      jobID: job.id, generation: job.generation, first: at(30), last: at(40), reason: "too-late", detail: "asleep")
    _ = try await store.take(
      [JobTick(job: job, cursor: at(41), claims: [], passed: [], skippedRange: skippedRange)], now: at(41))
    #expect(try await store.skippedRange(of: job.id, covering: at(35))?.detail == "asleep")
    #expect(try await store.skippedRange(of: job.id, covering: at(41)) == nil)
    try await store.recordSilence(job: job.id, slot: at(50), silence: .alreadyPast, now: at(41))
    let silence = try await store.history(HistoryQuery(slot: at(50)))
    #expect(silence.map(\.reason) == [SuppressionReason.alreadyPast.code] && silence.map(\.attempts) == [0])
  }

  @Test(arguments: Engine.all)
  func `the newest failed server run is listed until the job succeeds`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    try await store.planServerJobs([night], zone: "UTC", now: at(-99))
    let job = try #require(try await store.jobs(of: nil).first)
    for (slot, result) in [(at(-2), RunOutcome.failed), (at(-1), .done)] {
      let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .manual, asOf: slot)], now: slot)
      let outcome = Outcome(result: result, reason: nil, detail: "no room", notice: nil)
      try await store.settle(runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: slot) }, routes: [])
      #expect(try await store.failedWork().map(\.why) == (result == .failed ? ["no room"] : []))
    }
  }

  @Test(arguments: Engine.all)
  func `a backup record is added, marked as verified and removed`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    func backup(_ id: String, _ created: Timestamp, reason: String = "nightly") -> BackupRecord {
      BackupRecord(
        id: id, createdAt: created, reason: reason, bytes: 9, manifestSHA256: String(repeating: "a", count: 64),
        verifiedAt: nil, finding: nil)
    }
    let (old, new) = (backup("a", at(-1)), backup("b", now, reason: "by hand"))
    try await store.record(old)
    try await store.record(new)
    #expect(try await store.backups() == [new, old])
    try await store.recordVerification(of: "a", finding: "it is torn", at: now)
    #expect(try await store.backups().map(\.finding) == [nil, "it is torn"])
    #expect(try await store.backups().map(\.verifiedAt) == [nil, now])
    #expect(try await store.newestBackup(reason: "nightly") == at(-1))
    #expect(try await store.newestBackup(reason: "weekly") == nil)
    try await store.forgetBackup("a")
    #expect(try await store.backups() == [new])
  }

  @Test(arguments: Engine.all)
  func `the store returns its first start, free space and last refresh`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    try await store.settleEpoch()
    try await store.endEpoch(at: now)
    let next = try engine.open(folder.path, at(1))
    #expect(next.epoch == store.epoch + 1 && next.install == store.install)
    #expect(try await next.firstStart() == now)
    #expect(await next.isOutOfDiskSpace == false)
    try await next.keepDiskReserve()
    await next.releaseMemory()
    #expect(try await next.lastRefresh() == nil)
    try await next.noteRefresh(at: now)
    #expect(try await next.lastRefresh() == now)
    #expect(try await next.lastClockCorrection() == nil)
    #expect(try await next.clockTrust().confirmed == nil)
  }
}
