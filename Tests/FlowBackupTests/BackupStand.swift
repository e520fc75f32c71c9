import FlowBackup
import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import PoolBackup
import PoolJobs
import PoolModel
import PoolStore
import TradeBackups
import TradeStores

/// A store with teams, stock, visits and photos, and its backup components.
struct BackupStand {
  let scratch: TemporaryFolder
  let state: String
  let store: Store
  let clock = ManualWallClock(Samples.mondayMorning)
  let zones = SystemZones()
  let keeper: BackupKeeper

  static let archives = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("PoolInterchangeTests/Fixtures/files").path

  init() throws {
    scratch = try TemporaryFolder()
    state = scratch.path + "/state"
    try PrivateFiles.makeFolder(state)
    store = try Store(place: .ofTest(state), now: clock.now(), version: "test")
    keeper = try Self.keeper(of: store, in: state, zones: zones, clock: clock)
    try keeper.folder.prepare()
  }

  static func keeper(of store: Store, in state: String, zones: SystemZones, clock: any WallClock) throws -> BackupKeeper
  {
    BackupKeeper(
      store: store,
      source: BackupMaker.Source(
        reader: StoreReader(place: try .ofTest(state)), photoFolder: state + "/photos", install: store.install,
        version: "test"), folder: BackupFolder(path: state + "/backups"), zones: zones, clock: clock)
  }

  func maker() throws -> BackupMaker {
    BackupMaker(
      source: BackupMaker.Source(
        reader: StoreReader(place: try .ofTest(state)), photoFolder: state + "/photos", install: store.install,
        version: "test"), folder: keeper.folder, zones: zones)
  }

  @discardableResult
  func addTeam(_ name: String = "desert-blue", plan: Plan = .paid) async throws -> Team {
    let zone = try zones.zone(named: "America/Phoenix")
    return try await store.addTeam(Samples.team(name, plan: plan), defaultTechnician: name, now: clock.now()) { team in
      JobPlan.all(of: team, in: .pools, zone: zone)
    }
  }

  @discardableResult
  func importArchive(_ name: String, into team: Team, technician: String? = nil) async throws -> ImportReport {
    try await run(
      ImportRequest(
        path: "\(Self.archives)/\(name)", name: name, team: team, technician: technician, dryRun: false))
  }

  /// Imports a file of a pool service team.
  func run(_ request: ImportRequest) async throws -> ImportReport { try await importer().run(request, claim: nil) }

  func importer(drafts: ImportPreviewCache = ImportPreviewCache()) -> PoolImporter {
    PoolImporter(
      store: store, photos: PhotoStore(folder: state + "/photos"), clock: clock, drafts: drafts,
      local: { team, now in TeamLocality(date: try SystemZones().zone(named: team.zone).local(at: now).date) },
      isOfOtherTrade: { _ in false })
  }

  /// Two technicians by tag, one with their own archive and truck, and a dose of a removed chemical.
  func addRecords(to team: Team) async throws {
    let pools = (1...4).map { Samples.pool($0, customer: "Customer \($0)", order: $0) }
    let visits = pools.enumerated().map { Samples.visit(1_000 + $0.offset, to: $0.element.id) }
    let acid = Samples.item(3_000, stock: 5, threshold: 9)
    var doses = visits.enumerated().map { Samples.dose(2_000 + $0.offset, for: $0.element.id, of: acid.id) }
    doses[0].chemicalID = InventoryItemID(Samples.uuid(3_999))
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(
        pools: pools, serviceEvents: visits, chemicalDoses: doses, inventory: [acid],
        profiles: pools.enumerated().map { Samples.profile(of: $0.element.id, tags: $0.offset < 2 ? "tech:Dan" : "") }
          + [Samples.profile(of: PoolID(Samples.uuid(77)))], equipment: [Samples.equipment(4_000, at: pools[3].id)]),
      photos: [:], now: clock.now(), dryRun: false)
    let hers = (11...12).map { Samples.pool($0, customer: "Hers \($0)", day: .friday) }
    _ = try await store.replaceRecords(
      team: team.name, technician: "María José",
      records: RecordSet(pools: hers, inventory: [Samples.item(3_100, name: "Chlorine", stock: 1, threshold: 2)]),
      photos: [:], now: clock.now(), dryRun: false)
  }

  /// Every file of the state directory except the store's, with its bytes.
  static func files(below path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let full = "\(path)/\(name)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      files[name] = try Data(contentsOf: URL(filePath: full))
    }
    return files
  }
}
