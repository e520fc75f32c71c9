import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import PoolDigests
import PoolModel
import PoolStore
import Testing

/// Pools, stock and equipment that an office edits by hand, on every engine.
struct FieldTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private struct Refusal: Error {}

  private func team(_ store: any TeamRecords & Teams) async throws -> TeamID {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    let pools = [Samples.pool(1, customer: "Baird"), Samples.pool(2, customer: "Chavez", day: .friday)]
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(
        pools: pools, serviceEvents: [Samples.visit(to: pools[0].id)],
        inventory: [Samples.item(stock: 5, threshold: 9)], profiles: [Samples.profile(of: pools[0].id)],
        equipment: [Samples.equipment(at: pools[0].id)]), photos: [Samples.visit(to: pools[0].id).id: 17], now: now)
    return team.id
  }

  @Test(arguments: Engine.all)
  func `an exact customer name wins over longer names that begin with it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }.id
    // More longer names than a reply holds, all before the exact name in byte order.
    let names = ["Anna", "ann", "Annette", "Bo", "BO"] + (1...25).map { "ANN \($0)" }
    for (number, name) in names.enumerated() {
      _ = try await store.addPool(to: team, day: .monday) { _, order in
        Samples.pool(number + 1, customer: name, order: order)
      }
    }
    #expect(try await store.pools(of: team, matching: "Ann").map(\.customerName) == ["ann"])
    #expect(try await store.pools(of: team, matching: "ANNA").map(\.customerName) == ["Anna"])
    #expect(try await store.pools(of: team, matching: "anne").map(\.customerName) == ["Annette"])
    #expect(try await store.pools(of: team, matching: "an").count == 20)
    // Two pools of the same name are both found.
    #expect(try await store.pools(of: team, matching: "bo").count == 2)
    #expect(try await store.pools(of: team, matching: "nn").isEmpty)
    #expect(try await store.pools(of: team, matching: "").isEmpty, "an empty name matches no pool")
  }

  @Test(arguments: Engine.all)
  func `a pool is added last in its day, changed, and removed with its records`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let added = try await store.addPool(to: team, day: .monday) { pools, next in
      Samples.pool(10 * pools, customer: "baird, too", order: next)
    }
    #expect(added.routeOrder == 1 && added.id == Samples.pool(20).id)
    await #expect(throws: Refusal.self) { try await store.addPool(to: team, day: .monday) { _, _ in throw Refusal() } }
    #expect(try await store.pools(of: team, now: now).map(\.pool.customerName) == ["Baird", "baird, too", "Chavez"])
    #expect(try await store.pools(of: team, now: now).map(\.lastVisit) == [now, nil, nil])
    #expect(
      try await store.pools(of: team, day: .friday, technician: "Anna", now: now).map(\.pool.id) == [Samples.pool(2).id]
    )
    #expect(try await store.pools(of: team, day: nil, technician: "ben", now: now).isEmpty)
    #expect(try await store.pools(of: team, matching: "BAIR").count == 2)
    #expect(try await store.pools(of: team, matching: "BAIRD").map(\.customerName) == ["Baird"])
    #expect(try await store.pools(of: team, matching: added.id.description.lowercased()) == [added])
    let technician = try #require(try await store.technicians(of: team).first)
    #expect(try await store.poolsByTechnician(of: team) == [technician.id: 3])
    let changed = try await store.changePool(added.id, of: team, change: { $0.notes = "blue gate" }, people: nil)
    #expect(changed?.notes == "blue gate")
    #expect(try await store.changePool(Samples.pool(9).id, of: team, change: { _ in }, people: { _ in }) == nil)
    // A refused change of the contact also rolls back the change of the pool.
    await #expect(throws: Refusal.self) {
      try await store.changePool(added.id, of: team, change: { $0.notes = "lost" }, people: { _ in throw Refusal() })
    }
    #expect(try await store.pools(of: team, matching: added.id.description).map(\.notes) == ["blue gate"])
    _ = try await store.changePool(
      added.id, of: team, change: { $0.notes = "green gate" }, people: { $0.preferredArrivalWindow = "after 9" })
    let both = try await store.detail(of: added, team: team, now: now).profile
    #expect(both?.preferredArrivalWindow == "after 9")
    #expect(try await store.pools(of: team, matching: added.id.description).map(\.notes) == ["green gate"])
    let detail = try await store.detail(
      of: Samples.pool(1, customer: "Baird"), team: team, now: now)
    #expect(detail.technician == "anna" && detail.visits == 1 && detail.lastVisit?.timestamp == now)
    #expect(detail.profile?.gateAccessType == "Keypad 4417" && detail.equipment.count == 1)
    #expect(try await store.photoEvents(of: team, pool: added.id).isEmpty)
    #expect(try await store.photoEvents(of: team, pool: nil) == [Samples.visit(to: added.id).id])
    #expect(try await store.removePool(Samples.pool(1).id, of: team, today: nil))
    #expect(try await !store.removePool(Samples.pool(1).id, of: team, today: nil))
    let left = try await store.counts(of: team)
    #expect(left.pools == 2 && left.serviceEvents + left.equipment + left.photos == 0)
    #expect(left.customerProfiles == 1)
  }

  @Test(arguments: Engine.all)
  func `a profile change creates a missing profile and moves its pool by tag`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let (known, bare) = (Samples.pool(1).id, Samples.pool(2).id)
    #expect(try await store.access(to: [bare, known], team: team).map(\.gate) == ["Keypad 4417"])
    let made = try await store.changeProfile(of: bare, team: team) { profile in
      profile.gateAccessType = "Side gate"
      profile.tagsCSV = "tech:Ben"
    }
    #expect(made?.poolID == bare)
    #expect(try await store.pools(of: team, day: nil, technician: "BEN", now: now).map(\.pool.id) == [bare])
    #expect(try await store.access(to: [bare, known], team: team).map(\.gate) == ["Side gate", "Keypad 4417"])
    #expect(try await store.changeProfile(of: Samples.pool(9).id, team: team) { _ in } == nil)
    #expect(try await store.profiles(of: team).count == 2)
  }

  @Test(arguments: Engine.all)
  func `stock is appended, changed and removed`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let chlorine = Samples.item(3_001, name: "Chlorine", stock: 40, threshold: 8)
    let added = try await store.addStock(to: team) { known in
      #expect(known.map(\.name) == ["Muriatic Acid"])
      return [chlorine]
    }
    #expect(added == [chlorine])
    let changed = try await store.changeStock(chlorine.id, of: team) { $0.currentStockOz = 12 }
    #expect(changed?.currentStockOz == 12)
    #expect(try await store.stock(of: team).map(\.item.currentStockOz) == [5, 12])
    #expect(try await store.stock(of: team).allSatisfy { $0.technician == nil })
    #expect(try await store.removeStock(chlorine.id, of: team))
    #expect(try await !store.removeStock(chlorine.id, of: team))
    #expect(try await store.changeStock(chlorine.id, of: team) { _ in } == nil)
  }

  @Test(arguments: Engine.all)
  func `equipment is added, changed and removed at its pool`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let filter = Samples.equipment(4_001, at: Samples.pool(2).id)
    #expect(try await store.addEquipment(filter, to: team))
    #expect(try await !store.addEquipment(Samples.equipment(4_002, at: Samples.pool(9).id), to: team))
    let changed = try await store.changeEquipment(filter.id, at: filter.poolID, of: team) { $0.nextServiceDate = now }
    #expect(changed?.nextServiceDate == now)
    #expect(try await store.equipment(of: filter.poolID, team: team) == [try #require(changed)])
    #expect(try await store.changeEquipment(filter.id, at: Samples.pool(1).id, of: team) { _ in } == nil)
    #expect(try await store.equipment(ofTeam: team).count == 2)
    #expect(try await store.removeEquipment(filter.id, of: team))
    #expect(try await !store.removeEquipment(filter.id, of: team))
  }
}
