import FoundationEssentials
import Glibc
package import PoolModel
import PoolPlatform
package import PoolStore

/// Puts another store in the place of a daemon's own, while no daemon has it open: the old file is always kept aside.
///
/// The new file is complete and proved before a marker says that it shall be used; from then on the two renames are made
/// up for by whoever starts next, however often that is cut off. Before the marker nothing has changed.
package struct StoreRecovery: Sendable {
  private let state: String

  package init(state: String) {
    self.state = state
  }

  package var storePath: String { "\(state)/poolflow.db" }
  var photos: String { "\(state)/photos" }
  var stagedPath: String { "\(state)/restore.db" }
  private var markerPath: String { "\(state)/restore.marker" }

  /// The moments at which a crash leaves something else behind.
  package enum Step: Hashable, Sendable, CaseIterable {
    case copied, proved, marked, oldAside, newNamed
  }

  // MARK: What is there

  /// - Throws: `LostStore` where the file is gone or empty and the folder tells of a store that was there;
  ///   `StoreNotOurs` where this user may not use it; `StoreError.noFile` where something else bears its name.
  package func refuseLostStore() throws {
    try StoreOpening.refuseWhatIsNoFile(storePath)
    try StoreNotOurs.refuse(storePath)
    if FileFacts.bytes(of: storePath) ?? 0 > 0 { return }
    var evidence: [String] = []
    if FileFacts.exists("\(state)/life") { evidence.append("the mark of an earlier life") }
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

  /// A store that was staged, proved and brought to today's schema.
  package struct Staged: Sendable {
    /// As the backup holds it: of the schema and with the tables that it was made with.
    package let facts: SnapshotFacts
    /// What of single teams' records cannot be used; the daemon reports those teams.
    package let strays: [StrayValue]
  }

  /// Copies a snapshot beside the store, proves the copy and brings it to today's schema; the store itself is not touched.
  ///
  /// This is the one way by which a store is restored, and by which a backup is proved (`RestoreProof`).
  /// - Parameter recorded: the SHA-256 of the backup's manifest as the store remembers it; another one is refused.
  /// - Throws: `RestoreRefusal`, `StoreError`, `SystemFailure`; nothing has changed then.
  package func stage(
    _ source: RestoreSource, recorded: String? = nil, reached: (Step) throws -> Void = { _ in }
  ) throws -> Staged {
    try StoreOpening.refuseWhatIsNoFile(storePath)
    let (file, manifest) = try source.snapshot(recorded: recorded)
    do {
      try removeStaged()
      let copied = try PrivateFiles.copy(file, to: stagedPath)
      try PrivateFiles.flush(state)
      try reached(.copied)
      if let wanted = manifest?.snapshot, let difference = BackupVerifier.difference(of: copied, to: wanted) {
        throw RestoreRefusal(of: source, difference)
      }
      let facts = try prove(against: manifest, of: source)
      if facts.schema < Schema.currentVersion {
        try StoreOpening.migrate(copyAt: stagedPath)
        _ = try prove(against: nil, of: source)
        try PrivateFiles.flush(stagedPath)
      }
      let strays = try StoreSnapshot(path: stagedPath).proveContents()
      try reached(.proved)
      return Staged(facts: facts, strays: strays)
    } catch {
      try removeStaged()
      throw error
    }
  }

  /// Reads the staged file to its last page, and counts its rows.
  private func prove(against manifest: BackupManifest?, of source: RestoreSource) throws -> SnapshotFacts {
    let snapshot = try StoreSnapshot(path: stagedPath, acceptsOlder: true)
    try snapshot.prove()
    let facts = try snapshot.facts()
    guard let wanted = manifest?.rows else { return facts }
    for table in Set(facts.rows.keys).union(wanted.keys).sorted() where facts.rows[table] != wanted[table] {
      throw RestoreRefusal(of: source, .otherRows(table))
    }
    return facts
  }

  /// With the files that SQLite makes to read a store that has a log.
  private func removeStaged() throws(SystemFailure) {
    for suffix in ["-wal", "-shm", ""] { try PrivateFiles.removeTree(stagedPath + suffix) }
  }

  /// Says that the staged store shall be used; `finish` does it, now or at the next start.
  ///
  /// - Returns: where the old one will be kept.
  package func decide(now: Timestamp) throws -> String {
    try write(marker: Marker(aside: try freeName(now), isReset: false))
  }

  /// Says that the store shall be set aside for an empty one.
  package func decideReset(now: Timestamp) throws -> String {
    try write(marker: Marker(aside: try freeName(now), isReset: true))
  }

  /// Makes up for what was decided. Nothing decided is nothing done.
  ///
  /// - Returns: where the old store is now; nil where nothing was decided.
  @discardableResult
  package func finish(reached: (Step) throws -> Void = { _ in }) throws -> String? {
    try StoreOpening.refuseWhatIsNoFile(storePath)
    try removeLeftovers()
    guard FileFacts.exists(markerPath) else {
      // What was staged and never decided is of no use any more.
      try removeStaged()
      return nil
    }
    let marker: Marker
    do {
      marker = try UntrustedJSON.decode(Marker.self, from: PrivateFiles.bytes(markerPath, limit: 4_096))
    } catch let failure as SystemFailure {
      throw failure
    } catch {
      throw RestoreRefusal("'\(markerPath)' cannot be read; remove it to keep the store that is there")
    }
    guard KeptStores.keptAt(marker.aside) != nil else {
      throw RestoreRefusal(
        "'\(markerPath)' says to keep the store as '\(visible(marker.aside))', which no poolflow does; remove it to keep the "
          + "store that is there")
    }
    try reached(.marked)
    // While the staged file is there, what bears the store's name is the old one.
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

  private struct Marker: Codable {
    let aside: String
    let isReset: Bool
  }

  private func freeName(_ now: Timestamp) throws(SystemFailure) -> String {
    let names = Set(try PrivateFiles.names(in: state))
    let base = "\(KeptStores.prefix)\(Timestamp(seconds: now.seconds).compact)"
    return names.contains(base) ? "\(base)-\(names.count)" : base
  }

  /// What a crash left half written: a marker, and copies from before a migration.
  private func removeLeftovers() throws(SystemFailure) {
    for name in try PrivateFiles.names(in: state) {
      guard name == "restore.marker.partial" || (name.hasPrefix(".poolflow.db.schema-") && name.hasSuffix(".partial"))
      else { continue }
      try PrivateFiles.removeTree("\(state)/\(name)")
    }
  }

  private func write(marker: Marker) throws -> String {
    try StoreOpening.refuseWhatIsNoFile(storePath)
    try PrivateFiles.removeTree(markerPath + ".partial")
    try PrivateFiles.write(markerPath + ".partial", Array(try JSONEncoder().encode(marker)))
    try PrivateFiles.rename(markerPath + ".partial", to: markerPath)
    try PrivateFiles.flush(state)
    return "\(state)/\(marker.aside)"
  }
}

/// The store's file is gone or empty where there was one.
package struct LostStore: Error, CustomStringConvertible {
  let state: String
  package let path: String
  package let isEmpty: Bool
  package let evidence: [String]
  package let newest: String?

  package var description: String {
    func recover(_ words: String) -> String { "`\(ServiceAccount.recoverCommand(words, state: state))`" }
    return
      "the store '\(path)' is \(isEmpty ? "empty" : "gone"), and \(evidence.joined(separator: ", ")) beside it tell "
      + "that there was one; nothing was changed. Put the file back and run \(recover("retry")), or restore a backup "
      + "with \(recover("restore \(newest ?? "BACKUP")")), or begin anew with \(recover("reset"))"
  }
}

/// A file of the store is there, and this user may not read and write it.
package struct StoreNotOurs: Error, CustomStringConvertible {
  let path: String
  let code: Int32
  let owner: String
  let user: String

  package var description: String {
    "the store's file '\(path)' cannot be read and written: \(SystemFailure.words(code)). It belongs to \(owner), and this "
      + "program runs as \(user); nothing was changed. As root give it to its service: `chown \(user): '\(path)'`"
  }

  /// - Throws: `StoreNotOurs`, `SystemFailure`. That there is no store is no fault.
  static func refuse(_ path: String) throws {
    for path in [path, path + "-wal"] {
      guard FileKind(at: path) != nil else {
        guard errno == ENOENT else { throw SystemFailure("cannot look at '\(path)'") }
        continue
      }
      guard access(path, R_OK | W_OK) != 0 else { continue }
      let code = errno
      func name(_ uid: UInt32) -> String { Accounts.userName(uid) ?? "user \(uid)" }
      throw StoreNotOurs(
        path: path, code: code, owner: FileFacts(of: path).map { name($0.owner) } ?? "another user",
        user: name(ProcessIdentity.user))
    }
  }
}

/// Why nothing is restored. Nothing has changed.
package struct RestoreRefusal: Error, CustomStringConvertible {
  package let description: String
  /// What is wrong with the backup, where that is the reason.
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
