import PoolModel
import PoolPlatform
import PoolStore

/// Restores a backup into an empty state directory of its own, as a person does on a machine that has nothing but the backup.
///
/// The backup of each night, `backup verify --full` and the copy in the second place are proved by it. Nothing that the
/// running daemon knows is used, so that a backup which passes can be restored anywhere.
struct RestoreProof: Sendable {
  /// Made for the proof and removed after it.
  let state: String

  /// - Parameter look: what is compared besides; gets the restored store.
  /// - Throws: `BackupDamage` where the restore fails; what the disk says where there is no room for it.
  func run(of backup: BackupPlace, made: Timestamp, _ look: (StoreSnapshot) throws -> Void) throws {
    try PrivateFiles.removeTree(state)
    try PrivateFiles.makeFolder(state)
    do {
      let recovery = StoreRecovery(state: state)
      _ = try recovery.stage(.backup(backup))
      _ = try recovery.decide(now: made)
      try recovery.finish()
      try look(try StoreSnapshot(path: recovery.storePath))
    } catch {
      // What cannot be removed goes with the next start of the daemon.
      try? PrivateFiles.removeTree(state)
      throw Self.named(error)
    }
    try PrivateFiles.removeTree(state)
  }

  /// The finding without the path of a folder that is gone by the time a person reads it.
  private static func named(_ error: any Error) -> any Error {
    switch error {
    case let refusal as RestoreRefusal: refusal.damage ?? refusal
    case StoreError.corrupt(_, let finding): BackupDamage.snapshot(finding)
    default: error
    }
  }
}
