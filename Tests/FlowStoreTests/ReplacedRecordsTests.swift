import FlowModel
import FlowStore
import FlowTestKit
import PoolModel
import PoolStore
import Testing

/// Records replaced by a restore, a clear or an inbox import, on every engine.
struct ReplacedRecordsTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private struct Refusal: Error {}

  private func records(_ numbers: ClosedRange<Int>) -> RecordSet {
    let pools = numbers.map { Samples.pool($0, customer: "Customer \($0)") }
    let item = Samples.item(3_000 + numbers.lowerBound, stock: 5, threshold: 9)
    let visits = pools.enumerated().map { Samples.visit(1_000 + numbers.lowerBound + $0.offset, to: $0.element.id) }
    return RecordSet(
      pools: pools, serviceEvents: visits,
      chemicalDoses: [Samples.dose(2_000 + numbers.lowerBound, for: visits[0].id, of: item.id)], inventory: [item],
      profiles: pools.map { Samples.profile(of: $0.id) },
      equipment: [Samples.equipment(4_000 + numbers.lowerBound, at: pools[0].id)])
  }

  private func team(_ store: any TeamRecords & Teams) async throws -> Team {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records(1...3), photos: [ServiceEventID(Samples.uuid(1_003)): 17],
      now: now)
    _ = try await store.replaceRecords(team: team.name, technician: "ben", records: records(10...11), now: now)
    return team
  }

  private func restore(
    _ store: any TeamRecords, _ part: RestoredPart, over extent: RestoreExtent, dryRun: Bool = false
  ) async throws -> RestoreEffect {
    try await store.restore(
      [part], over: extent, of: "desert-blue", photos: [:], now: now, dryRun: dryRun, change: nil,
      limitsPools: true)
  }

  @Test(arguments: Engine.all)
  func `a restore of one technician's records replaces only those`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let archiveParts = try await store.archiveParts(of: team.id)
    #expect(archiveParts.map(\.technician.name) == ["anna", "ben"] && archiveParts.map(\.isOwn) == [false, true])
    let before = try await store.counts(of: team.id)
    let own = RestoredPart(technician: "ben", isOwn: true, records: records(11...12))
    let preview = try await restore(store, own, over: .scope("ben"), dryRun: true)
    #expect(try await store.counts(of: team.id) == before)
    let effect = try await restore(store, own, over: .scope("ben"))
    #expect(effect == preview && effect.lost.pools == 1 && effect.lostCustomers == ["Customer 10"])
    #expect(effect.lost.serviceEvents == 1 && effect.lost.equipment == 1)
    await #expect(throws: StoreError.self) {
      try await restore(
        store, RestoredPart(technician: "ben", isOwn: true, records: records(1...1)), over: .scope("ben"))
    }
    let shared = RestoredPart(technician: "anna", isOwn: false, records: records(1...2))
    let part = try await restore(store, shared, over: .poolsOfTechnician("anna"))
    #expect(part.lost.pools == 1 && part.lost.photos == 1)
    #expect(try await restore(store, shared, over: .technician("anna")).lost.pools == 0)
    let all = RestoredPart(technician: nil, isOwn: false, records: records(20...20))
    #expect(try await restore(store, all, over: .scope(nil)).after.pools == 3)
    #expect(try await restore(store, all, over: .team).after.pools == 1)
    #expect(try await store.pools(of: team.id, now: now).map(\.pool.customerName) == ["Customer 20"])
  }

  @Test(arguments: Engine.all)
  func `a team is cleared only as its caller saw it and keeps its technicians`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let before = try await store.counts(of: team.id)
    await #expect(throws: Refusal.self) {
      try await store.clear(team.name, stock: [], dryRun: false, change: nil) { _ in throw Refusal() }
    }
    #expect(try await store.counts(of: team.id) == before)
    let acid = Samples.item(3_500, stock: 1, threshold: 2)
    let effect = try await store.clear(team.name, stock: [acid], dryRun: false, change: nil) { seen in
      #expect(seen == before)
    }
    #expect(effect.before == before && effect.after.pools == 0 && effect.after.inventoryItems == 1)
    #expect(try await store.technicians(of: team.id).map(\.name) == ["anna", "ben"])
  }

  @Test(arguments: Engine.all)
  func `an inbox file is recorded with its import and forgotten after its last rename`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    await #expect(throws: Refusal.self) {
      try await store.replaceRecords(
        team: team.name, technician: nil, records: records(1...1), now: now,
        claim: ImportClaim(id: "file-1") { _ in throw Refusal() })
    }
    #expect(try await store.inboxReport(of: "file-1") == nil)
    #expect(try await store.allPools(of: team.id).isEmpty)
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records(1...1), now: now,
      claim: ImportClaim(id: "file-1") { "\($0.after.pools) pool" })
    #expect(try await store.inboxReport(of: "file-1") == "1 pool")
    try await store.forgetInboxClaim("file-1")
    #expect(try await store.inboxReport(of: "file-1") == nil)
  }
}
