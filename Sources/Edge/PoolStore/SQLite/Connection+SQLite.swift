import CSQLite
import PoolModel
import PoolPlatform

// What is SQLite's alone: how its file is opened, what its results mean, and how room is made on its disk. On a server all of
// it is the server's own business, and asks for nothing here.

extension Connection {
  /// Set up once, before the first connection; a refusal costs speed and nothing else.
  private static let library = poolflow_sqlite3_count_no_memory()

  /// Milliseconds that another connection's lock is waited for.
  private static let patience: Int32 = 5_000

  static func openFile(_ path: String, _ mode: Mode) throws(StoreError) -> OpaquePointer {
    _ = Self.library
    var opened: OpaquePointer?
    let flags =
      mode == .readWrite
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    // The owner serialises all use, so SQLite's own mutexes would only cost.
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle = opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
      sqlite3_close_v2(opened)
      throw .cannotOpen(path: path, code: code, reason: reason)
    }
    sqlite3_busy_timeout(handle, Self.patience)
    // A damaged or hostile file must not be able to run code of its own (SQLite, "Defense Against The Dark Arts").
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

  /// Nil on a server.
  var file: OpaquePointer? {
    guard case .sqlite(let handle) = driver else { return nil }
    return handle
  }

  /// Whether the last connection brings the log home when it is closed, as SQLite does unless it is told otherwise.
  func checkpointsOnClose(_ does: Bool) {
    guard let file else { return }
    _ = poolflow_sqlite3_db_config_flag(file, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, does ? 0 : 1)
  }

  /// Whoever has this connection writes nothing through it.
  func readOnly() throws(StoreError) {
    guard file != nil else { return }
    try execute("PRAGMA query_only = ON", operation: "open a read-only view")
  }

  /// Writes the log back into the file, as far as that works; a server does so by itself.
  func checkpoint(_ kind: String) throws(StoreError) {
    guard file != nil else { return }
    try execute("PRAGMA wal_checkpoint(\(kind))", operation: "checkpoint")
  }

  static func failure(_ operation: String, _ code: Int32, on handle: OpaquePointer) -> StoreError {
    // SQLite calls a full disk by that name only where it writes the store or its log: not where it makes a file, nor
    // where its shared memory (SQLITE_IOERR_SHMSIZE) gets no room.
    let isIO = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    if code == 4_874 || (isIO && SystemFailure.isDiskFull(sqlite3_system_errno(handle))) {
      return .failed(operation: operation, code: SQLITE_FULL, reason: String(cString: sqlite3_errstr(SQLITE_FULL)))
    }
    return .failed(operation: operation, code: code, reason: String(cString: sqlite3_errmsg(handle)))
  }

  /// Rows that this connection has changed since it was opened.
  var changesInAll: Int64 { file.map { sqlite3_total_changes64($0) } ?? 0 }

  /// Writes the log back into the store and gives its room to the file system, then the reserve's.
  ///
  /// - Returns: whether there is more room than before.
  func makeRoom() -> Bool {
    guard let file else { return false }
    // Whoever reads the store meanwhile is not waited for as long as for a lock: all other work waits behind this.
    sqlite3_busy_timeout(file, Int32(clamping: Limits.makingRoomWait.wholeMilliseconds))
    defer { sqlite3_busy_timeout(file, Self.patience) }
    if truncateLog() { return true }
    guard let reserve, reserve.giveUp() else { return false }
    // The store itself may have to grow by what its log holds.
    _ = truncateLog()
    return true
  }

  /// Frees what is kept for the next question and can be read again: the pages of the file, up to 8 MB.
  func releaseMemory() { if let file { _ = sqlite3_db_release_memory(file) } }

  /// Has the memory that readers share, which is a file of 32 KiB, and the empty log stay when this connection closes.
  func leaveSharedMemory() {
    var isLeft: Int32 = 1
    if let file { sqlite3_file_control(file, "main", SQLITE_FCNTL_PERSIST_WAL, &isLeft) }
  }

  /// - Returns: whether the log has given up any room.
  func truncateLog() -> Bool {
    guard let file else { return false }
    let before = FileFacts(of: path + "-wal")?.bytes ?? 0
    let code = sqlite3_wal_checkpoint_v2(file, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    return code == SQLITE_OK && before > 0
  }

  // MARK: The file's shape

  /// The names of all tables but SQLite's own.
  func fileTables() throws(StoreError) -> [String] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) { row throws(StoreError) in row.text(0) }
  }

  func fileVersion() throws(StoreError) -> Int {
    try first("PRAGMA user_version") { row throws(StoreError) in row.number(0) } ?? 0
  }
}
