import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import PoolChemistry
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import Testing
import TradeStores

struct VisitTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  /// After every visit of these tests: a visit dated ahead of the clock is not the newest.
  private let later = Samples.mondayMorning.advanced(by: .hours(1_000))

  init() throws { folder = try TemporaryFolder() }

  private struct Refusal: Error {}
  private struct Begun: Error, Equatable {
    let with: [ServiceEventID]
  }

  /// A team with two pools and three items, all indexes fresh.
  private func team(_ store: any TeamRecords & Teams & Water) async throws -> Team {
    let team = try await store.addTeam(Samples.team(plan: .paid), defaultTechnician: "desert-blue", now: now) { _ in []
    }
    var acid = Samples.item(3_001, name: "Acid", stock: 50, threshold: 16)
    acid.chemicalType = "acid"
    var ash = Samples.item(3_002, name: "Soda Ash", stock: 160, threshold: 16)
    ash.chemicalType = "base"
    var soda = Samples.item(3_003, name: "Soda", stock: 1_000, threshold: 16)
    soda.chemicalType = "alkalinity"
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(pools: [Samples.pool(1), Samples.pool(2, order: 1)], inventory: [acid, ash, soda]),
      photos: [:], now: now, dryRun: false)
    try await refresh(store)
    return team
  }

  private func refresh(_ store: any Water, all: Bool = false) async throws {
    var progress = RefreshProgress()
    while !progress.isDone { progress = try await store.refreshBlockPools(after: progress, all: all, now: now) }
  }

  private func log(
    _ store: any Visits, _ readings: WaterReadings, to pool: PoolID, of team: Team, number: Int = 1,
    confirmed: DoseConfirmation = .all,
    at instant: Timestamp? = nil
  ) async throws -> LoggedVisit? {
    try await store.logVisit(
      to: pool, of: team.id, at: instant ?? now.advanced(by: .hours(number)),
      now: now.advanced(by: .hours(number)), notes: "Brushed tile", photo: nil,
      identities: VisitIdentities(
        event: ServiceEventID(Samples.uuid(5_000 + number)), dose: { ChemicalDoseID(UUIDs.next()) })
    ) { pool, _, stock in
      VisitToLog(
        readings: readings, measured: .all,
        plan: VisitPlan(pool: pool, inventory: stock, readings: readings, confirmed: confirmed))
    }
  }

  private let corrosive = WaterReadings(
    pH: 6.8, waterTempF: 70, calciumHardness: 250, totalAlkalinity: 40, cyanuricAcid: 30, totalDissolvedSolids: nil)
  private let scaling = WaterReadings(
    pH: 8.2, waterTempF: 84, calciumHardness: 350, totalAlkalinity: 110, cyanuricAcid: 30, totalDissolvedSolids: nil)

  @Test(arguments: Engine.all)
  func `an archive import reports the logged visits it would lose and may be refused`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1)
    let logged = try #require(try await log(store, scaling, to: pool.id, of: team))
    func bring(_ events: [ServiceEvent], dryRun: Bool = false, lost: Int) async throws -> ArchiveChanges? {
      try await store.replaceRecords(
        team: team.name, technician: nil, records: RecordSet(pools: [pool, Samples.pool(9)], serviceEvents: events),
        photos: [:], now: now, dryRun: dryRun, change: nil, limitsPools: true, claim: nil,
        unless: { if $0.visitsLost > lost { throw Refusal() } }
      ).changes
    }
    await #expect(throws: Refusal.self) { try await bring([], lost: 0) }
    #expect(try await store.visits(of: team.id, pool: pool.id, search: nil, limit: 10).count == 1)
    let preview = try #require(try await bring([], dryRun: true, lost: 1))
    #expect(preview == ArchiveChanges(poolsCreated: 1, poolsUpdated: 1, poolsDeleted: 1, visitsLost: 1))
    // A visit edited after the export would be reverted.
    _ = try await edit(store, logged.event.id, notes: "Kit was dirty", of: team)
    let reverted = try #require(try await bring([logged.event], dryRun: true, lost: 0))
    #expect(reverted.visitsLost == 0 && reverted.visitsReverted == 1)
    _ = try await edit(store, logged.event.id, notes: logged.event.techNotes, of: team)
    // A visit restored by an archive exists again and is no loss.
    #expect(try await bring([logged.event], lost: 0)?.visitsReverted == 0)
    #expect(try await bring([], lost: 0)?.visitsLost == 0)
  }

  @Test(arguments: Engine.all)
  func `a visit writes event, doses, stock, readings and index in one commit`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1).id
    let logged = try #require(try await log(store, scaling, to: pool, of: team))
    #expect(logged.plan.doses.count == 1)
    let detail = try await store.visits(of: team.id, pool: pool, search: nil, limit: 10)
    #expect(detail.count == 1 && detail[0].doses == 1 && detail[0].canBeUndone)
    #expect(detail[0].event == logged.event)
    let after = try #require(try await store.allPools(of: team.id).first { $0.id == pool })
    #expect(after.readings.pH == 8.2 && after.readings.totalDissolvedSolids == 1_100)
    #expect(after.cachedLSI == logged.plan.result.lsiValue && after.updatedAt == logged.event.timestamp)
    let acid = try #require(try await store.stock(of: team.id).first { $0.item.chemicalType == "acid" })
    #expect(acid.item.currentStockOz == 0, "164 oz were poured from 50")
  }

  @Test(arguments: Engine.all)
  func `undoing a visit leaves every table as before`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let before = try engine.dump(folder.path)
    for (index, readings) in [corrosive, scaling].enumerated() {
      for confirmed in [DoseConfirmation.all, .nothing, .some([0])] {
        _ = try #require(
          try await log(store, readings, to: Samples.pool(1).id, of: team, number: index, confirmed: confirmed))
        #expect(try engine.dump(folder.path) != before)
        guard case .done = try await store.undoVisit(to: Samples.pool(1).id, of: team.id, now: now) else {
          Issue.record("nothing to take back")
          return
        }
        #expect(try engine.dump(folder.path) == before)
      }
    }
  }

  @Test(arguments: Engine.all)
  func `a second undo finds nothing and changes nothing`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    _ = try await log(store, scaling, to: Samples.pool(1).id, of: team)
    _ = try await store.undoVisit(to: Samples.pool(1).id, of: team.id, now: now)
    let before = try engine.dump(folder.path)
    guard case .nothing = try await store.undoVisit(to: Samples.pool(1).id, of: team.id, now: now) else {
      Issue.record("a visit was taken back twice")
      return
    }
    #expect(try engine.dump(folder.path) == before)
  }

  @Test(arguments: Engine.all)
  func `undo reverts only a pool's last visit`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    _ = try await log(store, corrosive, to: Samples.pool(1).id, of: team, number: 1)
    _ = try await log(store, corrosive, to: Samples.pool(2).id, of: team, number: 2)
    let ash = { try await store.stock(of: team.id).first { $0.item.chemicalType == "base" }?.item.currentStockOz }
    let between = try #require(try await ash())
    _ = try await store.undoVisit(to: Samples.pool(1).id, of: team.id, now: now)
    let back = try #require(try await ash())
    #expect(back > between && back < 160, "the other pool's dose is still out")
    #expect(
      try await store.visits(of: team.id, pool: nil, search: nil, limit: 10).map(\.event.poolID) == [Samples.pool(2).id]
    )
    _ = try await store.undoVisit(to: Samples.pool(2).id, of: team.id, now: now)
    #expect(try await ash() == 160)
  }

  @Test(arguments: Engine.all)
  func `a refusal midway changes nothing, and a removed pool gets no visit`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let before = try engine.dump(folder.path)
    await #expect(throws: Refusal.self) {
      try await store.logVisit(
        to: Samples.pool(1).id, of: team.id, at: now, now: now, notes: "", photo: nil,
        identities: VisitIdentities(event: ServiceEventID(UUIDs.next()), dose: { ChemicalDoseID(UUIDs.next()) })
      ) { _, _, _ in throw Refusal() }
    }
    #expect(try await log(store, scaling, to: Samples.pool(9).id, of: team) == nil)
    #expect(try engine.dump(folder.path) == before)
  }

  @Test(arguments: Engine.all)
  func `random visits never make stock negative, and an undo restores every table`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededNumbers(seed: seed)
    let team = try await team(store)
    for step in 0..<120 {
      let pool = Samples.pool(Int.random(in: 1...2, using: &random)).id
      var water = Bool.random(using: &random) ? corrosive : scaling
      water.pH = (Double.random(in: 6.5...8.5, using: &random) * 10).rounded() / 10
      try await refresh(store, all: Bool.random(using: &random))
      let before = try engine.dump(folder.path)
      _ = try #require(try await log(store, water, to: pool, of: team, number: step))
      let stock = try await store.stock(of: team.id)
      #expect(stock.allSatisfy { $0.item.currentStockOz >= 0 }, "seed \(seed), step \(step)")
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      _ = try await store.undoVisit(to: pool, of: team.id, now: now)
      // The undo record of the previous visit is dropped with the next visit; everything else is as before.
      func kept(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("visit_undo") } }
      #expect(try kept(engine.dump(folder.path)) == kept(before), "seed \(seed), step \(step)")
    }
  }

  private func edit(
    _ store: any Visits, _ visit: ServiceEventID, _ readings: WaterReadings? = nil, doses: DoseConfirmation? = nil,
    notes: String = "", of team: Team
  ) async throws -> LoggedVisit? {
    try await store.editVisit(visit, of: team.id, now: later, dose: { ChemicalDoseID(UUIDs.next()) }) {
      pool, event, _, stock in
      let water = readings ?? event.readings
      return VisitEdit(
        readings: water, measured: readings == nil ? [] : .all, notes: notes,
        plan: VisitPlan(pool: pool, inventory: stock, readings: water, confirmed: doses ?? .nothing),
        pours: doses != nil)
    }
  }

  private func ounces(_ store: any Stock, _ team: Team, _ type: String) async throws -> Double {
    try #require(try await store.stock(of: team.id).first { $0.item.chemicalType == type }).item.currentStockOz
  }

  @Test(arguments: Engine.all)
  func `an edit returns the stock really taken, and the pool follows its newest visit`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1).id
    func water() async throws -> Pool { try #require(try await store.allPools(of: team.id).first { $0.id == pool }) }
    let first = try #require(try await log(store, scaling, to: pool, of: team, number: 1))
    #expect(try await ounces(store, team, "acid") == 0, "164 oz were poured from 50")
    let second = try #require(try await log(store, corrosive, to: pool, of: team, number: 2))
    // Editing the older visit changes its index and the stock, not the pool.
    let acid = try #require(try await store.stock(of: team.id).first { $0.item.chemicalType == "acid" }).item.id
    let less = DoseConfirmation.measured([MeasuredDose(item: acid, quantityOz: 20)])
    var mended = scaling
    mended.pH = 8.0
    let edited = try #require(
      try await edit(store, first.event.id, mended, doses: less, notes: "Kit was dirty", of: team))
    #expect(try await ounces(store, team, "acid") == 30)
    #expect(edited.event.lsiValue == edited.plan.result.lsiValue && edited.event.lsiValue != first.event.lsiValue)
    #expect(edited.event.totalChemicalCost == edited.plan.totalChemicalCost && edited.doses.map(\.quantityOz) == [20])
    #expect(try await water().readings.pH == 6.8)
    let lines = try await store.visits(of: team.id, pool: pool, search: nil, limit: 10)
    #expect(lines.map(\.event) == [second.event, edited.event] && lines.map(\.canBeUndone) == [false, false])
    // Editing only the notes keeps the rest; editing the newest visit also updates the pool.
    let noted = try #require(try await edit(store, first.event.id, notes: "again", of: team))
    #expect(noted.event.lsiValue == edited.event.lsiValue && noted.doses.map(\.quantityOz) == [20])
    var third = corrosive
    third.pH = 7.1
    let youngest = try #require(try await edit(store, second.event.id, third, of: team))
    #expect(try await water().readings.pH == 7.1)
    #expect(try await water().cachedLSI == youngest.event.lsiValue)
    #expect(youngest.event.totalChemicalCost == second.event.totalChemicalCost)
    #expect(try await edit(store, Samples.visit(9_999, to: pool).id, of: team) == nil)
  }

  @Test(arguments: Engine.all)
  func `a removed visit returns its stock, and the pool takes its previous visit's readings`(engine: Engine)
    async throws
  {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1)
    func water() async throws -> WaterReadings {
      try #require(try await store.allPools(of: team.id).first { $0.id == pool.id }).readings
    }
    let before = try await water()
    let first = try #require(try await log(store, scaling, to: pool.id, of: team, number: 1))
    let second = try #require(try await log(store, corrosive, to: pool.id, of: team, number: 2))
    let unchanged = try engine.dump(folder.path)
    #expect(try await store.removeVisit(first.event.id, of: team.id, now: now, dryRun: true) == first.event)
    #expect(try engine.dump(folder.path) == unchanged)
    #expect(try await store.removeVisit(second.event.id, of: team.id, now: now, dryRun: false) == second.event)
    #expect(try await water().pH == 8.2)
    #expect(try await water().totalDissolvedSolids == before.totalDissolvedSolids)
    #expect(try await ounces(store, team, "base") == 160)
    #expect(try await ounces(store, team, "acid") == 0)
    _ = try await store.removeVisit(first.event.id, of: team.id, now: now, dryRun: false)
    #expect(try await water() == before)
    #expect(try await ounces(store, team, "acid") == 50)
    #expect(try await store.removeVisit(first.event.id, of: team.id, now: now, dryRun: false) == nil)
    // An imported visit returns the stock that its doses list.
    let imported = Samples.visit(7_001, to: pool.id)
    let acid = try #require(try await store.stock(of: team.id).first { $0.item.chemicalType == "acid" }).item
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(
        pools: [pool], serviceEvents: [imported],
        chemicalDoses: [
          ChemicalDose(
            id: ChemicalDoseID(UUIDs.next()), serviceEventID: imported.id, chemicalID: acid.id, quantityOz: 12, cost: 1)
        ],
        inventory: [acid]), photos: [:], now: now, dryRun: false)
    let bare = try #require(try await edit(store, imported.id, doses: .nothing, of: team))
    #expect(try await ounces(store, team, "acid") == 62 && bare.doses.isEmpty && bare.event.totalChemicalCost == 0)
    _ = try await store.removeVisit(imported.id, of: team.id, now: now, dryRun: false)
    #expect(try await ounces(store, team, "acid") == 62, "it had given back all already")
  }

  @Test(arguments: Engine.all)
  func `a backdated visit takes stock and leaves the pool's newer readings`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1).id
    let newest = try #require(try await log(store, corrosive, to: pool, of: team, number: 5))
    let before = try engine.dump(folder.path)
    let old = try #require(
      try await log(store, scaling, to: pool, of: team, number: 6, at: now.advanced(by: .hours(2))))
    let kept = try #require(try await store.allPools(of: team.id).first { $0.id == pool })
    #expect(kept.readings.pH == 6.8 && kept.cachedLSI == newest.event.lsiValue)
    #expect(try await ounces(store, team, "acid") == 0)
    let lines = try await store.visits(of: team.id, pool: pool, search: nil, limit: 10)
    #expect(lines.map(\.event.id) == [newest.event.id, old.event.id] && lines.map(\.canBeUndone) == [false, true])
    _ = try await store.undoVisit(to: pool, of: team.id, now: now)
    func facts(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("visit_undos") } }
    #expect(try facts(engine.dump(folder.path)) == facts(before))
    // The decision sees only the visits up to its own time.
    for (hours, begun) in [(4, []), (5, [newest.event.id])] {
      await #expect(throws: Begun(with: begun)) {
        try await store.logVisit(
          to: pool, of: team.id, at: now.advanced(by: .hours(hours)), now: now.advanced(by: .hours(9)), notes: "",
          photo: nil,
          identities: VisitIdentities(event: ServiceEventID(UUIDs.next()), dose: { ChemicalDoseID(UUIDs.next()) })
        ) { _, recent, _ in throw Begun(with: recent.map(\.id)) }
      }
    }
  }

  @Test(arguments: Engine.all)
  func `visits are found by notes, customer and id prefix`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let logged = try #require(try await log(store, scaling, to: Samples.pool(1).id, of: team, number: 1))
    _ = try await log(store, scaling, to: Samples.pool(2).id, of: team, number: 2)
    _ = try await edit(store, logged.event.id, notes: "Filtre bouché, ÉTÉ", of: team)
    func found(_ text: String, pool: PoolID? = nil, limit: Int = 10) async throws -> Int {
      try await store.visits(of: team.id, pool: pool, search: SearchText(text), limit: limit).count
    }
    #expect(try await found("bouche") == 1)
    #expect(try await found("ete") == 1)
    #expect(try await found("BRUSHED") == 1)
    #expect(try await found("algae") == 0)
    #expect(try await found("BAIRD") == 2)
    #expect(try await found("baird", limit: 1) == 1)
    #expect(try await found("bouche", pool: Samples.pool(2).id) == 0)
    let id = logged.event.id.description
    #expect(
      try await store.visits(of: team.id, beginning: id.lowercased(), limit: 3).map(\.event.id) == [logged.event.id])
    #expect(try await store.visits(of: team.id, beginning: String(id.prefix(8)), limit: 3).count == 2)
    #expect(try await store.visits(of: team.id, beginning: "F0F0F0", limit: 3).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `a visit without readings keeps the previous readings`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pool = Samples.pool(1)
    let measured = try #require(try await log(store, scaling, to: pool.id, of: team, number: 1)).event
    let empty = try #require(
      try await store.logVisit(
        to: pool.id, of: team.id, at: now.advanced(by: .hours(2)), now: later, notes: "Gate locked", photo: nil,
        identities: VisitIdentities(event: ServiceEventID(Samples.uuid(5_002)), dose: { ChemicalDoseID(UUIDs.next()) })
      ) { pool, _, stock in
        VisitToLog(
          readings: scaling, measured: [],
          plan: VisitPlan(pool: pool, inventory: stock, readings: scaling, confirmed: .nothing))
      }
    ).event
    let detail = try await store.detail(of: pool, team: team.id, now: later)
    #expect(detail.lastVisit?.id == empty.id)
    #expect(detail.water?.at == measured.timestamp && detail.water?.readings.pH == scaling.pH)
  }

  @Test(arguments: Engine.all)
  func `random logs, edits and removals never create or lose stock`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededNumbers(seed: seed)
    let team = try await team(store)
    let before = try await store.stock(of: team.id).map(\.item.currentStockOz)
    var there: [LoggedVisit] = []
    for step in 0..<150 {
      var water = Bool.random(using: &random) ? corrosive : scaling
      water.pH = (Double.random(in: 6.5...8.5, using: &random) * 10).rounded() / 10
      let doses = [DoseConfirmation.all, .nothing, .some([0])][Int.random(in: 0...2, using: &random)]
      let known = there.indices.randomElement(using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0 where known != nil:
        _ = try #require(try await edit(store, there[known ?? 0].event.id, water, doses: doses, of: team))
      case 1 where known != nil:
        let gone = there.remove(at: known ?? 0)
        _ = try await store.removeVisit(gone.event.id, of: team.id, now: later, dryRun: false)
      case 2 where known != nil:
        if case .done(let event) = try await store.undoVisit(to: Samples.pool(1).id, of: team.id, now: later) {
          there.removeAll { $0.event.id == event.id }
        }
      default:
        there.append(
          try #require(
            try await log(
              store, water, to: Samples.pool(Int.random(in: 1...2, using: &random)).id, of: team, number: step,
              confirmed: doses, at: now.advanced(by: .hours(Int.random(in: 0...step, using: &random))))))
      }
      #expect(
        try await store.stock(of: team.id).allSatisfy { $0.item.currentStockOz >= 0 }, "seed \(seed), step \(step)")
      let visits = try await store.visits(of: team.id, pool: Samples.pool(1).id, search: nil, limit: 200)
      let pool = try #require(try await store.allPools(of: team.id).first { $0.id == Samples.pool(1).id })
      let youngest = visits.filter { $0.event.timestamp == visits.first?.event.timestamp }
      #expect(
        visits.isEmpty || youngest.contains { $0.event.readings.pH == pool.readings.pH }, "seed \(seed), step \(step)")
    }
    for visit in there { _ = try await store.removeVisit(visit.event.id, of: team.id, now: later, dryRun: false) }
    let after = try await store.stock(of: team.id).map(\.item.currentStockOz)
    #expect(zip(before, after).allSatisfy { abs($0 - $1) < 1e-6 }, "seed \(seed): \(before), \(after)")
  }

  @Test(arguments: Engine.all)
  func `a refresh writes changed indexes, reports crossed limits and then finds nothing`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    var wrong = Samples.pool(1)
    wrong.readings.pH = 9
    wrong.cachedLSI = 0
    _ = try await store.upsertPools(
      team: team.name, technician: nil, pools: [wrong], profiles: [], now: now, dryRun: false)
    #expect(try await store.poolsToRefresh(all: false) == 1)
    var progress = RefreshProgress()
    while !progress.isDone { progress = try await store.refreshBlockPools(after: progress, all: false, now: now) }
    #expect(progress.pools == 1 && progress.changed == 1 && progress.crossed == 1)
    let crossings = try await store.crossings(of: team.id, since: now.advanced(by: .hours(-24)))
    #expect(crossings.map(\.poolID) == [wrong.id] && crossings[0].after == .scaleForming)
    let asked = FactsRequest(team: team.id, days: [.monday], waterSince: now.advanced(by: .hours(-24)))
    let facts = try #require(try await store.facts([asked]).first ?? nil)
    #expect(facts.waterChanges.map(\.customerName) == [wrong.customerName])
    #expect(try await store.allPools(of: team.id).first?.cachedLSI == LSIResult(wrong.readings).lsiValue)
    let before = try engine.dump(folder.path)
    progress = RefreshProgress()
    while !progress.isDone { progress = try await store.refreshBlockPools(after: progress, all: true, now: now) }
    #expect(progress.pools == 2 && progress.changed == 0 && progress.crossed == 0)
    #expect(try engine.dump(folder.path) == before)
  }

  @Test(arguments: Engine.all)
  func `a refresh result is written when its block ends`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    var wrong = Samples.pool(1)
    wrong.readings.pH = 9
    _ = try await store.upsertPools(team: team.name, pools: [wrong], now: now)
    var progress = try await store.refreshBlockPools(after: RefreshProgress(), all: true, now: now)
    #expect(!progress.isWritten && progress.pools == 2)
    while !progress.isWritten { progress = try await store.finishRefresh(progress, now: now) }
    #expect(progress.changed == 1 && !progress.isDone && progress.troubles.isEmpty)
    #expect(try await store.poolsToRefresh(all: false) == 0)
    #expect(try await store.poolsToRefresh(all: true) == 2)
    // Such water has no index.
    wrong.readings.pH = 1e300
    _ = try await store.upsertPools(team: team.name, pools: [wrong], now: now)
    progress = RefreshProgress()
    while !progress.isDone { progress = try await store.refreshBlockPools(after: progress, all: true, now: now) }
    #expect(progress.troubles[team.id]?.pools == 1 && progress.troubles[team.id]?.example == wrong.id.description)
  }

  @Test(arguments: Engine.all)
  func `a stop contains the chlorine of its last five visits`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    let pools = [Samples.pool(1, order: 0), Samples.pool(2, order: 1), Samples.pool(3, order: 2)]
    var chlorine = Samples.item(3_000, name: "Tabs", stock: 500, threshold: 1)
    chlorine.chemicalType = "chlorine"
    chlorine.concentration = 90
    let acid = Samples.item(3_001, stock: 500, threshold: 1)
    // Newest first: the last two visits of the first pool are too old to count.
    let poured: [[Double]] = [[20, 8, 12, 0, 16, 400, 400], [0, 0, 30], []]
    var visits: [ServiceEvent] = []
    var doses: [ChemicalDose] = []
    for (pool, ounces) in zip(pools, poured) {
      for (week, ounces) in ounces.enumerated() {
        let visit = Samples.visit(
          1_000 + visits.count, to: pool.id, at: now.advanced(by: .hours(-24 * 7 * (week + 1))))
        visits.append(visit)
        for (item, ounces) in [(chlorine, ounces), (acid, 99)] where ounces > 0 {
          doses.append(
            ChemicalDose(
              id: Samples.dose(2_000 + doses.count, for: visit.id, of: nil).id, serviceEventID: visit.id,
              chemicalID: item.id, quantityOz: ounces, cost: 1))
        }
      }
    }
    let records = RecordSet(pools: pools, serviceEvents: visits, chemicalDoses: doses, inventory: [chlorine, acid])
    func usual() async throws -> [[UsualDose]] {
      let facts = try await store.facts([.everyDay(of: team.id)]).first ?? nil
      return try #require(facts).stopsByDay[pools[0].serviceDay, default: []].compactMap(\.care?.usualChlorine)
    }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records, photos: [:], now: now, dryRun: false)
    #expect(try await usual() == [[UsualDose(name: "Tabs", ounces: 12, isDry: true)], [], []])
    _ = try await store.removeStock(chlorine.id, of: team.id)
    #expect(try await usual() == [[], [], []])
  }

  @Test(arguments: Engine.all)
  func `the lower id is the newest of two visits at one instant`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    var pools = [Samples.pool(1, order: 0), Samples.pool(2, order: 1)]
    pools[1].serviceDay = .friday
    func ago(_ days: Int) -> Timestamp { now.advanced(by: .hours(-24 * days)) }
    func measured(_ pH: Double) -> WaterReadings {
      WaterReadings(
        pH: pH, waterTempF: 80, calciumHardness: 300, totalAlkalinity: 90, cyanuricAcid: 50, totalDissolvedSolids: nil)
    }
    let visits = [
      Samples.visit(1_002, to: pools[0].id, at: ago(1), readings: measured(7.2)),
      Samples.visit(1_001, to: pools[0].id, at: ago(1), readings: measured(7.8)),
      Samples.visit(1_003, to: pools[0].id, at: ago(90), readings: measured(7.4)),
      Samples.visit(1_004, to: pools[1].id, at: ago(2), readings: measured(7.4)),
      Samples.visit(1_005, to: pools[1].id, at: ago(91), readings: measured(7.4)),
    ]
    let low = Samples.item(3_000, stock: 1, threshold: 2)
    let plenty = Samples.item(3_001, name: "Soda", stock: 9, threshold: 2)
    // 28 oz of both items with each visit.
    let doses = visits.enumerated().flatMap { place, visit in
      [low, plenty].enumerated().map { Samples.dose(2_000 + 2 * place + $0, for: visit.id, of: $1.id) }
    }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(pools: pools, serviceEvents: visits, chemicalDoses: doses, inventory: [low, plenty]),
      photos: [:], now: now, dryRun: false)
    let request = FactsRequest(
      team: team.id, kind: .morningSummary, asOf: now, zone: try SystemZones().zone(named: "UTC"))
    let facts = try #require(try await store.facts([request]).first ?? nil)
    #expect(facts.stopsByDay[pools[0].serviceDay, default: []].map(\.care?.water?.readings.pH) == [7.8])
    #expect(facts.usedOz == [low.id: 4 * 28])
  }

  @Test(arguments: Engine.all)
  func `a store of schema 8 keeps the undoable visit and its stock changes`(engine: Engine) async throws {
    do {
      let old = try engine.store(folder.path, now, migrations: Array(Schema.migrations.prefix(OldStores.schema)))
      let connection = try engine.connection(folder.path)
      for row in OldStores.rows where !row.contains("INTO epochs") {
        try connection.execute(row, operation: "make an old store")
      }
      try await old.endEpoch(at: now)
    }
    let stock = try engine.dump(folder.path).filter { $0.hasPrefix("visit_undo_stock") }
    let store = try engine.open(folder.path, now)
    #expect(try engine.dump(folder.path).filter { $0.hasPrefix("visit_undo_stock") } == stock && stock.count == 3)
    let team = try #require(try await store.teams().first)
    func undoable() async throws -> [Bool] {
      try await store.visits(of: team.id, pool: OldStores.pool, search: nil, limit: 10).map(\.canBeUndone)
    }
    #expect(try await undoable() == [true, false, false])
    guard case .done = try await store.undoVisit(to: OldStores.pool, of: team.id, now: now) else {
      Issue.record("the last visit could not be undone")
      return
    }
    #expect(try await undoable() == [false, false])
    guard case .nothing = try await store.undoVisit(to: OldStores.pool, of: team.id, now: now) else {
      Issue.record("a visit that is not the last one was undone")
      return
    }
  }
}
