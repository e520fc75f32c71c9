import FoundationEssentials
package import PoolModel
import PoolPlatform

/// What a backup says of itself: `manifest.json`, written last. The backup gets its name when it was restored for proof.
package struct BackupManifest: Codable, Hashable, Sendable {
  package struct File: Codable, Hashable, Sendable {
    /// Inside the backup's folder.
    package var name: String
    package var bytes: Int
    /// 64 lower-case hexadecimal digits.
    package var sha256: String

    package init(name: String, bytes: Int, sha256: String) {
      self.name = name
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// One archive in the app's own form.
  package struct Archive: Codable, Hashable, Sendable {
    package var name: String
    package var team: String
    package var technician: String
    /// Whether its records were imported for the technician alone.
    package var own: Bool
    package var pools: Int
    package var visits: Int
    package var photos: Int
    /// Doses whose chemical is in no stock any more; the archive has them without a chemical.
    package var dosesWithoutStock: Int
    /// Of a stable alone, whose technician is empty.
    package var horses: Int?
    package var care: Int?
  }

  /// A team whose archives could not be made; the snapshot holds it all the same.
  package struct Trouble: Codable, Hashable, Sendable {
    package var team: String
    /// A sentence.
    package var why: String
    /// What the snapshot has of the team; nil where that could not be counted.
    package var pools: Int?
    package var visits: Int?
  }

  package var format: Int
  package var id: String
  package var createdMs: Int64
  package var reason: String
  /// Of the poolflowd that wrote it.
  package var version: String
  package var install: String
  package var schema: Int
  /// Rows of every table of the snapshot.
  package var rows: [String: Int]
  /// SHA-256 of the notices of the week that follows, as live store and snapshot both told them.
  package var weekSHA256: String
  package var archives: [Archive]
  package var files: [File]
  /// Nil in the manifests of a poolflowd that made all archives or none.
  package var troubles: [Trouble]?

  package static let currentFormat = 1
  package static let fileName = "manifest.json"
  /// In the form of sha256sum(1), so that `sha256sum -c` proves the manifest, and the manifest the rest.
  package static let sumName = "manifest.json.sha256"
  package static let snapshotName = "poolflow.db"

  package var createdAt: Timestamp { Timestamp(milliseconds: createdMs) }
  /// Of a store that a server keeps there are archives alone.
  package var hasSnapshot: Bool { snapshot != nil }
  var snapshot: File? { files.first { $0.name == Self.snapshotName } }
  package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [0x0A]
  }

  /// - Throws: `BackupDamage.badManifest`.
  package init(_ bytes: [UInt8]) throws(BackupDamage) {
    do {
      self = try UntrustedJSON.decode(BackupManifest.self, from: bytes)
    } catch let fault as UntrustedJSON.Fault {
      throw .badManifest("\(fault)")
    } catch {
      throw .badManifest("it cannot be read")
    }
    guard format == Self.currentFormat else {
      throw .badManifest("it is of format \(format), and this poolflowd reads \(Self.currentFormat)")
    }
    // A sum of sizes that overflows would end the daemon: 2^40 bytes are more than any store, and with the bound on the
    // manifest itself 2^20 files are more than it can name.
    guard files.count < 1 << 20, files.allSatisfy({ (0...1 << 40).contains($0.bytes) }) else {
      throw .badManifest("it names a file of an impossible size")
    }
    guard files.allSatisfy({ Self.isPlain($0.name) }), Set(files.map(\.name)).count == files.count else {
      throw .badManifest("it names a file outside the backup, or one twice")
    }
    // Archives are opened by the names that stand here.
    let names = Set(files.map(\.name))
    guard archives.allSatisfy({ names.contains($0.name) && $0.name != Self.snapshotName }) else {
      throw .badManifest("it names an archive that is none of its files")
    }
    guard BackupFolder.isID(id) else { throw .badManifest("'\(visible(id))' is no backup's name") }
  }

  /// A name in the folder itself or in `archives/`, never a way out of it.
  package static func isPlain(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { (try? PathComponent(String($0))) != nil }
      && (parts.count == 1 || parts[0] == "archives")
  }

  package init(
    id: String, createdAt: Timestamp, reason: String, version: String, install: String, schema: Int,
    rows: [String: Int], weekSHA256: String, archives: [Archive], files: [File], troubles: [Trouble] = []
  ) {
    format = Self.currentFormat
    self.id = id
    createdMs = createdAt.milliseconds
    self.reason = reason
    self.version = version
    self.install = install
    self.schema = schema
    self.rows = rows
    self.weekSHA256 = weekSHA256
    self.archives = archives
    self.files = files
    self.troubles = troubles.isEmpty ? nil : troubles
  }

  /// The line of the file beside it.
  static func sumLine(_ sum: FileSum) -> String { "\(sum.sha256)  \(fileName)\n" }
}

/// What is wrong with a backup, a sentence each.
package enum BackupDamage: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case extra(String)
  case wrongSize(String, found: Int, wanted: Int)
  case wrongSum(String)
  case badManifest(String)
  case otherThanRecorded
  case unreadable(String)
  case snapshot(String)
  case archive(String, String)
  case otherRows(String)
  case otherWeek

  package var description: String {
    switch self {
    case .missing(let name): "'\(name)' is missing"
    case .extra(let name): "'\(name)' does not belong to it"
    case .wrongSize(let name, let found, let wanted): "'\(name)' has \(found) bytes instead of \(wanted)"
    case .wrongSum(let name): "'\(name)' has another SHA-256 than when it was written"
    case .badManifest(let why): "its manifest is damaged: \(why)"
    case .otherThanRecorded: "its manifest is not the one that the store remembers"
    case .unreadable(let why): "\(why)"
    case .snapshot(let why): "its snapshot is damaged: \(why)"
    case .archive(let name, let why): "its archive '\(name)' cannot be restored: \(why)"
    case .otherRows(let table): "the table '\(table)' of its snapshot has not as many rows as the store had"
    case .otherWeek: "the notices of the coming week are others out of the snapshot than out of the store"
    }
  }
}
