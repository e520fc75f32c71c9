import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import Testing

/// The last route of a weekday that a team was notified of.
struct SentRouteTests {
  private let folder: TemporaryFolder
  private let monday = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func week(_ number: Int) -> Timestamp { monday.advanced(by: .hours(24 * 7 * number)) }

  private func date(_ week: Int) throws -> CivilDate {
    try SystemZones().zone(named: "UTC").local(at: self.week(week)).date
  }

  private func job(_ store: any Ledger & TeamRecords & Teams) async throws -> JobRecord {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: monday.advanced(by: .hours(-1)))
    {
      _ in [JobPlan(kind: .morningSummary, rule: .calendar("Mon *-*-* 14:30:00"))]
    }
    let pools = (1...2).map { Samples.pool($0, customer: "Customer \($0)", order: $0) }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: pools), photos: [:], now: monday, dryRun: false)
    return try #require(try await store.jobs(of: team.id).first)
  }

  private func stop(_ number: Int, _ technician: String = "anna") -> SentRoute.Stop {
    SentRoute.Stop(poolID: Samples.pool(number).id, customer: "Customer \(number)", technician: technician)
  }

  /// Claims a slot and settles it with a route of that week's Monday.
  private func notify(
    _ store: any FactsOfTeams & Ledger, _ stops: [SentRoute.Stop], _ job: JobRecord, week number: Int,
    at slot: Timestamp
  ) async throws {
    let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .manual, asOf: slot)], now: slot)
    let route = SentRoute(date: try date(number), stops: stops)
    let request = FactsRequest(team: try #require(job.teamID), days: [])
    let account = DecisionInputs(
      scenario: try #require(job.kind.scenario), moment: DigestMoment(zone: .utc, asOf: slot),
      facts: try #require(try await store.facts([request]).first ?? nil), routes: [route])
    let outcome = Outcome(result: .notified, detail: nil, account: account)
    try await store.settle(runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: slot) }, routes: [])
  }

  private func told(_ store: any FactsOfTeams, _ job: JobRecord, week number: Int) async throws -> SentRoute? {
    let request = FactsRequest(
      team: try #require(job.teamID), kind: .morningSummary, asOf: week(number),
      zone: try SystemZones().zone(named: "UTC"))
    return try await store.facts([request]).first??.lastRoute
  }

  @Test(arguments: Engine.all)
  func `the route of a weekday's newest notice is known a week later, with coordinates`(engine: Engine) async throws {
    let store = try engine.open(folder.path, monday)
    let job = try await job(store)
    #expect(try await told(store, job, week: 1) == nil)
    // The third pool no longer exists.
    try await notify(store, [stop(2), stop(1, "ben"), stop(3)], job, week: 0, at: monday)
    #expect(try await told(store, job, week: 0) == nil, "a day is not compared with itself")
    let last = try #require(try await told(store, job, week: 1))
    #expect(try last.date == date(0) && last.stops == [stop(2), stop(1, "ben"), stop(3)])
    #expect(last.currentDays == [Samples.pool(1).id: .monday, Samples.pool(2).id: .monday])
    // A second notice on the same day replaces only that day's route.
    try await notify(store, [stop(1)], job, week: 1, at: week(1))
    try await notify(store, [stop(2)], job, week: 1, at: week(1).advanced(by: .seconds(1)))
    #expect(try await told(store, job, week: 1)?.stops.count == 3)
    #expect(try await told(store, job, week: 2)?.stops == [stop(2)])
  }

  @Test(arguments: Engine.all)
  func `sent routes are kept for two months and survive clearing the team`(engine: Engine) async throws {
    let store = try engine.open(folder.path, monday)
    let job = try await job(store)
    for week in 0...10 { try await notify(store, [stop(1)], job, week: week, at: self.week(week)) }
    func rows(_ table: String) throws -> Int {
      try engine.dump(folder.path).count { $0.hasPrefix("\(table): ") }
    }
    #expect(try rows("told_routes") == 10 && rows("told_stops") == 10, "the oldest went")
    #expect(try await told(store, job, week: 18) != nil)
    #expect(try await told(store, job, week: 19) == nil)
    _ = try await store.clear("desert-blue", stock: [], dryRun: false, change: nil) { _ in }
    #expect(try await told(store, job, week: 11)?.stops == [stop(1)], "what was told was told")
  }

  @Test(arguments: Engine.all)
  func `sent routes are removed with their team`(engine: Engine) async throws {
    let store = try engine.store(folder.path, monday)
    try await notify(store, [stop(1)], try await job(store), week: 0, at: monday)
    let connection = try engine.connection(folder.path)
    func rows(_ table: String) throws -> Int? {
      try connection.first("SELECT count(*) FROM \(table)") { row throws(StoreError) in row.number(0) }
    }
    #expect(try rows("told_routes") == 1 && rows("told_stops") == 1)
    let keys = Engine.isPostgreSQL ? "" : "PRAGMA foreign_keys = ON;"
    try connection.execute("\(keys) DELETE FROM teams", operation: "prepare the test")
    #expect(try rows("told_routes") == 0 && rows("told_stops") == 0)
  }

  @Test(arguments: Engine.all)
  func `an unconfirmed clock prunes no sent route`(engine: Engine) async throws {
    let store = try engine.open(folder.path, monday)
    let job = try await job(store)
    var trust = ClockTrust()
    trust.tick(at: monday, elapsed: .zero)
    try await store.heartbeat(nil, trust: trust, now: monday)
    try await notify(store, [stop(1)], job, week: 0, at: monday)
    try await notify(store, [stop(2)], job, week: 52, at: week(52))
    #expect(try await told(store, job, week: 1)?.stops == [stop(1)])
  }

  @Test(arguments: Engine.all)
  func `a change of a day whose route was sent plans one notice in 15 minutes`(engine: Engine) async throws {
    var store = try engine.open(folder.path, monday)
    let job = try await job(store)
    let team = try #require(job.teamID)
    let date = try date(0)
    func change(after minutes: Int, undo batch: Int64? = nil) async throws -> Int64? {
      let now = monday.advanced(by: .minutes(minutes))
      let today = ServiceToday(at: now, in: .utc)
      let note = ServiceChangeNote(reason: "gate locked", setBy: "anna", madeAt: now)
      let pool = Samples.pool(1).id
      if let batch { return try await store.undoDates(batch: batch, of: team, today: today).changes.first?.batch }
      return try await store.changeDates(of: team, today: today) { dates in
        try dates.skip(pool, on: date, note)
      }.changes.first?.batch
    }
    func due() async throws -> [JobRule] {
      try await store.jobs(of: team).filter { $0.kind == .changedToday }.map(\.rule)
    }
    func at(_ minutes: Int, _ seconds: Int = 0) -> [JobRule] {
      [.once(monday.advanced(by: .seconds(minutes * 60 + seconds)))]
    }
    // Before the route is sent, the morning notice contains the change.
    _ = try await change(after: 0, undo: try await change(after: 0))
    #expect(try await due().isEmpty)
    try await notify(store, [stop(1), stop(2)], job, week: 0, at: monday)
    var batch = try await change(after: 1)
    #expect(try await due() == at(1, 1))
    _ = try await change(after: 1, undo: batch)
    batch = try await change(after: 2)
    #expect(try await due() == at(16, 1))
    store = try engine.open(folder.path, monday)
    _ = try await change(after: 10, undo: batch)
    #expect(try await due() == at(16, 1))
    _ = try await change(after: 60)
    #expect(try await due() == at(60, 1))
    let request = FactsRequest(team: team, kind: .changedToday, asOf: monday, zone: .utc)
    #expect(try await store.facts([request]).first??.toldRoute?.stops == [stop(1), stop(2)])
    // A change of another date plans none.
    let other = date.adding(days: 7)
    let note = ServiceChangeNote(reason: "", setBy: "anna", madeAt: monday)
    _ = try await store.changeDates(of: team, today: ServiceToday(at: week(0).advanced(by: .hours(5)), in: .utc)) {
      try $0.skip(Samples.pool(2).id, on: other, note)
    }
    #expect(try await due() == at(60, 1))
  }
}
