import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FoundationEssentials
import PoolBackup
import PoolInterchange
import PoolModel
import PoolStore
import Testing
import TradeBackups
import TradeStores

/// A store with any history is restored from its backup on an empty machine.
///
/// `POOLFLOW_SEED` sets the seed of the first history; the others count on from it.
struct RestorePropertyTests {
  private static let lives = 5
  /// The maximum: a rare method may be missing from the first histories and leave its table empty, so more follow until no
  /// table is.
  private static let mostLives = 50

  private static var firstSeed: UInt64 {
    ProcessInfo.processInfo.environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...UInt64(UInt32.max))
  }

  @Test(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server restores its store itself"))
  func `every table of a random store survives backup and restore on an empty machine`() async throws {
    let first = Self.firstSeed
    let tables = Set(try TableDump(tablesOf: Schema.migrations).tables)
    var filled: Set<String> = []
    for (number, seed) in (first..<first + UInt64(Self.mostLives)).enumerated() {
      if number >= Self.lives, tables.isSubset(of: filled) { break }
      let stand = try BackupStand()
      var life = RandomLife(stand, seed: seed)
      do { try await life.live(weeks: 3) } catch { Issue.record("seed \(seed): \(error)"); return }
      let before = try TableDump(stand.state + "/poolflow.db")
      filled.formUnion(before.filledTables)
      let line = try await stand.keeper.create(reason: "property", planLimits: false)
      let backup = stand.keeper.folder.folder(line.id)
      #expect(try await stand.keeper.verify(line.id, full: true) == [], "seed \(seed)")

      let machine = try TemporaryFolder()
      let recovery = StoreRecovery(state: machine.path)
      let source = try RestoreSource(at: backup)
      let staged = try recovery.stage(source)
      #expect(staged.unusableValues == [], "seed \(seed)")
      let photos = try recovery.restoreMissingPhotos(of: source)
      _ = try recovery.decideRestore(now: life.now)
      try recovery.finish()
      #expect(try TableDump(machine.path + "/poolflow.db").differences(from: before) == [], "seed \(seed)")
      #expect(photos.missing == 0, "seed \(seed)")
      let wanted = try StoreSnapshot(path: recovery.storePath).recordsWithPhoto().map {
        "\($0.team.number)/\($0.record).bin"
      }
      #expect(
        try Set(BackupStand.files(below: machine.path + "/photos").keys) == Set(wanted), "seed \(seed)")
      // The next daemon opens the store.
      let store = try Store(path: recovery.storePath, now: life.now, version: "test")
      #expect(try await store.teams().map(\.name) == stand.store.teams().map(\.name), "seed \(seed)")
      #expect(try await StoreReader(path: recovery.storePath).health().damage == [], "seed \(seed)")
    }
    // A table that no method fills is not tested.
    #expect(tables.subtracting(filled).sorted() == [])
  }

  /// A PostgreSQL store's backup contains the archives of teams; the server restores the rest.
  @Test func `each team's records survive a restore of its archives`() async throws {
    let seed = Self.firstSeed
    let stand = try BackupStand()
    var life = RandomLife(stand, seed: seed)
    try await life.live(weeks: 2)
    let line = try await stand.keeper.create(reason: "property", planLimits: false)
    let backup = stand.keeper.folder.folder(line.id)
    #expect(try await stand.keeper.verify(line.id, full: true) == [], "seed \(seed)")
    let other = try BackupStand()
    for team in try await stand.store.teams() {
      var draft = Samples.team(team.name, zone: team.zone)
      draft.trade = team.trade
      let again = try await other.store.addTeam(draft, defaultTechnician: "anna", now: life.now) { _ in [] }
      let archives = try #require(line.manifest).archives.filter { $0.team == team.name }
      let files = archives.map {
        ArchiveToRestore(
          path: "\(backup)/\($0.name)", name: $0.name, technician: $0.technician, isOwn: $0.own, isFromOwnBackup: true)
      }
      try await restoreStable(files, of: team, stand, to: again, other, seed: seed)  // Stables
      guard team.trade == .poolService else { continue }
      _ = try await other.importer().restore(files, over: .team, of: again, dryRun: false, limitsPools: false)
      #expect(try await other.store.counts(of: again.id) == stand.store.counts(of: team.id), "seed \(seed)")
    }
  }
}
