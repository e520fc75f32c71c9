import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import Testing

struct ImportTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func addTeam(_ store: any Teams, plan: Plan = .paid) async throws -> Team {
    try await store.addTeam(Samples.team(plan: plan), defaultTechnician: "desert-blue", now: now) { _ in [] }
  }

  private func records(_ range: ClosedRange<Int>, tags: String = "") -> RecordSet {
    let pools = range.map { Samples.pool($0, customer: "Customer \($0)", order: $0) }
    let visits = pools.enumerated().map { Samples.visit(1_000 + range.lowerBound + $0.offset, to: $0.element.id) }
    let items = [Samples.item(3_000 + range.lowerBound, stock: 5, threshold: 9)]
    return RecordSet(
      pools: pools, serviceEvents: visits,
      chemicalDoses: visits.enumerated().map {
        Samples.dose(2_000 + range.lowerBound + $0.offset, for: $0.element.id, of: items[0].id)
      },
      inventory: items, profiles: pools.map { Samples.profile(of: $0.id, tags: tags) },
      equipment: [Samples.equipment(4_000 + range.lowerBound, at: pools[0].id)])
  }

  private func replace(_ store: any TeamRecords, _ records: RecordSet, technician: String? = nil, dryRun: Bool = false)
    async throws
    -> ImportEffect
  {
    try await store.replaceRecords(
      team: "desert-blue", technician: technician, records: records, photos: [:], now: now, dryRun: dryRun)
  }

  @Test(arguments: Engine.all)
  func `a repeated import replaces the records of its scope only`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    _ = try await addTeam(store)
    let first = try await replace(store, records(1...3), technician: "maria")
    #expect(first.before.pools == 0 && first.after.pools == 3 && first.after.chemicalDoses == 3)
    _ = try await replace(store, records(10...11), technician: "dan")
    _ = try await replace(store, records(20...20))
    let again = try await replace(store, records(2...3), technician: "Maria")
    #expect(again.before.pools == 6 && again.after.pools == 5)
    #expect(again.after.serviceEvents == 5 && again.after.inventoryItems == 3 && again.after.equipment == 3)
  }

  @Test(arguments: Engine.all)
  func `a dry run counts as a real import would and changes nothing`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    _ = try await replace(store, records(1...3))
    let before = try await store.counts(of: team.id)
    let preview = try await replace(store, records(5...9), technician: "newcomer", dryRun: true)
    #expect(try await store.counts(of: team.id) == before)
    #expect(try await store.technicians(of: team.id).map(\.name) == ["desert-blue"])
    let real = try await replace(store, records(5...9), technician: "newcomer")
    #expect(preview.after == real.after)
  }

  @Test(arguments: Engine.all)
  func `an archive with another technician's pool is refused`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    _ = try await replace(store, records(1...3), technician: "maria")
    let before = try await store.counts(of: team.id)
    await #expect(throws: StoreError.ownedElsewhere(entity: "pool", id: Samples.pool(3).id.description)) {
      try await replace(store, records(3...5), technician: "dan")
    }
    #expect(try await store.counts(of: team.id) == before)
  }

  @Test(arguments: Engine.all)
  func `the free plan is limited to five pools`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store, plan: .free)
    _ = try await replace(store, records(1...5))
    await #expect(throws: StoreError.freePlanFull(team: "desert-blue", records: 6, limit: 5)) {
      try await replace(store, records(1...6))
    }
    await #expect(throws: StoreError.self) {
      try await store.upsertPools(
        team: "desert-blue", technician: nil, pools: [Samples.pool(6)], profiles: [], now: now, dryRun: false)
    }
    #expect(try await store.counts(of: team.id).pools == 5)
  }

  @Test(arguments: Engine.all)
  func `a pool's technician is the archive's, else the tag's, else the default`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    _ = try await replace(store, records(1...1, tags: "vip,tech:Maria"))
    _ = try await replace(store, records(2...2, tags: "tech:maria"), technician: "dan")
    let lines = try await store.pools(of: team.id, now: now)
    #expect(
      Dictionary(uniqueKeysWithValues: lines.map { ($0.pool.id, $0.technician) }) == [
        Samples.pool(1).id: "Maria", Samples.pool(2).id: "dan",
      ])
    _ = try await store.upsertPools(
      team: "desert-blue", technician: nil, pools: [Samples.pool(3), Samples.pool(2)],
      profiles: [Samples.profile(of: Samples.pool(3).id), Samples.profile(of: Samples.pool(2).id, tags: "tech:eve")],
      now: now, dryRun: false)
    let after = Dictionary(
      uniqueKeysWithValues: try await store.pools(of: team.id, now: now).map { ($0.pool.id, $0.technician) })
    #expect(after[Samples.pool(3).id] == "desert-blue")
    #expect(after[Samples.pool(2).id] == "dan", "an archive's technician keeps the pool")
  }

  @Test(arguments: Engine.all)
  func `a tag cannot name the office or everyone as technician, except an existing technician`(engine: Engine)
    async throws
  {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    func drivers() async throws -> [String] { try await store.pools(of: team.id, now: now).map(\.technician) }
    _ = try await replace(store, records(1...1, tags: "tech:Office"))
    _ = try await store.upsertPools(
      team: "desert-blue", technician: nil, pools: [Samples.pool(2)],
      profiles: [Samples.profile(of: Samples.pool(2).id, tags: "tech:all")], now: now, dryRun: false)
    _ = try await store.changeProfile(of: Samples.pool(1).id, team: team.id) { $0.tagsCSV = "tech:ALL" }
    #expect(try await store.technicians(of: team.id).map(\.name) == ["desert-blue"])
    #expect(try await drivers() == ["desert-blue", "desert-blue"])
    #expect(try await store.profiles(of: team.id).map(\.tagsCSV).sorted() == ["tech:ALL", "tech:all"])
    _ = try await store.addTechnician("All", to: team.id) { key, _ in KnownPerson(Person(key: key, wants: [])) }
    _ = try await replace(store, records(1...2, tags: "tech:all"))
    #expect(try await drivers() == ["All", "All"])
  }

  @Test(arguments: Engine.all)
  func `stored records are read back unchanged`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    var set = records(1...2)
    set.pools[0].cachedLSI = nil
    set.pools[0].readings.totalDissolvedSolids = nil
    set.pools[1].customerName = "Ünïcode \u{202E}🏊 'quote' \"double\""
    set.pools[1].latitude = -33.123456789012345
    _ = try await replace(store, set)
    #expect(try await store.allPools(of: team.id) == set.pools)
    #expect(try await store.profiles(of: team.id) == set.profiles)
    #expect(try await store.events(of: set.pools[1].id, team: team.id, limit: 5, until: nil) == [set.serviceEvents[1]])
    #expect(try await store.equipment(of: set.pools[0].id, team: team.id) == set.equipment)
  }

  /// Rows are inserted in batches of 200 (`InsertForm`), then of 20, then one by one.
  @Test(arguments: Engine.all, [19, 20, 21, 199, 200, 201, 220, 241, 400])
  func `every imported record is read back once, for counts around the batch sizes`(engine: Engine, count: Int)
    async throws
  {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    var set = records(1...count)
    for index in set.pools.indices {
      set.pools[index].notes = index % 3 == 0 ? "" : String(repeating: "ø", count: index)
    }
    _ = try await replace(store, set)
    #expect(try await store.allPools(of: team.id) == set.pools)
    #expect(try await store.profiles(of: team.id) == set.profiles)
    for (pool, visit) in zip(set.pools, set.serviceEvents) {
      #expect(try await store.events(of: pool.id, team: team.id, limit: 2, until: nil) == [visit])
    }
    // The last row of the last statement is refused: all earlier rows are rolled back.
    set.pools.append(set.pools[0])
    await #expect(throws: StoreError.self) { try await replace(store, set) }
    #expect(try await store.allPools(of: team.id).count == count)
  }

  @Test(arguments: Engine.all)
  func `facts contain the requested days in route order`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    var set = records(1...3)
    set.pools[0].routeOrder = 9
    set.pools[2].serviceDay = .friday
    _ = try await replace(store, set)
    let facts = try #require(try await store.facts([FactsRequest(team: team.id, days: [.monday])]).first ?? nil)
    #expect(facts.stopsByDay[.monday, default: []].map(\.poolID) == [set.pools[1].id, set.pools[0].id])
    #expect(facts.stopsByDay[.friday, default: []].isEmpty)
    #expect(facts.poolCount == 3 && facts.lowStock.count == 1)
  }

  @Test(arguments: Engine.all)
  func `an import refuses each kind of record that belongs to another technician`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let known = records(1...1)
    _ = try await replace(store, known, technician: "maria")
    var item = records(2...2)
    item.inventory[0].id = known.inventory[0].id
    item.chemicalDoses[0].chemicalID = nil
    var visit = records(2...2)
    visit.serviceEvents[0] = Samples.visit(1_001, to: visit.pools[0].id)
    visit.chemicalDoses = []
    var dose = records(2...2)
    dose.chemicalDoses[0].id = known.chemicalDoses[0].id
    var machine = records(2...2)
    machine.equipment[0] = Samples.equipment(4_001, at: machine.pools[0].id)
    var profile = records(2...2)
    profile.profiles.append(known.profiles[0])
    let kinds = [
      ("stock item", item), ("visit", visit), ("dose", dose), ("equipment", machine),
      ("customer profile of pool", profile),
    ]
    for (kind, records) in kinds {
      let error = await #expect(throws: StoreError.self) { try await replace(store, records, technician: "dan") }
      guard case .ownedElsewhere(let entity, _) = error else {
        Issue.record("\(kind): \(error as Any)")
        continue
      }
      #expect(entity == kind)
    }
    #expect(try await store.allPools(of: team.id) == known.pools)
  }
}
