import CSQLite
package import FlowModel
import FlowPlatform

/// Checks, sets up and migrates a store file before it is used.
///
/// Each start checks the file's type, its schema and, by `quick_check`, the structure of every page. Checks that take ten
/// times as long (`integrity_check`, `foreign_key_check`) or read every value (`StoreContents`) run only on a store from
/// outside: a snapshot before it is restored, and a backup that is verified in full.
package enum StoreOpening {
  /// Checks that the path is a regular file or does not exist: a link could lead to another program's store.
  ///
  /// - Throws: `StoreError.noFile` for a link, a directory, a socket or a device.
  package static func requireRegularFile(_ path: String) throws(StoreError) {
    guard let kind = FileKind(at: path), kind != .file else { return }
    throw .noFile(path: path, kind: visible("\(kind)"))
  }

  /// Checks the file, sets up the connection and migrates the store to the current schema.
  ///
  /// - Returns: the path of the copy made before a migration; nil if no migration was needed.
  package static func prepare(
    _ connection: Connection, path: String, now: Timestamp, keepsCopy: Bool = true,
    migrates: (Int) -> Void
  ) throws(StoreError) -> String? {
    try naming(path) { () throws(StoreError) in
      // A refused store must stay unchanged, byte for byte, so closing it must not write back its log.
      connection.checkpointsOnClose(false)
      let version = try check(connection, path: path)
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
      try limitLogSize(connection, path: path)
      return try StoreMigration(connection: connection, path: path, now: now, migrations: connection.trades.migrations)
        .run(from: version, keepsCopy: keepsCopy, migrates: migrates)
    }
  }

  /// Migrates a copied store, which no connection has open, to the current schema and leaves no log file beside it.
  package static func migrate(copyAt path: String, trades: StoreTrades) throws(StoreError) {
    let connection = try Connection(path: path, mode: .readWrite, trades: trades)
    // The time only names the backup copy of a migration, and none is made here.
    _ = try prepare(
      connection, path: path, now: Timestamp(milliseconds: 0), keepsCopy: false, migrates: { _ in })
    try connection.execute("PRAGMA journal_mode = DELETE", operation: "finish the migration of '\(path)'")
  }

  /// Limits the size of the write-ahead log, so that it is written back while the disk has space for the store to grow.
  static func limitLogSize(_ connection: Connection, path: String) throws(StoreError) {
    let page = try readNumber(connection, "PRAGMA page_size")
    // Space that the log already occupies can be used by it again.
    let availableBytes = (DiskSpace(at: path)?.freeBytes ?? .max / 2) + (FileFacts(of: path + "-wal")?.bytes ?? 0)
    let bytes = min(
      Limits.walBytesBeforeCheckpoint, max(Limits.minWalBytes, availableBytes / Limits.walShareOfFreeSpace))
    try connection.execute("PRAGMA wal_autocheckpoint = \(bytes / page)", operation: "set up '\(path)'")
  }

  /// Checks that a file opened for reading is a store with the current schema, and makes the connection read-only.
  ///
  /// - Parameter acceptsOlder: true to accept any older schema too.
  /// - Throws: `StoreError`; `olderSchema` for a store that must be migrated first.
  package static func inspect(
    _ connection: Connection, path: String, acceptsOlder: Bool = false
  ) throws(StoreError) {
    try naming(path) { () throws(StoreError) in
      let version = try check(connection, path: path)
      let known = connection.trades.migrations.count
      guard version == known || (acceptsOlder && version > 0) else {
        throw .olderSchema(path: path, found: version, known: known)
      }
      try connection.readOnly()
    }
  }

  /// Translates SQLite's errors for damaged files and for files that are no database into `corrupt` and `notOurs`.
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

  /// Checks that the file is a poolflow store that this version can use, and that it is undamaged.
  ///
  /// - Returns: the file's schema version; 0 for an empty file.
  private static func check(_ connection: Connection, path: String) throws(StoreError) -> Int {
    let known = connection.trades.migrations.count
    let application = try readNumber(connection, "PRAGMA application_id")
    let version = try readNumber(connection, "PRAGMA user_version")
    if application == Schema.developmentID { throw .developmentVersion(path: path, found: version) }
    if application != Schema.applicationID {
      let tables = try readNumber(connection, "SELECT count(*) FROM sqlite_schema")
      guard application == 0, tables == 0 else { throw .notOurs(path: path) }
    }
    guard version >= 0 else { throw .corrupt(path: path, finding: "its schema is \(version)") }
    guard version <= known else {
      throw .newerSchema(path: path, found: version, known: known)
    }
    // Checked before other queries: `quick_check` evaluates expressions stored in the file.
    if let difference = try StoreSchema.difference(in: connection, from: version) {
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

  /// Reads the store's install id.
  static func installMark(_ connection: Connection) throws(StoreError) -> String {
    let mark = try connection.first("SELECT install FROM store") { row throws(StoreError) in row.text(0) }
    guard let mark else { throw .damaged(table: "store", column: "install", value: "") }
    return mark
  }

  /// Begins the next epoch.
  ///
  /// - Returns: the epoch's number, which is higher than all earlier ones. On a full disk its row is written later, before any
  ///   other write.
  static func beginEpoch(_ connection: Connection, now: Timestamp, version: String) throws(StoreError) -> Int64 {
    if let node = connection.node { return try node.beginEpoch(now: now, version: version, on: connection) }
    let newest = try connection.first("SELECT coalesce(max(epoch), 0) FROM epochs") { row throws(StoreError) in
      row.integer(0)
    }
    let epoch = (newest ?? 0) + 1
    connection.storePendingWrite(
      "INSERT INTO epochs (epoch, started_ms, seen_ms, version) VALUES (?, ?, ?, ?)", .integer(epoch), .at(now),
      .at(now), .text(version))
    do {
      try connection.flushPendingWrite()
    } catch  where error.isCausedByFullDisk {
      // The first write that finds disk space writes the row first; until then no run is claimed under this epoch.
    }
    return epoch
  }
}
