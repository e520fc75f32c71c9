import FlowPlatform
package import FlowStore
import Foundation
import Glibc
import TradeStores

/// A backup changed by an attacker who recomputes its checksums.
package struct ForeignBackup {
  package let folder: String

  package init(_ folder: String) { self.folder = folder }

  /// Changes the store in the backup and updates its manifest.
  ///
  /// - Parameter id: the name of the backup in the manifest; nil keeps it.
  package func change(_ sql: String, id: String? = nil) throws {
    let path = folder + "/poolflow.db"
    try Connection.change(path, [sql])
    let sum = try PrivateFiles.sum(of: path)
    let connection = try Connection(path: path, mode: .readOnly)
    try rewriteManifest { manifest in
      if let id { manifest["id"] = id }
      guard var files = manifest["files"] as? [[String: Any]], var rows = manifest["rows"] as? [String: Int] else {
        throw CocoaError(.coderReadCorrupt)
      }
      for index in files.indices where files[index]["name"] as? String == "poolflow.db" {
        files[index].merge(["bytes": sum.bytes, "sha256": sum.sha256]) { $1 }
      }
      manifest["files"] = files
      // An object that replaced a table may give another count.
      for table in rows.keys where table != "audit" {
        rows[table] = try connection.first("SELECT count(*) FROM \(table)") { row throws(StoreError) in row.number(0) }
      }
      manifest["rows"] = rows
    }
  }

  /// Rewrites the manifest and its checksum.
  package func rewriteManifest(_ change: (inout [String: Any]) throws -> Void) throws {
    let path = folder + "/manifest.json"
    let read = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
    guard var manifest = read as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
    try change(&manifest)
    for name in [path, path + ".sha256"] { try PrivateFiles.removeTree(name) }
    let written = try PrivateFiles.write(path, Array(try JSONSerialization.data(withJSONObject: manifest)))
    try PrivateFiles.write(path + ".sha256", Array("\(written.sha256)  manifest.json\n".utf8))
  }
}

extension Connection {
  /// Writes values into a closed store that poolflow itself never writes.
  package static func change(_ path: String, _ statements: [String]) throws {
    try change(.file(path), statements)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", operation: "prepare the test")
  }

  package static func change(_ place: StoreLocation, _ statements: [String]) throws {
    let connection = try Connection.opened(place, .readWrite)
    for statement in statements { try connection.execute(statement, operation: "prepare the test") }
  }
}

/// Kinds of objects in place of a regular file.
package enum NoFile: String, CaseIterable, Sendable {
  case link, lostLink, folder, socket, pipe

  /// - Parameter target: the target of a link; a lost link has no target.
  /// - Returns: the word for it in a refusal.
  package func make(at path: String, target: String) throws -> String {
    let lost = "/nonexistent/poolflow.db"
    let (code, words) =
      switch self {
      case .link: (symlink(target, path), "a symbolic link to '\(target)'")
      case .lostLink: (symlink(lost, path), "a symbolic link to '\(lost)'")
      case .folder: (mkdir(path, 0o700), "a folder")
      case .socket: (mknod(path, S_IFSOCK | 0o600, 0), "a socket")
      case .pipe: (mkfifo(path, 0o600), "a pipe")
      }
    guard code == 0 else { throw SystemFailure("cannot make \(words) at '\(path)'") }
    return words
  }
}
