import PoolModel
import PoolPlatform
import Synchronization

/// What a store is made of: every table, index, trigger and view with the text that made it.
///
/// A file whose sums are right may still hold more than we ever put there: a trigger would run with our own writes, a view
/// or a virtual table would answer in a table's place. So no store is used before its shape is the one that our own
/// migrations make, object by object.
package struct StoreShape: Sendable {
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
      Object(type: row.text(0), name: row.text(1), table: row.text(2), text: Self.plain(row.text(3)))
    }
  }

  /// SHA-256 of the shape of today's schema: to run all migrations takes longer than the rest of a start, 20 ms. Another
  /// version of SQLite may write a table's text differently; then they are run all the same.
  package static let todaysFingerprint = "cef3a372ec1d025c79b85208186fd1aa1f179ad1b50fe9f0df17365c6845e4f8"

  /// SHA-256 of all objects, whatever their order in the file: 64 lower-case hexadecimal digits.
  package var fingerprint: String {
    let lines = objects.map { "\($0.type)|\($0.name)|\($0.table)|\($0.text)\n" }.sorted()
    return SHA256.hex(of: Array(lines.joined().utf8))
  }

  /// The first thing of a store that is not as our migrations up to `version` make it; nil where it is.
  static func difference(
    in connection: Connection, from version: Int, migrations: [String] = Schema.migrations
  ) throws(StoreError) -> String? {
    let shape = try StoreShape(of: connection)
    if shape.fingerprint == todaysFingerprint, version == Schema.currentVersion { return nil }
    return shape.difference(from: try made(by: version, migrations: migrations))
  }

  /// Shapes that were needed before, by what makes them: a backup's snapshot is opened more than once.
  private static let known = Mutex<[String: StoreShape]>([:])

  /// The shape that our migrations up to `version` make, found by running them in memory: a copy of the text kept by hand
  /// would miss what `ALTER TABLE` makes of it.
  package static func made(
    by version: Int, migrations: [String] = Schema.migrations
  ) throws(StoreError) -> StoreShape {
    let script = migrations.prefix(version).joined(separator: "\n")
    if let shape = known.withLock({ $0[script] }) { return shape }
    let connection = try Connection(path: ":memory:", mode: .readWrite)
    try connection.execute(script, operation: "make the shape of schema \(version)")
    let shape = try StoreShape(of: connection)
    known.withLock { $0[script] = shape }
    return shape
  }

  /// The first thing that is not as `other` has it, as the end of a sentence; nil where they are the same.
  func difference(from other: StoreShape) -> String? {
    let wanted = Set(other.objects)
    let names = Set(other.objects.map { "\($0.type) \($0.name)" })
    if let object = objects.first(where: { !wanted.contains($0) }) {
      let what = "its \(visible(object.type)) '\(visible(object.name))'"
      return names.contains("\(object.type) \(object.name)")
        ? "\(what) is not as poolflow makes it" : "\(what) is none that poolflow makes"
    }
    let found = Set(objects)
    if let missing = other.objects.first(where: { !found.contains($0) }) {
      return "its \(missing.type) '\(missing.name)' is missing"
    }
    return objects.count == wanted.count ? nil : "it holds a table or index twice"
  }

  /// Without quotes around names and with single spaces: in both, versions of SQLite may write what `ALTER TABLE` does
  /// differently, and neither can hide anything.
  private static func plain(_ sql: String) -> String {
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
