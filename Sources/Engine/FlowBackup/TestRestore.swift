import FlowModel
import FlowPlatform
import FlowStore

/// Restores a backup into an empty state directory, as a person would on a machine that has only the backup.
///
/// It verifies each nightly backup, `backup verify --full` and the copy in the second folder. It uses no data of the running
/// daemon, so a backup that passes can be restored anywhere.
struct TestRestore: Sendable {
  /// The state directory, created for the test restore and removed afterwards.
  let state: String
  let trades: BackupTrades

  /// Runs the test restore.
  ///
  /// - Parameters:
  ///   - made: the creation time of the backup.
  ///   - check: makes further checks on the restored store.
  /// - Throws: `BackupDamage` if the restore fails; an error of the disk if it has too little free space.
  func run(of backup: BackupLocation, made: Timestamp, _ check: (StoreSnapshot) throws -> Void) throws {
    try PrivateFiles.removeTree(state)
    try PrivateFiles.makeFolder(state)
    do {
      let recovery = StoreRecovery(state: state, trades: trades)
      _ = try recovery.stage(.backup(backup))
      _ = try recovery.decideRestore(now: made)
      try recovery.finish()
      try check(try StoreSnapshot(path: recovery.storePath, trades: trades.stores))
    } catch {
      // If the directory cannot be removed, the daemon removes it at its next start.
      try? PrivateFiles.removeTree(state)
      throw Self.named(error)
    }
    try PrivateFiles.removeTree(state)
  }

  /// The error without the path of the temporary folder, which no longer exists when a person reads the message.
  private static func named(_ error: any Error) -> any Error {
    switch error {
    case let refusal as RestoreRefusal: refusal.damage ?? refusal
    case StoreError.corrupt(_, let finding): BackupDamage.snapshot(finding)
    default: error
    }
  }
}
