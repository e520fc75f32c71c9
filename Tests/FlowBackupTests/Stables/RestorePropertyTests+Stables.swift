import StableBackup
import StableModel
import FlowBackup
import FlowModel
import PoolBackup
import StableStore
import Testing
import TradeBackups

extension RestorePropertyTests {
  /// Restores a stable's archives to a team of another store and compares all records; does nothing for another trade.
  func restoreStable(
    _ files: [ArchiveToRestore], of team: Team, _ stand: BackupStand, to restored: Team, _ other: BackupStand,
    seed: UInt64
  ) async throws {
    guard team.trade == .stable else { return }
    let importer = StableImporter(
      store: other.store, photos: PhotoStore(folder: other.state + "/photos"), clock: other.clock, zones: other.zones)
    for file in files { _ = try await importer.restore(file, of: restored, dryRun: false) }
    #expect(
      try await other.store.stableRecords(of: restored.id) == stand.store.stableRecords(of: team.id), "seed \(seed)")
  }
}
