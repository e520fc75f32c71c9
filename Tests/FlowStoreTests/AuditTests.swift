import FlowModel
import FlowStore
import FlowTestKit
import PoolStore
import Testing
import TradeStores

struct AuditTests {
  private let folder: TemporaryFolder
  private let start = Timestamp(seconds: 1_772_000_000)

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Engine.all)
  func `an audit entry starts with its change and gets the result at the end`(engine: Engine) async throws {
    let store = try engine.open(folder.path, start)
    let first = try await store.beginAudit(uid: 1_000, userName: "anna", command: "team add a", at: start)
    let later = start.advanced(by: .seconds(5))
    let second = try await store.beginAudit(uid: 4_294_967_294, userName: nil, command: "reload", at: later)
    try await store.endAudit(first, result: "done", at: later)
    let entries = try await store.audit(since: nil, limit: 10)
    #expect(entries.map(\.entry) == [second, first])
    #expect(entries.map(\.result) == [nil, "done"])
    #expect(entries.map(\.userName) == [nil, "anna"])
    #expect(entries.map(\.uid) == [4_294_967_294, 1_000])
    #expect(entries.map(\.finishedAt) == [nil, later])
    #expect(try await store.audit(since: later, limit: 10).map(\.command) == ["reload"])
    #expect(try await store.audit(since: nil, limit: 1).count == 1)
  }

  @Test(arguments: Engine.all)
  func `an audit entry truncates a long command line to its limit`(engine: Engine) async throws {
    let store = try engine.open(folder.path, start)
    _ = try await store.beginAudit(
      uid: 0, userName: "root", command: String(repeating: "x", count: 100_000), at: start)
    #expect(try await store.audit(since: nil, limit: 1).first?.command.count == Limits.auditCommandLength)
  }

  @Test(arguments: Engine.all)
  func `the store's health reports no damage and its size`(engine: Engine) async throws {
    let store = try engine.store(folder.path, start)
    defer { _ = store.epoch }
    let reader = StoreReader(place: try engine.place(folder.path))
    let health = try await reader.health()
    #expect(health.damage == [])
    #expect(health.bytes >= 4_096)
    #expect(try await reader.places().isEmpty)
  }
}
