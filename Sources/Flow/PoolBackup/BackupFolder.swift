import PoolModel
package import PoolPlatform

/// The folder of all backups: each is a folder of its own, there under its name only when it was complete and proved.
package struct BackupFolder: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Makes it, 0700, and removes what an earlier process left half done.
  package func prepare() throws(SystemFailure) {
    try PrivateFiles.makeFolder(path)
    for name in try PrivateFiles.names(in: path) where name.hasPrefix(Self.partialPrefix) {
      try PrivateFiles.removeTree("\(path)/\(name)")
    }
  }

  static let partialPrefix = ".partial-"

  // An identity may come out of a store or from a caller, so none is used as a path as it is.
  func partial(_ id: String) -> String { "\(path)/\(Self.partialPrefix)\(PathComponent(encoding: id, longest: 200))" }
  package func folder(_ id: String) -> String { "\(path)/\(PathComponent(encoding: id))" }

  /// Removes what an earlier copy to this folder left half done; one that is young may be under way.
  func removeOldPartials(now: Timestamp) throws(SystemFailure) {
    for name in try PrivateFiles.names(in: path) where name.hasPrefix(Self.partialPrefix) {
      let began = Timestamp(compact: String(name.dropFirst(Self.partialPrefix.count).prefix(16)))
      guard let began, now.since(began) > Limits.partialBackupAge else { continue }
      try PrivateFiles.removeTree("\(path)/\(name)")
    }
  }

  /// The identities of all that are complete, the newest first: they begin with their time.
  package func ids() throws(SystemFailure) -> [String] {
    Array(try PrivateFiles.names(in: path).filter(Self.isID).reversed().prefix(Limits.backupsListed))
  }

  /// `20260302T021500Z`, and `20260302T021500Z-2` for the second of a second.
  package static func isID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (16...20).contains(bytes.count), bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return false
    }
    let digits = bytes[0..<8] + bytes[9..<15] + bytes.dropFirst(17)
    guard digits.allSatisfy({ (48...57).contains($0) }) else { return false }
    return bytes.count == 16 || (bytes.count > 17 && bytes[16] == UInt8(ascii: "-"))
  }

  func place(_ id: String) -> BackupPlace { BackupPlace(path: folder(id), id: id) }

  /// The state directory in which a backup is restored for proof. What a crash leaves of it goes with the next start.
  func proof(of id: String) -> String { partial("\(id)-proof") }

  /// An identity that nothing has yet.
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

  package func manifest(_ id: String) throws(BackupDamage) -> (manifest: BackupManifest, sum: FileSum) {
    try place(id).manifest()
  }
}

/// The folder of one backup, under its own name or, while it is made or was renamed by a person, under another.
package struct BackupPlace: Hashable, Sendable {
  package let path: String
  /// The name that its manifest must have; nil where a person chose the folder's name.
  let id: String?

  init(path: String, id: String?) {
    self.path = path
    self.id = id
  }

  /// Whether a folder looks like a backup: it holds a manifest.
  static func isOne(_ path: String) -> Bool { FileFacts.exists("\(path)/\(BackupManifest.fileName)") }

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
