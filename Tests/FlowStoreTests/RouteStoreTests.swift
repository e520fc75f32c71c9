import FlowModel
import FlowStore
import FlowTestKit
import PoolModel
import PoolStore
import Testing

/// Routes in the store: computed orders, applied orders and measured times.
struct RouteStoreTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func team(_ store: any TeamRecords & Routes & Teams) async throws -> (
    team: Team, day: RouteDay, pools: [PoolID]
  ) {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    let pools = (1...3).map { Samples.pool($0, order: $0) }
    var profile = Samples.profile(of: pools[1].id, tags: "vip, PIN: 3 ,x")
    profile.preferredArrivalWindow = "8-10"
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: pools, profiles: [profile]), photos: [:], now: now,
      dryRun: false)
    let stop = try #require(try await store.routeStops(of: team.id).first)
    return (team, stop.routeDay, pools.map(\.id))
  }

  private func route(_ day: RouteDay, _ pools: [PoolID]) -> StoredRoute {
    StoredRoute(
      technicianID: day.technicianID, day: day.day, inputHash: .max - 5, objective: .balanced, provider: "haversine",
      current: pools, best: pools.reversed(), unresolved: [pools[0]], unpinned: [],
      figures: RouteFigures(minutes: 20, miles: 8, late: 12), bestFigures: RouteFigures(minutes: 15.5, miles: 6),
      isProven: true, computedAt: now)
  }

  @Test(arguments: Engine.all)
  func `stops are listed in the day's order with their pins and arrival windows`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, _, pools) = try await team(store)
    let stops = try await store.routeStops(of: team.id)
    #expect(stops.map(\.poolID) == pools)
    #expect(stops.map(\.pin) == [nil, 3, nil] && stops.map(\.arrivalWindow) == ["", "8-10", ""])
  }

  @Test func `a new pin replaces the old one and keeps other tags`() {
    var profile = Samples.profile(of: Samples.pool().id, tags: "vip, pin:3, tech:Ben")
    #expect(profile.tagsCSV == "vip,tech:Ben" && profile.pin == 3 && profile.technicianTag == "Ben")
    profile.pin = 5
    #expect(profile.storedTags == "vip,tech:Ben,pin:5")
    profile.pin = nil
    #expect(profile.storedTags == "vip,tech:Ben")
    profile.tagsCSV = "pin:0, pin:x, pin:-2"
    #expect(profile.pin == nil)
  }

  @Test(arguments: Engine.all)
  func `a route is stored, replaced, and removed with its day`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, day, pools) = try await team(store)
    let first = route(day, pools)
    try await store.keep([first], of: team.id, onlyDays: nil)
    #expect(try await store.routes(of: team.id) == [first])
    try await store.keep([], of: team.id, onlyDays: [day])
    #expect(try await store.routes(of: team.id) == [first])
    try await store.keep([], of: team.id, onlyDays: [])
    #expect(try await store.routes(of: team.id).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `an order is set and undone once, and refused if the day has changed`(engine: Engine) async throws {
    let store = try engine.open(folder.path, self.now)
    let (team, day, pools) = try await team(store)
    let order = [pools[2], pools[0], pools[1]]
    func now() async throws -> [PoolID] { try await store.routeStops(of: team.id).map(\.poolID) }
    #expect(
      try await store.setRoute(order, known: order, on: day, of: team.id, now: self.now, keeping: nil)
        == .changedMeanwhile)
    #expect(
      try await store.setRoute([pools[0]], known: pools, on: day, of: team.id, now: self.now, keeping: nil)
        == .changedMeanwhile)
    #expect(
      try await store.setRoute(pools, known: pools, on: day, of: team.id, now: self.now, keeping: nil) == .nothing)
    #expect(try await now() == pools)
    #expect(try await store.setRoute(order, known: pools, on: day, of: team.id, now: self.now, keeping: nil) == .done)
    #expect(try await now() == order)
    #expect(try await store.undoRoute(on: day, of: team.id) == .done)
    #expect(try await now() == pools)
    #expect(try await store.undoRoute(on: day, of: team.id) == .nothing)
    #expect(try await store.setRoute(order, known: pools, on: day, of: team.id, now: self.now, keeping: nil) == .done)
    // A manual move also pins the stop, even if its position does not change.
    for (set, known, expected) in [(order, order, RouteChange.nothing), (pools, order, .done)] {
      let change = try await store.setRoute(
        set, known: known, on: day, of: team.id, now: self.now, keeping: (pools[2], place: 3))
      #expect(change == expected)
      #expect(try await store.routeStops(of: team.id).first { $0.poolID == pools[2] }?.pin == 3)
    }
    #expect(
      try await store.setRoute(order, known: order, on: day, of: team.id, now: self.now, keeping: (pools[2], place: 1))
        == .changedMeanwhile)
    #expect(try await store.routeStops(of: team.id).first { $0.poolID == pools[2] }?.pin == 3)
    _ = try await store.removePool(pools[0], of: team.id, today: nil)
    #expect(try await store.undoRoute(on: day, of: team.id) == .changedMeanwhile)
  }

  @Test(arguments: Engine.all)
  func `measured times are read back as written, including missing legs`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, _, _) = try await team(store)
    let table = StoredTravelTable(
      name: "t.json", places: [(33.1, -112), (33.25, -111.875)], minutes: [0, 12.5, nil, 0], importedAt: now)
    #expect(try await store.travelTable(of: team.id) == nil)
    try await store.setTravelTable(table, of: team.id)
    #expect(try await store.travelTable(of: team.id) == table)
    try await store.setTravelTable(nil, of: team.id)
    #expect(try await store.travelTable(of: team.id) == nil)
  }

  @Test(arguments: Engine.all)
  func `a visit counts on its own day`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, _, pools) = try await team(store)
    let visit = Samples.visit(to: pools[1], at: now)
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(pools: (1...3).map { Samples.pool($0, order: $0) }, serviceEvents: [visit]), photos: [:],
      now: now, dryRun: false)
    #expect(
      try await store.serviced(of: team.id, from: now, to: now.advanced(by: .hours(1))) == [pools[1]])
    #expect(
      try await store.serviced(of: team.id, from: now.advanced(by: .hours(1)), to: now.advanced(by: .hours(2))).isEmpty)
  }
}
