import FlowModel
import FlowStore
import FlowTestKit
import PoolModel
import PoolStore
import Testing
import TradeStores

/// The two definitions of a located pool, in SQL and in Swift, must agree.
struct PlaceTests {
  @Test(arguments: Engine.all)
  func `SQL and Swift count the same pools as not located`(engine: Engine) async throws {
    let scratch = try TemporaryFolder()
    let store = try engine.store(scratch.path, Samples.mondayMorning)
    let team = try await store.addTeam(
      Samples.team(), defaultTechnician: "desert-blue", now: Samples.mondayMorning
    ) { _ in [] }
    let numbers: [Double] = [0, -0.0, 1e-300, 33, 90, 90.1, -90, -91, 180, 180.1, -180, -540, 1e12]
    var pools: [Pool] = []
    for north in numbers {
      for east in numbers {
        var pool = Samples.pool(pools.count + 1, order: pools.count)
        (pool.latitude, pool.longitude) = (north, east)
        pools.append(pool)
      }
    }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: pools), photos: [:], now: Samples.mondayMorning,
      dryRun: false)
    let reader = StoreReader(place: try engine.place(scratch.path))
    let found = try await reader.places()
    #expect(found.map(\.pools) == [pools.count])
    #expect(found.map(\.unplaced) == [pools.count { !$0.hasCoordinates }])
    // Coordinates are returned as stored.
    #expect(try await store.allPools(of: team.id).map(\.longitude).max() == 1e12)
  }
}
