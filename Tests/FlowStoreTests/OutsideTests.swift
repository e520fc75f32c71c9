import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolModel
import Testing
import TradeStores

@testable import FlowStore
@testable import PoolStore

/// Readers without ownership of the store: backups, simulations, metrics.
struct OutsideTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  /// A team with a job and a record of every kind.
  private func fill(_ store: Store) async throws -> Team {
    let team = try await store.addTeam(
      Samples.team(plan: .trial(expires: now.advanced(by: .hours(24)))), defaultTechnician: "anna", now: now
    ) { _ in [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))] }
    for (number, technician) in [(1, nil), (10, "ben")] as [(Int, String?)] {
      let pool = Samples.pool(number)
      var visit = Samples.visit(1_000 + number, to: pool.id)
      visit.photoFileName = "photo.jpg"
      var machine = Samples.equipment(4_000 + number, at: pool.id)
      machine.nextServiceDate = now
      let item = Samples.item(3_000 + number, stock: 1, threshold: 9)
      _ = try await store.replaceRecords(
        team: team.name, technician: technician,
        records: RecordSet(
          pools: [pool], serviceEvents: [visit],
          chemicalDoses: [Samples.dose(2_000 + number, for: visit.id, of: item.id)], inventory: [item],
          profiles: [Samples.profile(of: pool.id)], equipment: [machine]), photos: [visit.id: 17], now: now,
        dryRun: false)
    }
    let rule = try CalendarDates("Mon,Thu")
    let pause = ServicePause(
      id: 0, days: try DaySpan("*-12-25", today: CivilDate(year: 2026, month: 3, day: 2)), reason: "", setBy: "anna")
    _ = try await store.changePool(
      Samples.pool(1).id, of: team.id, change: { _ in }, people: nil, rule: { _, _ in rule })
    _ = try await store.changePauses(of: Samples.pool(1).id, team: team.id, today: nil) { _ in
      PauseChange(added: [pause])
    }
    let filter = PoolWork(
      poolID: Samples.pool(1).id, name: "Clean filter", every: try WorkInterval("3 months"),
      due: CivilDate(year: 2026, month: 3, day: 2))
    _ = try await store.changeWork(at: filter.poolID, of: team.id) { _ in .add(filter) }
    let marks = WorkMarks(date: filter.due, zone: .utc) { $0.works.map { .work($0) } }
    _ = try await store.markDone(marks, at: filter.poolID, of: team.id)
    let forecast = Forecast(source: .csv, place: "", issuedAt: now, hours: [ForecastHour(start: now, air: 8, rain: 0)])
    _ = try await store.importForecast(forecast, digest: "1", to: team.id, now: now)
    let job = try #require(try await store.jobs(of: team.id).first)
    let runs = try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now)
    let outcome = Outcome(result: .skipped, reason: "no-stops-today", detail: nil, notice: nil)
    try await store.settle(runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: now) }, routes: [])
    return team
  }

  @Test(arguments: Engine.all)
  func `a reader reads every kind of record as the owner does`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let team = try await fill(store)
    let reader = StoreReader(place: try engine.place(folder.path))
    let all = FactsRequest(team: team.id, days: Weekday.allCases)
    let image = try #require(try await reader.image(team: team.id, now: now).facts[team.id] as? TeamFacts)
    let facts = try #require(try await store.facts([all]).first ?? nil)
    #expect(image.team == facts.team && image.poolCount == 2 && image.technicians == facts.technicians)
    #expect(
      image.stopsByDay[.monday, default: []].map(\.poolID) == facts.stopsByDay[.monday, default: []].map(\.poolID))
    let figures = try #require(try await reader.figures(limit: 9)?.first)
    #expect(figures.lastSuccess == now && figures.consecutiveFailures == 0)
    let copy = folder.path + "/copy.db"
    if Engine.isPostgreSQL {
      await #expect(throws: StoreError.self) { try await reader.copy(to: copy) { _, _ in } }
      #expect(try await reader.schema() == Schema.currentVersion)
      #expect(try await reader.rows()["pools"] == 2)
    } else {
      let copied = try await reader.copy(to: copy) { _, _ in }
      let snapshot = try StoreSnapshot(path: copy)
      try snapshot.verify()
      try snapshot.verifyContents()
      #expect(try snapshot.facts() == copied)
      #expect(try snapshot.archiveParts(of: team.id).map(\.technician.name) == ["anna", "ben"])
      #expect(try snapshot.recordsWithPhoto().map(\.record) == [1_001, 1_010].map { Samples.uuid($0) })
    }
    let connection = try engine.connection(folder.path)
    for part in try connection.archiveParts(of: team.id) {
      let found = try connection.records(of: part, team: team.id)
      #expect(found.photos.count == 1 && found.dosesWithoutStock == 0)
      let records = found.records
      #expect(records.pools.count == 1 && records.profiles.count == 1 && records.equipment.count == 1)
      #expect(records.serviceEvents.count == 1 && records.chemicalDoses.count == 1 && records.inventory.count == 1)
    }
    #expect(try await store.photoSizes(of: team.id).values.sorted() == [17, 17])
  }

  @Test(arguments: Engine.all)
  func `each kind of job finds the facts it needs`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let team = try await fill(store)
    let zone = try SystemZones().zone(named: team.zone)
    let change = PhotoChange.fresh()
    _ = try await store.replaceRecords(
      team: team.name, technician: "eve", records: RecordSet(), photos: [:], now: now, dryRun: false, change: change)
    #expect(try await store.lastPhotoChange(of: team.id) == change)
    for kind in JobCatalogue.pools.ofTeam {
      let request = FactsRequest(team: team.id, kind: kind, asOf: now.advanced(by: .hours(1)), zone: zone)
      let facts = try #require(try await store.facts([request]).first ?? nil)
      #expect(facts.team == team && facts.poolCount == 2, "\(kind)")
    }
  }

  @Test(arguments: Engine.all)
  func `every table that decisions of a pool service read is a table with counted changes`(
    engine: Engine
  ) async throws {
    let store = try engine.store(folder.path, now)
    let team = try await fill(store)
    let zone = try SystemZones().zone(named: team.zone)
    let log = StatementLog(ofServer: Engine.isPostgreSQL)
    let connection = try engine.connection(folder.path)
    let tables = try connection.tables()
    try StatementLog.$current.withValue(log) {
      let requests = JobCatalogue.pools.ofTeam.map { FactsRequest(team: team.id, kind: $0, asOf: now, zone: zone) }
      for request in requests + [.everyDay(of: team.id)] { _ = try connection.facts(request) }
    }
    #expect(log.tablesRead(of: tables) == FactChanges.tables.union(PoolTables().factTables))
  }
}

extension StatementLog {
  /// The tables that the logged statements read, apart from those of sent routes, which no decision reads.
  func tablesRead(of tables: [String]) -> Set<Substring> {
    let words = Set(statements.keys.flatMap { $0.split { !$0.isLetter && $0 != "_" } })
    return Set(tables.map { $0[...] }).intersection(words).subtracting(["told_routes", "told_stops"])
  }
}
