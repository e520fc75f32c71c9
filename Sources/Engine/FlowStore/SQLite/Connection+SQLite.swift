import CSQLite
import FlowModel
import FlowPlatform

// SQLite specifics: opening the file, result codes, the write-ahead log and disk space. With a server these functions do
// nothing.

extension Connection {
  /// Installs the out-of-memory counter once, before the first connection; the result can be ignored.
  private static let library = poolflow_sqlite3_count_no_memory()

  /// Busy timeout in milliseconds: the longest wait for another connection's lock.
  private static let patience: Int32 = 5_000

  /// Opens a SQLite file with its defensive settings; `.readWrite` creates a missing file.
  static func openFile(_ path: String, _ mode: Mode) throws(StoreError) -> OpaquePointer {
    _ = Self.library
    var opened: OpaquePointer?
    let flags =
      mode == .readWrite
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    // One actor or function uses the connection, so SQLite's own mutexes are switched off.
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle = opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
      sqlite3_close_v2(opened)
      throw .cannotOpen(path: path, code: code, reason: reason)
    }
    sqlite3_busy_timeout(handle, Self.patience)
    // A damaged or hostile file must not be able to run SQL of its own (SQLite, "Defense Against The Dark Arts").
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    return handle
  }

  static func compile(_ sql: String, on handle: OpaquePointer) throws(StoreError) -> OpaquePointer {
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let compiled else { throw failure("prepare a statement", code, on: handle) }
    return compiled
  }

  /// The SQLite handle; nil on a server.
  var file: OpaquePointer? {
    guard case .sqlite(let handle) = driver else { return nil }
    return handle
  }

  /// Sets whether closing the last connection writes the log back into the file, which is SQLite's default.
  func checkpointsOnClose(_ does: Bool) {
    guard let file else { return }
    _ = poolflow_sqlite3_db_config_flag(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, does ? 0 : 1)
  }

  /// Makes this connection refuse every write.
  func readOnly() throws(StoreError) {
    guard file != nil else { return }
    try execute("PRAGMA query_only = ON", operation: "open a read-only view")
  }

  /// Writes the log back into the file, as far as other connections allow; does nothing on a server.
  ///
  /// - Parameter kind: SQLite's checkpoint mode, such as `TRUNCATE`.
  package func checkpoint(_ kind: String) throws(StoreError) {
    guard file != nil else { return }
    try execute("PRAGMA wal_checkpoint(\(kind))", operation: "checkpoint")
  }

  /// Turns a SQLite result code into an error; a full disk always becomes `SQLITE_FULL`.
  static func failure(_ operation: String, _ code: Int32, on handle: OpaquePointer) -> StoreError {
    // SQLite reports `SQLITE_FULL` only for writes to the store or its log, not if a file cannot be created or if its shared
    // memory (SQLITE_IOERR_SHMSIZE, 4874) cannot grow.
    let isIO = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    if code == 4_874 || (isIO && SystemFailure.isDiskFull(sqlite3_system_errno(handle))) {
      return .failed(operation: operation, code: SQLITE_FULL, reason: String(cString: sqlite3_errstr(SQLITE_FULL)))
    }
    return .failed(operation: operation, code: code, reason: String(cString: sqlite3_errmsg(handle)))
  }

  /// Number of rows that this connection has changed since it was opened; 0 on a server.
  var totalChanges: Int64 { file.map { sqlite3_total_changes64($0) } ?? 0 }

  /// Frees disk space: writes the log back into the store and truncates it; if that frees nothing, gives up the reserve.
  ///
  /// - Returns: true if there is more free space than before.
  func freeDiskSpace() -> Bool {
    guard let file else { return false }
    // A reader that blocks the checkpoint is waited for only briefly, because all other work of the store waits for this call.
    sqlite3_busy_timeout(file, Int32(clamping: Limits.freeingSpaceWait.wholeMilliseconds))
    defer { sqlite3_busy_timeout(file, Self.patience) }
    if truncateLog() { return true }
    guard let reserve, reserve.giveUp() else { return false }
    // The store may have to grow by the contents of its log.
    _ = truncateLog()
    return true
  }

  /// Frees cached pages of the file, up to 8 MB; they are read again when needed.
  func releaseMemory() { if let file { _ = sqlite3_db_release_memory(file) } }

  /// Keeps the shared-memory file of 32 KiB and the empty log when this connection closes, so that the next start needs no
  /// disk space for them.
  func leaveSharedMemory() {
    var isLeft: Int32 = 1
    if let file { sqlite3_file_control(file, "main", SQLITE_FCNTL_PERSIST_WAL, &isLeft) }
  }

  /// Writes the log back and truncates it.
  ///
  /// - Returns: true if the log file gave up any bytes.
  func truncateLog() -> Bool {
    guard let file else { return false }
    let before = FileFacts(of: path + "-wal")?.bytes ?? 0
    let code = sqlite3_wal_checkpoint_v2(file, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    return code == SQLITE_OK && before > 0
  }

  // MARK: The file's schema

  /// The names of all tables except SQLite's own.
  package func fileTables() throws(StoreError) -> [String] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) { row throws(StoreError) in row.text(0) }
  }

  /// The schema version stored in the file's header.
  func fileVersion() throws(StoreError) -> Int {
    try first("PRAGMA user_version") { row throws(StoreError) in row.number(0) } ?? 0
  }
}
