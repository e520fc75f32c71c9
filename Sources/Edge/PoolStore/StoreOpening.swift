import CSQLite
import PoolModel
import PoolPlatform

/// The steps between a path and a store one may use.
///
/// Each start looks at the file's kind, its shape and, by `quick_check`, the structure of every page. What takes ten times as
/// long (`integrity_check`, `foreign_key_check`) and what reads every value (`StoreContents`) is for a store that comes from
/// outside: a snapshot before it is put in a store's place, and a backup that is verified in full.
package enum StoreOpening {
  /// Makes sure that nothing but a file bears the store's name: a link would be followed to a store of somebody else's.
  ///
  /// - Throws: `StoreError.noFile`. That there is nothing is no fault.
  package static func refuseWhatIsNoFile(_ path: String) throws(StoreError) {
    guard let kind = FileKind(at: path), kind != .file else { return }
    throw .noFile(path: path, kind: visible("\(kind)"))
  }

  /// - Returns: where the file of before a migration is kept; nil where there was no migration.
  static func prepare(
    _ connection: Connection, path: String, now: Timestamp, migrations: [String], keepsCopy: Bool = true,
    migrates: (Int) -> Void
  ) throws(StoreError) -> String? {
    try naming(path) { () throws(StoreError) in
      // A store that is refused stays as it is, byte for byte: closing it must not bring its log home.
      connection.checkpointsOnClose(false)
      let version = try check(connection, path: path, migrations)
      connection.checkpointsOnClose(true)
      try connection.execute(
        """
        PRAGMA page_size = \(Limits.storePageBytes);
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA cell_size_check = ON;
        PRAGMA mmap_size = 0;
        PRAGMA cache_size = -8192;
        PRAGMA temp_store = MEMORY;
        PRAGMA journal_size_limit = \(2 * Limits.walBytesBeforeCheckpoint);
        """, operation: "set up '\(path)'")
      try boundLog(connection, path: path)
      return try StoreMigration(connection: connection, path: path, now: now, migrations: migrations)
        .run(from: version, keepsCopy: keepsCopy, migrates: migrates)
    }
  }

  /// Migrates a copy of a store that no connection has open to today's schema, as a start would. No log is left
  /// beside it.
  package static func migrate(copyAt path: String, migrations: [String] = Schema.migrations) throws(StoreError) {
    let connection = try Connection(path: path, mode: .readWrite)
    // The time names the copy that a migration keeps, and none is kept.
    _ = try prepare(
      connection, path: path, now: Timestamp(milliseconds: 0), migrations: migrations, keepsCopy: false,
      migrates: { _ in })
    try connection.execute("PRAGMA journal_mode = DELETE", operation: "finish the migration of '\(path)'")
  }

  /// The log is written back before it takes the room that the store itself needs then.
  static func boundLog(_ connection: Connection, path: String) throws(StoreError) {
    let page = try readNumber(connection, "PRAGMA page_size")
    // What the log has taken already it may take again.
    let room = (DiskSpace(at: path)?.freeBytes ?? .max / 2) + (FileFacts(of: path + "-wal")?.bytes ?? 0)
    let bytes = min(Limits.walBytesBeforeCheckpoint, max(Limits.leastWalBytes, room / Limits.walShareOfRoom))
    try connection.execute("PRAGMA wal_autocheckpoint = \(bytes / page)", operation: "set up '\(path)'")
  }

  /// Makes sure that a file opened for reading is a store of today's shape.
  static func inspect(
    _ connection: Connection, path: String, migrations: [String] = Schema.migrations, acceptsOlder: Bool = false
  ) throws(StoreError) {
    try naming(path) { () throws(StoreError) in
      let version = try check(connection, path: path, migrations)
      guard version == migrations.count || (acceptsOlder && version > 0) else {
        throw .olderSchema(path: path, found: version, known: migrations.count)
      }
      try connection.readOnly()
    }
  }

  /// Whatever reading of the file finds damage first, the finding is the same.
  private static func naming<Value>(
    _ path: String, _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch .failed(_, 26, _) {
      throw .notOurs(path: path)
    } catch .failed(_, let code, let reason) where code & 0xff == 11 {
      throw .corrupt(path: path, finding: reason)
    }
  }

  /// - Returns: The file's schema.
  private static func check(
    _ connection: Connection, path: String, _ migrations: [String]
  ) throws(StoreError) -> Int {
    let application = try readNumber(connection, "PRAGMA application_id")
    let version = try readNumber(connection, "PRAGMA user_version")
    if application == Schema.developmentID { throw .developmentVersion(path: path, found: version) }
    if application != Schema.applicationID {
      let tables = try readNumber(connection, "SELECT count(*) FROM sqlite_schema")
      guard application == 0, tables == 0 else { throw .notOurs(path: path) }
    }
    guard version >= 0 else { throw .corrupt(path: path, finding: "its schema is \(version)") }
    guard version <= migrations.count else {
      throw .newerSchema(path: path, found: version, known: migrations.count)
    }
    // Before anything else is asked: a check of the pages works through expressions of the file's own.
    if let difference = try StoreShape.difference(in: connection, from: version, migrations: migrations) {
      throw .corrupt(path: path, finding: difference)
    }
    if version > 0 {
      let finding = try connection.first("PRAGMA quick_check(1)") { row throws(StoreError) in row.text(0) }
      guard finding == "ok" else { throw .corrupt(path: path, finding: finding ?? "no answer") }
    }
    return version
  }

  private static func readNumber(_ connection: Connection, _ sql: String) throws(StoreError) -> Int {
    try connection.first(sql) { row throws(StoreError) in row.number(0) } ?? 0
  }

  static func installMark(_ connection: Connection) throws(StoreError) -> String {
    let mark = try connection.first("SELECT install FROM store") { row throws(StoreError) in row.text(0) }
    guard let mark else { throw .damaged(table: "store", column: "install", value: "") }
    return mark
  }

  static func beginEpoch(_ connection: Connection, now: Timestamp, version: String) throws(StoreError) -> Int64 {
    if connection.isOneOfMany { return try connection.beginEpochAmongMany(now: now, version: version) }
    let newest = try connection.first("SELECT coalesce(max(epoch), 0) FROM epochs") { row throws(StoreError) in
      row.integer(0)
    }
    let epoch = (newest ?? 0) + 1
    connection.owe(
      "INSERT INTO epochs (epoch, started_ms, seen_ms, version) VALUES (?, ?, ?, ?)", .integer(epoch), .at(now),
      .at(now), .text(version))
    do {
      try connection.settle()
    } catch  where error.isWantOfRoom {
      // The first write that finds room writes it, too; until then nothing is claimed in its name.
    }
    return epoch
  }
}
