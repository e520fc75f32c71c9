import PoolModel
import PoolStore
import PoolTestKit
import Testing

/// The store's two answers to where pools lie, in SQL and in Swift.
struct PlaceTests {
  @Test func `a look at the store counts the same pools as not located as everything else does`() async throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path + "/poolflow.db"
    let store = try Store(path: path, now: Samples.mondayMorning, version: "test")
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
      rehearse: false)
    let found = try await StoreReader(path: path).places()
    #expect(found.map(\.pools) == [pools.count])
    #expect(found.map(\.unplaced) == [pools.count { !$0.hasCoordinates }])
    // As they came.
    #expect(try await store.allPools(of: team.id).map(\.longitude).max() == 1e12)
  }
}
