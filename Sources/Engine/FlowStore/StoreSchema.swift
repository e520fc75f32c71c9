import FlowModel
import FlowPlatform
import Synchronization

/// The schema of a store file: every table, index, trigger and view with its SQL text.
///
/// A file with valid checksums may still hold foreign objects: a trigger would run with the store's writes, a view or virtual
/// table could replace a table. So a store is used only if its schema equals the one that the migrations make, object by
/// object.
package struct StoreSchema: Sendable {
  /// A table, index, trigger or view, with its normalised SQL text.
  private struct Object: Hashable, Sendable {
    let type: String
    let name: String
    let table: String
    let text: String
  }

  private let objects: [Object]

  package init(of connection: Connection) throws(StoreError) {
    objects = try connection.rows("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema") {
      row throws(StoreError) in
      Object(type: row.text(0), name: row.text(1), table: row.text(2), text: Self.normalized(row.text(3)))
    }
  }

  /// SHA-256 of the current schema. Comparing it saves running all migrations, which takes 20 ms, longer than the rest of a
  /// start. If SQLite writes a table's text differently, the migrations are run.
  package static let currentFingerprint = "93e1be7aac75501420083eb4883514aefb4f1a74e9ddc90058acc2e925dbdea9"

  /// SHA-256 of all objects, independent of their order in the file: 64 lower-case hexadecimal digits.
  package var fingerprint: String {
    let lines = objects.map { "\($0.type)|\($0.name)|\($0.table)|\($0.text)\n" }.sorted()
    return SHA256.hex(of: Array(lines.joined().utf8))
  }

  /// Compares a store's schema with the one that the migrations up to `version` make.
  ///
  /// - Returns: the first difference, for a message; nil if they are equal.
  static func difference(in connection: Connection, from version: Int) throws(StoreError) -> String? {
    let schema = try StoreSchema(of: connection)
    if schema.fingerprint == currentFingerprint, version == connection.trades.migrations.count { return nil }
    return schema.difference(from: try made(by: version, trades: connection.trades))
  }

  /// Schemas made so far, by their migration script; the snapshot of a backup is opened several times.
  private static let known = Mutex<[String: StoreSchema]>([:])

  /// The schema that the migrations up to `version` make, found by running them in memory. A stored text would miss the
  /// changes that `ALTER TABLE` makes to it.
  package static func made(by version: Int, trades: StoreTrades) throws(StoreError) -> StoreSchema {
    let script = trades.migrations.prefix(version).joined(separator: "\n")
    if let schema = known.withLock({ $0[script] }) { return schema }
    let connection = try Connection(path: ":memory:", mode: .readWrite, trades: trades)
    try connection.execute(script, operation: "create schema \(version)")
    let schema = try StoreSchema(of: connection)
    known.withLock { $0[script] = schema }
    return schema
  }

  /// The first difference from `other`, as the end of a sentence; nil if the schemas are equal.
  func difference(from other: StoreSchema) -> String? {
    let wanted = Set(other.objects)
    let names = Set(other.objects.map { "\($0.type) \($0.name)" })
    if let object = objects.first(where: { !wanted.contains($0) }) {
      let what = "its \(visible(object.type)) '\(visible(object.name))'"
      return names.contains("\(object.type) \(object.name)")
        ? "\(what) differs from poolflow's schema" : "\(what) is not part of a poolflow store"
    }
    let found = Set(objects)
    if let missing = other.objects.first(where: { !found.contains($0) }) {
      return "its \(missing.type) '\(missing.name)' is missing"
    }
    return objects.count == wanted.count ? nil : "it has two tables or indexes of the same name"
  }

  /// SQL text without double quotes and with single spaces. Versions of SQLite differ in both after `ALTER TABLE`, and neither
  /// can hide an object.
  private static func normalized(_ sql: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sql.utf8.count)
    for byte in sql.utf8 where byte != UInt8(ascii: "\"") {
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      if isSpace, bytes.last == 0x20 { continue }
      bytes.append(isSpace ? 0x20 : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
