import FlowPlatform
import Glibc

/// The source for the restore of a whole store.
package enum RestoreSource: Hashable, Sendable {
  case backup(BackupLocation)
  /// A store's file that no daemon has open.
  case file(String)

  var path: String {
    switch self {
    case .backup(let location): location.path
    case .file(let path): path
    }
  }

  /// Recognizes the source at a path given by a person.
  ///
  /// - Throws: `RestoreRefusal` if the path is neither a backup nor a file. For a folder of several backups the error names the
  ///   newest one, but never chooses it.
  package init(at path: String) throws(RestoreRefusal) {
    guard let facts = FileFacts(of: path) else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR
        ? RestoreRefusal("there is no '\(path)'")
        : RestoreRefusal(
          "'\(path)' cannot be read: \(SystemFailure.words(code)); run the command as root, or change the owner of the file"
        )
    }
    guard facts.isFolder else {
      self = .file(path)
      return
    }
    if BackupLocation.isBackup(path) {
      self = .backup(BackupLocation(path: path, id: nil))
      return
    }
    let ids: [String]
    do throws(SystemFailure) { ids = try BackupFolder(path: path).ids() } catch { throw RestoreRefusal("\(error)") }
    let base = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let newest = ids.first else {
      throw RestoreRefusal(
        "the folder '\(path)' is not a backup (it has no '\(BackupManifest.fileName)') and contains none")
    }
    throw RestoreRefusal(
      ids.count == 1
        ? "'\(path)' is a folder of backups with one backup: name that, '\(base)/\(newest)'"
        : "'\(path)' is a folder of \(ids.count) backups: name the one to restore, the newest is '\(base)/\(newest)'")
  }

  /// Verifies everything except the snapshot itself, and returns the file to copy.
  ///
  /// - Parameter recorded: the SHA-256 of the backup's manifest as recorded in the store; nil for none.
  /// - Returns: the file's path, and the backup's manifest; the latter is nil for a file.
  /// - Throws: `RestoreRefusal`.
  func snapshot(recorded: String?, _ trades: BackupTrades) throws -> (path: String, manifest: BackupManifest?) {
    switch self {
    case .file(let path):
      guard FileFacts.bytes(of: path + "-wal") ?? 0 == 0 else {
        throw RestoreRefusal("'\(path)' has a log next to it: it is in use, or its daemon was killed")
      }
      return (path, nil)
    case .backup(let location):
      let (manifest, damage) = BackupVerifier(
        folder: BackupFolder(path: location.path), trades: trades
      ).damageExceptSnapshot(of: location, recorded: recorded)
      if let first = damage.first { throw RestoreRefusal(of: self, first) }
      guard let manifest, manifest.hasSnapshot else {
        throw RestoreRefusal(
          "the backup '\(location.path)' holds only archives, because its store was on a server: restore a team's records with "
            + "`pfctl backup restore \(manifest?.id ?? "BACKUP") --team TEAM`")
      }
      return ("\(location.path)/\(BackupManifest.snapshotName)", manifest)
    }
  }
}
