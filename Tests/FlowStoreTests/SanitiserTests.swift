import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore
import Testing
import TradeStores

/// Free chlorine and salt in the store, and the saturation index by the team's method.
struct SanitiserTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private let water = WaterReadings(
    pH: 7.3, waterTempF: 80, calciumHardness: 300, totalAlkalinity: 110, cyanuricAcid: 90, totalDissolvedSolids: nil,
    freeChlorine: 2.5, salt: 3_100)

  private func team(_ store: any TeamRecords & Teams, visits: [ServiceEvent] = []) async throws -> Team {
    let team = try await store.addTeam(Samples.team(plan: .paid), defaultTechnician: "desert-blue", now: now) { _ in []
    }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: [Samples.pool(1)], serviceEvents: visits),
      photos: [:], now: now, dryRun: false)
    return team
  }

  private func log(
    _ store: any Visits, _ readings: WaterReadings, measured: ReadingSet, of team: Team, number: Int
  ) async throws -> LoggedVisit {
    try #require(
      try await store.logVisit(
        to: Samples.pool(1).id, of: team.id, at: now.advanced(by: .hours(number)),
        now: now.advanced(by: .hours(number)), notes: "", photo: nil,
        identities: VisitIdentities(
          event: ServiceEventID(Samples.uuid(5_000 + number)), dose: { ChemicalDoseID(UUIDs.next()) })
      ) { pool, _, stock in
        VisitToLog(
          readings: readings, measured: measured,
          plan: VisitPlan(pool: pool, inventory: stock, readings: readings, confirmed: .nothing))
      })
  }

  @Test(arguments: Engine.all)
  func `a visit keeps both readings, and undo and edit follow them`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1).id
    let before = try engine.dump(folder.path)
    let logged = try await log(store, water, measured: .all.union(.sanitiser), of: team, number: 1)
    func stored() async throws -> WaterReadings {
      try #require(try await store.allPools(of: team.id).first { $0.id == pool }).readings
    }
    #expect(try await stored().freeChlorine == 2.5)
    #expect(try await stored().salt == 3_100)
    let line = try #require(try await store.visits(of: team.id, pool: pool, search: nil, limit: 1).first)
    #expect(line.event == logged.event && line.event.measuredSalt == 3_100)
    let later = now.advanced(by: .hours(100))
    let detail = try await store.detail(of: Samples.pool(1), team: team.id, now: later)
    #expect(detail.water?.readings.freeChlorine == 2.5 && detail.water?.older.isEmpty == true)
    let lines = try await store.pools(of: team.id, day: nil, technician: nil, now: later)
    #expect(lines[0].water?.readings.salt == 3_100 && lines[0].water?.readings.freeChlorine == 2.5)
    #expect(try await store.sanitiserUse(of: team.id) == (pools: true, visits: true))

    // The next visit measures the pH only: salt stays, free chlorine is unknown.
    var next = water
    (next.pH, next.freeChlorine) = (7.5, nil)
    _ = try await log(store, next, measured: .pH, of: team, number: 2)
    #expect(try await stored().freeChlorine == nil)
    #expect(try await stored().salt == 3_100)
    #expect(
      try await store.pools(of: team.id, day: nil, technician: nil, now: later)[0].water?.older.contains(.salt) == true)
    guard case .done = try await store.undoVisit(to: pool, of: team.id, now: later) else {
      Issue.record("nothing to undo")
      return
    }
    #expect(try await stored().freeChlorine == 2.5)
    #expect(try await stored().salt == 3_100)

    var corrected = water
    corrected.freeChlorine = 4
    _ = try await store.editVisit(logged.event.id, of: team.id, now: later, dose: { ChemicalDoseID(UUIDs.next()) }) {
      [corrected] pool, event, _, stock in
      VisitEdit(
        readings: corrected, measured: .freeChlorine, notes: event.techNotes,
        plan: VisitPlan(pool: pool, inventory: stock, readings: corrected, confirmed: .nothing), pours: false)
    }
    #expect(try await stored().freeChlorine == 4)
    _ = try await store.removeVisit(logged.event.id, of: team.id, now: later, dryRun: false)
    #expect(try await stored().hasSanitiser == false)
    #expect(try engine.dump(folder.path).count == before.count)
    #expect(try await store.sanitiserUse(of: team.id) == (pools: false, visits: false))
  }

  @Test(arguments: Engine.all)
  func `an archive without the readings keeps those of its visits`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let logged = try await log(store, water, measured: .all.union(.sanitiser), of: team, number: 1)
    var event = logged.event
    event.readings = event.readings.withoutSanitiser
    event.measured = .all
    let pool = try #require(try await store.allPools(of: team.id).first)
    var plain = pool
    plain.readings = plain.readings.withoutSanitiser
    func restore(_ knows: Bool, _ events: [ServiceEvent], _ pool: Pool) async throws -> RestoreEffect {
      try await store.restore(
        [
          RestoredPart(
            technician: nil, isOwn: false,
            records: RecordSet(pools: [pool], serviceEvents: events, knowsSanitiser: knows))
        ], over: .team, of: team.name, photos: [:], now: now, dryRun: false, change: nil, limitsPools: true)
    }
    func readings() async throws -> ServiceEvent? {
      try await store.visits(of: team.id, pool: pool.id, search: nil, limit: 1).first?.event
    }
    #expect(try await restore(false, [event], plain).sanitiserKept == 1)
    #expect(try await readings()?.readings == water)
    #expect(try await readings()?.measured == logged.event.measured)
    #expect(try await store.allPools(of: team.id).first?.readings.salt == 3_100)
    // The import of an archive of the app does the same.
    let effect = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: [plain], serviceEvents: [event]), photos: [:],
      now: now, dryRun: false)
    #expect(effect.sanitiserKept == 1)
    #expect(try await readings()?.readings == water)
    // An archive that has the readings decides.
    #expect(try await restore(true, [event], plain).sanitiserKept == 0)
    #expect(try await readings()?.readings == event.readings)
    #expect(try await readings()?.measured == .all)
    #expect(try await restore(true, [logged.event], pool).sanitiserKept == 0)
    #expect(try await readings() == logged.event)
  }

  @Test(arguments: Engine.all)
  func `an archive part says whether there are readings`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let team = try await team(store)
    let part = try #require(try await store.archiveParts(of: team.id).first)
    let place = try engine.place(folder.path)
    func records() throws -> RecordSet { try StoreSnapshot(reading: place).records(of: part, team: team.id).records }
    // Restoring it removes readings that were logged later.
    #expect(try records().knowsSanitiser && records().serviceEvents.isEmpty)
    _ = try await log(store, water, measured: .all.union(.sanitiser), of: team, number: 1)
    let after = try records()
    #expect(after.knowsSanitiser && after.serviceEvents.map(\.readings) == [water])
  }

  @Test(arguments: Engine.all)
  func `an archive that moves a pool to a day outside its rule is counted`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1)
    _ = try await store.upsertPools(
      team: team.name, technician: nil, pools: [pool], profiles: [],
      rules: NewRules([pool.id: try CalendarDates("Mon,Thu")], from: CivilDate(daysSince1970: 0)), now: now,
      dryRun: false, limitsPools: true, claim: nil)
    func bring(_ day: Weekday) async throws -> Int {
      var moved = pool
      moved.serviceDay = day
      return try await store.replaceRecords(
        team: team.name, technician: nil, records: RecordSet(pools: [moved]), photos: [:], now: now, dryRun: true
      ).rulesKept
    }
    #expect(try await bring(pool.serviceDay) == 0)
    #expect(try await bring(.thursday) == 0)
    #expect(try await bring(.saturday) == 1)
  }

  @Test(arguments: Engine.all)
  func `the refresh and the month follow the method of the index`(engine: Engine) async throws {
    let store = try engine.store(folder.path, now)
    let team = try await team(store)
    let logged = try await log(store, water, measured: .all.union(.sanitiser), of: team, number: 1)
    func refresh(all: Bool = false) async throws -> RefreshProgress {
      var progress = RefreshProgress()
      while !progress.isDone { progress = try await store.refreshBlockPools(after: progress, all: all, now: now) }
      return progress
    }
    func index() async throws -> Double? { try await store.allPools(of: team.id).first?.cachedLSI }
    func month() async throws -> PeriodFacts.Visit? {
      try await store.period(
        Period(weekTo: Zone.utc.local(at: now.advanced(by: .hours(24))).date, in: .utc), of: team.id,
        until: now.advanced(by: .hours(48))
      ).visits.first
    }
    _ = try await refresh()
    var full = water
    full.totalDissolvedSolids = Samples.pool(1).readings.totalDissolvedSolids
    let app = LSIResult(full).lsiValue
    let corrected = LSIResult(full, by: .phCorrected).lsiValue
    #expect(app != corrected)
    #expect(try await index() == app)
    #expect(try await month()?.lsi == logged.event.lsiValue)
    #expect(try await month()?.chlorine?.ppm == 2.5)
    for (method, wanted) in [(LSIMethod.phCorrected, corrected), (.app, app)] {
      _ = try await store.changeTeam(
        named: team.name, now: now,
        changeWithRecords: { changed, connection in
          changed.settings.lsiMethod = method
          try connection.forgetIndexes(of: changed.id)
        }, plan: { _ in [] })
      let progress = try await refresh()
      #expect(progress.crossed == 0)
      #expect(try await index() == wanted)
      #expect(try await month()?.lsi.map { abs($0 - wanted) < 1e-9 } == true)
      #expect(try await refresh(all: true).changed == 0)
    }
    // Visits keep the app's index, which archives have.
    #expect(try await store.visits(of: team.id, pool: nil, search: nil, limit: 1).first?.event.lsiValue == app)
  }
}
