package import FlowModel
import FlowPlatform
package import FlowStore
import FoundationEssentials
import Glibc

/// Replaces a daemon's store by another one while no daemon has it open. The old file is always kept aside.
///
/// The new file is complete and verified before a marker says to use it. From then on every start of the daemon completes the
/// two renames, however often it is interrupted. Before the marker exists, nothing has changed.
package struct StoreRecovery: Sendable {
  private let state: String
  let trades: BackupTrades

  package init(state: String, trades: BackupTrades) {
    self.state = state
    self.trades = trades
  }

  package var storePath: String { "\(state)/poolflow.db" }
  var photos: String { "\(state)/photos" }
  var stagedPath: String { "\(state)/restore.db" }
  private var markerPath: String { "\(state)/restore.marker" }

  /// The steps of a restore, at each of which a crash leaves another state.
  package enum Step: Hashable, Sendable, CaseIterable {
    case copied, verified, marked, oldAside, newNamed
  }

  // MARK: State of the folder

  /// Refuses to start without the store if other files in the state directory show that there was one.
  ///
  /// - Throws: `LostStore` if the file is missing or empty although there was a store; `StoreNotAccessible` if this user may not use
  ///   it; `StoreError.noFile` if something other than a file has its name.
  package func refuseLostStore() throws {
    try StoreOpening.requireRegularFile(storePath)
    try StoreNotAccessible.refuse(storePath)
    if FileFacts.bytes(of: storePath) ?? 0 > 0 { return }
    var evidence: [String] = []
    if FileFacts.exists("\(state)/life") { evidence.append("the marker of an earlier process") }
    if FileFacts.exists(storePath + "-wal") { evidence.append("a write-ahead log without its store") }
    if !(try PrivateFiles.names(in: photos).isEmpty) { evidence.append("photos") }
    let backups = try BackupFolder(path: "\(state)/backups").ids()
    if !backups.isEmpty { evidence.append("\(backups.count) backup\(backups.count == 1 ? "" : "s")") }
    guard !evidence.isEmpty else { return }
    throw LostStore(
      state: state, path: storePath, isEmpty: FileFacts.exists(storePath), evidence: evidence,
      newest: backups.first.map { "\(state)/backups/\($0)" })
  }

  // MARK: Restoring

  /// A store that was copied, verified and migrated to the current schema.
  package struct Staged: Sendable {
    /// The facts of the snapshot in the backup, before migration.
    package let facts: SnapshotFacts
    /// The unusable values in single teams' records; the daemon reports those teams.
    package let unusableValues: [UnusableValue]
  }

  /// Copies a snapshot beside the store, verifies the copy and migrates it to the current schema. The store itself is
  /// unchanged.
  ///
  /// All restores and test restores (`TestRestore`) use this method.
  /// - Parameter recorded: the SHA-256 of the backup's manifest as recorded in the store; another manifest is refused.
  /// - Throws: `RestoreRefusal`, `StoreError`, `SystemFailure`; nothing has changed then.
  package func stage(
    _ source: RestoreSource, recorded: String? = nil, reached: (Step) throws -> Void = { _ in }
  ) throws -> Staged {
    try StoreOpening.requireRegularFile(storePath)
    let (file, manifest) = try source.snapshot(recorded: recorded, trades)
    do {
      try removeStaged()
      let copied = try PrivateFiles.copy(file, to: stagedPath)
      try PrivateFiles.flush(state)
      try reached(.copied)
      if let wanted = manifest?.snapshot, let difference = BackupVerifier.difference(of: copied, to: wanted) {
        throw RestoreRefusal(of: source, difference)
      }
      let facts = try verify(against: manifest, of: source)
      if facts.schema < trades.stores.migrations.count {
        try StoreOpening.migrate(copyAt: stagedPath, trades: trades.stores)
        _ = try verify(against: nil, of: source)
        try PrivateFiles.flush(stagedPath)
      }
      let unusableValues = try StoreSnapshot(path: stagedPath, trades: trades.stores).verifyContents()
      try reached(.verified)
      return Staged(facts: facts, unusableValues: unusableValues)
    } catch {
      try removeStaged()
      throw error
    }
  }

  /// Reads the staged file completely and compares its row counts with the manifest.
  private func verify(against manifest: BackupManifest?, of source: RestoreSource) throws -> SnapshotFacts {
    let snapshot = try StoreSnapshot(path: stagedPath, trades: trades.stores, acceptsOlder: true)
    try snapshot.verify()
    let facts = try snapshot.facts()
    guard let wanted = manifest?.rows else { return facts }
    for table in Set(facts.rows.keys).union(wanted.keys).sorted() where facts.rows[table] != wanted[table] {
      throw RestoreRefusal(of: source, .otherRows(table))
    }
    return facts
  }

  /// Removes the staged file and the files that SQLite creates beside it to read a log.
  private func removeStaged() throws(SystemFailure) {
    for suffix in ["-wal", "-shm", ""] { try PrivateFiles.removeTree(stagedPath + suffix) }
  }

  /// Writes the marker that says to use the staged store; `finish` does so, now or at the next start.
  ///
  /// - Returns: the path at which the old store will be kept.
  package func decideRestore(now: Timestamp) throws -> String {
    try write(marker: Marker(aside: try freeName(now), isReset: false))
  }

  /// Writes the marker that says to replace the store by an empty one.
  ///
  /// - Returns: the path at which the old store will be kept.
  package func decideReset(now: Timestamp) throws -> String {
    try write(marker: Marker(aside: try freeName(now), isReset: true))
  }

  /// Completes a decided restore or reset; without a marker it only removes leftovers.
  ///
  /// - Returns: the path of the old store; nil if there was no marker.
  @discardableResult
  package func finish(reached: (Step) throws -> Void = { _ in }) throws -> String? {
    try StoreOpening.requireRegularFile(storePath)
    try removeLeftovers()
    guard FileFacts.exists(markerPath) else {
      // Remove a staged store without a marker, which is not used any more.
      try removeStaged()
      return nil
    }
    let marker: Marker
    do {
      marker = try UntrustedJSON.decode(Marker.self, from: PrivateFiles.bytes(markerPath, limit: 4_096))
    } catch let failure as SystemFailure {
      throw failure
    } catch {
      throw RestoreRefusal("'\(markerPath)' cannot be read; remove it to keep the present store")
    }
    guard SetAsideStores.keptAt(marker.aside) != nil else {
      throw RestoreRefusal(
        "'\(markerPath)' says to keep the store as '\(visible(marker.aside))', which is not a valid name; remove it to keep "
          + "the present store")
    }
    try reached(.marked)
    // While the staged file exists, the file under the store's name is the old one.
    if marker.isReset || FileFacts.exists(stagedPath) {
      for suffix in ["-wal", "-shm", ""] where FileFacts.exists(storePath + suffix) {
        try PrivateFiles.rename(storePath + suffix, to: "\(state)/\(marker.aside)\(suffix)")
      }
      try PrivateFiles.flush(state)
      try reached(.oldAside)
      if !marker.isReset { try PrivateFiles.rename(stagedPath, to: storePath) }
      try PrivateFiles.flush(state)
    }
    try reached(.newNamed)
    for suffix in ["-wal", "-shm"] { try PrivateFiles.removeTree(stagedPath + suffix) }
    if marker.isReset { try PrivateFiles.removeTree("\(state)/life") }
    try PrivateFiles.removeTree(markerPath)
    try PrivateFiles.flush(state)
    return "\(state)/\(marker.aside)"
  }

  /// The contents of the marker file: the name for the old store, and whether it is a reset.
  private struct Marker: Codable {
    let aside: String
    let isReset: Bool
  }

  /// Returns an unused name for the old store.
  private func freeName(_ now: Timestamp) throws(SystemFailure) -> String {
    let names = Set(try PrivateFiles.names(in: state))
    let base = "\(SetAsideStores.prefix)\(Timestamp(seconds: now.seconds).compact)"
    return names.contains(base) ? "\(base)-\(names.count)" : base
  }

  /// Removes incomplete markers, and incomplete copies from before a migration, that a crash left.
  private func removeLeftovers() throws(SystemFailure) {
    for name in try PrivateFiles.names(in: state) {
      guard name == "restore.marker.partial" || (name.hasPrefix(".poolflow.db.schema-") && name.hasSuffix(".partial"))
      else { continue }
      try PrivateFiles.removeTree("\(state)/\(name)")
    }
  }

  private func write(marker: Marker) throws -> String {
    try StoreOpening.requireRegularFile(storePath)
    try PrivateFiles.removeTree(markerPath + ".partial")
    try PrivateFiles.write(markerPath + ".partial", Array(try JSONEncoder().encode(marker)))
    try PrivateFiles.rename(markerPath + ".partial", to: markerPath)
    try PrivateFiles.flush(state)
    return "\(state)/\(marker.aside)"
  }
}

/// The store's file is missing or empty, although other files show that there was a store.
package struct LostStore: Error, CustomStringConvertible {
  let state: String
  package let path: String
  package let isEmpty: Bool
  /// The traces of the store, as parts of a sentence.
  package let evidence: [String]
  /// The path of the newest backup; nil for none.
  package let newest: String?

  package var description: String {
    func recover(_ words: String) -> String { "`\(ServiceAccount.recoverCommand(words, state: state))`" }
    return
      "the store '\(path)' is \(isEmpty ? "empty" : "gone"), and \(evidence.joined(separator: ", ")) beside it tell "
      + "that there was one; nothing was changed. Restore the file and run \(recover("retry")), or restore a backup "
      + "with \(recover("restore \(newest ?? "BACKUP")")), or start with an empty store by \(recover("reset"))"
  }
}

/// The store's file exists, but this user may not read and write it.
package struct StoreNotAccessible: Error, CustomStringConvertible {
  let path: String
  let code: Int32
  let owner: String
  let user: String

  package var description: String {
    "the store's file '\(path)' cannot be read and written: \(SystemFailure.words(code)). It belongs to \(owner), and this "
      + "program runs as \(user); nothing was changed. As root, change its owner: `chown \(user): '\(path)'`"
  }

  /// Checks the permissions of the store's files; a missing store is no error.
  ///
  /// - Throws: `StoreNotAccessible`, `SystemFailure`.
  static func refuse(_ path: String) throws {
    for path in [path, path + "-wal"] {
      guard FileKind(at: path) != nil else {
        guard errno == ENOENT else { throw SystemFailure("cannot look at '\(path)'") }
        continue
      }
      guard access(path, R_OK | W_OK) != 0 else { continue }
      let code = errno
      func name(_ uid: UInt32) -> String { Accounts.userName(uid) ?? "user \(uid)" }
      throw StoreNotAccessible(
        path: path, code: code, owner: FileFacts(of: path).map { name($0.owner) } ?? "another user",
        user: name(ProcessIdentity.user))
    }
  }
}

/// The reason why a restore was refused. Nothing has changed.
package struct RestoreRefusal: Error, CustomStringConvertible {
  package let description: String
  /// The damage of the backup, if that is the reason.
  let damage: BackupDamage?

  init(_ description: String) {
    self.description = description
    damage = nil
  }

  init(of source: RestoreSource, _ damage: BackupDamage) {
    description = "the backup '\(source.path)' is damaged: \(damage)"
    self.damage = damage
  }
}
