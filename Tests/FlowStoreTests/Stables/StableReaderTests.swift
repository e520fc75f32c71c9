import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import FlowWork
import PoolStore
import StableJobs
import StableModel
import Testing
import TradeStores

@testable import FlowStore
@testable import StableStore

/// Readers without ownership of a store with a stable.
struct StableReaderTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  /// Claims a slot of every job of a stable that has records of every kind.
  private func claimed(_ store: Store, _ engine: Engine) async throws -> [ClaimedRun] {
    var barn = Samples.team("hill", zone: "UTC")
    barn.trade = .stable
    let team = try await store.addTeam(barn, defaultTechnician: "office", now: now) { _ in
      JobCatalogue.stables.ofTeam.map { JobPlan(kind: $0, rule: .calendar("*-*-* 00:00:00")) }
    }
    let hour = ForecastHour(start: now, air: 4)
    _ = try await store.importForecast(
      Forecast(source: .csv, place: "", issuedAt: now, hours: [hour]), digest: "x", to: team.id, now: now)
    let date = try SystemZones().zone(named: "UTC").local(at: now).date
    try await store.changeFeedDay(date, of: team.id) { $0.closed = [] }
    let night = BlanketNight(date: date.adding(days: -1), felt: 3, isWet: false, advice: [:])
    try engine.connection(folder.path).keep(night, of: team.id)
    let jobs = try await store.jobs(of: team.id)
    return try await store.claim(
      jobs.map { ClaimRequest(job: $0, slot: now, cause: .manual, asOf: now) }, now: now)
  }

  @Test(arguments: Engine.all)
  func `a reader reads a stable's records`(engine: Engine) async throws {
    _ = try await claimed(engine.store(folder.path, now), engine)
    let reader = StoreReader(place: try engine.place(folder.path))
    let barn = try await reader.image(team: nil, now: now).facts.values.compactMap { $0 as? BarnFacts }
    #expect(barn.count == 1 && barn[0].forecast?.hours.count == 1 && barn[0].closedDays.count == 1)
  }

  @Test(arguments: Engine.all)
  func `every table that decisions of a stable read is a table with counted changes`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let runs = try await claimed(store, engine)
    let tables = try engine.connection(folder.path).tables()
    let log = StatementLog(ofServer: Engine.isPostgreSQL)
    try await StatementLog.$current.withValue(log) {
      let decisions = try await store.decisions(of: runs, zones: SystemZones())
      for decision in decisions { #expect(try decision.get() != nil) }
    }
    let read = log.tablesRead(of: tables)
    #expect(read.isSuperset(of: StableTables().factTables) && read.isSubset(of: StoreTrades.all.factTables), "\(read)")
  }

  @Test(arguments: Engine.all)
  func `a stable has no pools to locate, and is empty until it has a horse`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let reader = StoreReader(place: try engine.place(folder.path))
    var barn = Samples.team("hill")
    barn.trade = .stable
    let hill = try await store.addTeam(barn, defaultTechnician: "office", now: now) { _ in [] }
    #expect(try await reader.emptyBarns() == ["hill"])
    _ = try await store.addHorse(to: hill.id) { _ in
      Horse(id: HorseID(Samples.uuid(1)), name: "Juniper", added: CivilDate(daysSince1970: 20_514))
    }
    #expect(try await reader.emptyBarns().isEmpty)
    #expect(try await reader.places().isEmpty)
  }
}
