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
    _ importer: Importer, seed: UInt64
  ) async throws {
    guard team.trade == .stable else { return }
    for file in files { _ = try await importer.restoreStable(file, of: restored, dryRun: false) }
    #expect(
      try await other.store.stableRecords(of: restored.id) == stand.store.stableRecords(of: team.id), "seed \(seed)")
  }
}
