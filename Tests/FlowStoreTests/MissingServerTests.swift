import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Testing
import TradeStores

/// A database server that the build does not contain.
struct MissingServerTests {
  private let now = Samples.mondayMorning
  private let server = ServerLocation(
    MissingServerEngine(.postgresql), connection: "service=poolflow", photos: nil, isExclusive: true,
    application: "test", node: nil, partitions: .none, retriesWhileAway: true)

  /// Checks that a use of the server is refused as a mistake in the settings.
  private func expectRefusal(
    _ use: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try use() }
    #expect(
      error?.description == "this build of poolflow has no store on PostgreSQL; set Engine=sqlite",
      sourceLocation: sourceLocation)
    #expect(error?.exitCode == 78 && error?.isServerAway == false, sourceLocation: sourceLocation)
  }

  @Test func `every use of a server without code in this build is refused with one sentence`() throws {
    let folder = try TemporaryFolder()
    let place = StoreLocation.server(server)
    expectRefusal { _ = try Store(place: place, now: now, version: "test") }
    expectRefusal { _ = try Store(reading: place) }
    expectRefusal { _ = try StoreSnapshot(reading: place) }
    expectRefusal { _ = try place.hasStore() }
    expectRefusal {
      _ = try server.watch(
        own: NodeIdentity(name: "north"), version: "test", schema: Schema.currentVersion, clock: SystemWallClock())
    }
    let file = folder.path + "/poolflow.db"
    expectRefusal { _ = try StoreCopy.run(from: server, toFile: file, now: now) }
    #expect(!FileFacts.exists(file))
    _ = try Store(path: file, now: now, version: "test")
    expectRefusal { _ = try StoreCopy.run(fromFile: file, to: server) }
  }
}
