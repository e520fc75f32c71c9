import FlowModel
package import FlowPlatform

/// The folder of all backups. Each backup is a folder that gets its name only after it is complete and verified.
package struct BackupFolder: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Creates the folder with mode 0700, and removes incomplete backups of earlier processes.
  package func prepare() throws(SystemFailure) {
    try PrivateFiles.makeFolder(path)
    for name in try PrivateFiles.names(in: path) where name.hasPrefix(Self.partialPrefix) {
      try PrivateFiles.removeTree("\(path)/\(name)")
    }
  }

  static let partialPrefix = ".partial-"

  // Ids may come from a store or a caller, so they are encoded before they become part of a path.
  func partial(_ id: String) -> String { "\(path)/\(Self.partialPrefix)\(PathComponent(encoding: id, longest: 200))" }
  package func folder(_ id: String) -> String { "\(path)/\(PathComponent(encoding: id))" }

  /// Removes incomplete copies older than `Limits.partialBackupAge`; a younger one may still be in progress.
  func removeOldPartials(now: Timestamp) throws(SystemFailure) {
    for name in try PrivateFiles.names(in: path) where name.hasPrefix(Self.partialPrefix) {
      let began = Timestamp(compact: String(name.dropFirst(Self.partialPrefix.count).prefix(16)))
      guard let began, now.since(began) > Limits.partialBackupAge else { continue }
      try PrivateFiles.removeTree("\(path)/\(name)")
    }
  }

  /// The ids of all complete backups, newest first, since an id begins with its time.
  package func ids() throws(SystemFailure) -> [String] {
    Array(try PrivateFiles.names(in: path).filter(Self.isID).reversed().prefix(Limits.backupsListed))
  }

  /// Whether a text is a backup's id: `20260302T021500Z`, or `20260302T021500Z-2` for the second backup within a second.
  package static func isID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (16...20).contains(bytes.count), bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return false
    }
    let digits = bytes[0..<8] + bytes[9..<15] + bytes.dropFirst(17)
    guard digits.allSatisfy({ (48...57).contains($0) }) else { return false }
    return bytes.count == 16 || (bytes.count > 17 && bytes[16] == UInt8(ascii: "-"))
  }

  func location(_ id: String) -> BackupLocation { BackupLocation(path: folder(id), id: id) }

  /// The state directory for a test restore of a backup. After a crash it is removed at the next start.
  func testRestoreFolder(of id: String) -> String { partial("\(id)-proof") }

  /// Returns an unused id.
  func freeID(at now: Timestamp) throws(SystemFailure) -> String {
    let taken = Set(try ids())
    let base = Timestamp(seconds: now.seconds).compact
    var id = base
    var number = 2
    while taken.contains(id), number < 1_000 {
      id = "\(base)-\(number)"
      number += 1
    }
    return id
  }

  /// Reads the manifest of a backup, with its checksum.
  package func manifest(_ id: String) throws(BackupDamage) -> (manifest: BackupManifest, sum: FileSum) {
    try location(id).manifest()
  }
}

/// The folder of one backup. It has another name than its id while the backup is made, or if a person renamed it.
package struct BackupLocation: Hashable, Sendable {
  package let path: String
  /// The id that the manifest must contain; nil if a person chose the folder's name.
  let id: String?

  init(path: String, id: String?) {
    self.path = path
    self.id = id
  }

  /// Whether a folder is a backup, which means that it contains a manifest.
  static func isBackup(_ path: String) -> Bool { FileFacts.exists("\(path)/\(BackupManifest.fileName)") }

  /// Reads the manifest, with its checksum.
  ///
  /// - Throws: `BackupDamage.badManifest`.
  func manifest() throws(BackupDamage) -> (manifest: BackupManifest, sum: FileSum) {
    let bytes: [UInt8]
    do {
      bytes = try PrivateFiles.bytes("\(path)/\(BackupManifest.fileName)", limit: Limits.backupManifestBytes)
    } catch {
      throw .badManifest("\(error)")
    }
    let sum = FileSum(bytes: bytes.count, sha256: SHA256.hex(of: bytes))
    let manifest = try BackupManifest(bytes)
    if let id, manifest.id != id { throw .badManifest("it is the one of backup \(manifest.id)") }
    return (manifest, sum)
  }
}
