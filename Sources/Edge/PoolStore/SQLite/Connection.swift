import CSQLite
package import PoolModel
package import PoolPlatform

/// One SQLite connection. Not Sendable: the actor or function that opened it is the only one to use it.
package final class Connection {
  let handle: OpaquePointer
  private let path: String
  private var statements: [StatementText: Statement] = [:]
  /// What has to be written before anything else is; nil where nothing is owed.
  private var owed: (sql: String, values: [SQLValue])?
  /// Given up where a write finds no room.
  package var reserve: RoomReserve?
  /// Told of what decisions look at.
  let changes = FactChanges()
  private var changesFacts = false
  /// The last write found no room, whatever was done to make some.
  private(set) var isOutOfRoom = false

  /// Set up once, before the first connection; a refusal costs speed and nothing else.
  private static let library = poolflow_sqlite3_count_no_memory()

  package enum Mode { case readWrite, readOnly }

  /// Milliseconds that another connection's lock is waited for.
  private static let patience: Int32 = 5_000

  package init(path: String, mode: Mode) throws(StoreError) {
    _ = Self.library
    self.path = path
    var opened: OpaquePointer?
    let flags =
      mode == .readWrite
      ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    // The owner serialises all use, so SQLite's own mutexes would only cost.
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
      sqlite3_close_v2(opened)
      throw .cannotOpen(path: path, code: code, reason: reason)
    }
    handle = opened
    sqlite3_busy_timeout(handle, Self.patience)
    // A damaged or hostile file must not be able to run code of its own (SQLite, "Defense Against The Dark Arts").
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
  }

  /// Whether the last connection brings the log home when it is closed, as SQLite does unless it is told otherwise.
  func checkpointsOnClose(_ does: Bool) {
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, does ? 0 : 1)
  }

  deinit {
    // Statements finalise themselves; close_v2 waits for the last of them.
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs statements that return nothing of interest, such as a migration.
  package func execute(_ script: String, operation: String) throws(StoreError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(operation, code) }
  }

  /// The statement for `sql`, compiled once.
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    let key = StatementText(sql: sql)
    if let known = statements[key] {
      if known.changesFacts { changesFacts = true }
      return known
    }
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let compiled else { throw failure("prepare a statement", code) }
    let made = Statement(compiled, connection: handle, sql: sql)
    statements[key] = made
    if made.changesFacts { changesFacts = true }
    return made
  }

  /// Runs `sql` for its effect.
  /// - Returns: how many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
    try run(sql, values)
  }

  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
    // Inside a transaction it is the transaction that is tried again.
    guard sqlite3_get_autocommit(handle) != 0 else { return try perform(sql, values) }
    return try withRoom { () throws(StoreError) in
      try settleDebt()
      defer { noteChange(of: nil) }
      return try perform(sql, values)
    }
  }

  private func noteChange(of teams: Set<TeamID>?) {
    if changesFacts { changes.note(teams) }
    changesFacts = false
  }

  @discardableResult
  private func perform(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return Int(sqlite3_changes64(handle))
  }

  /// Every row of `sql`, read by `read`.
  package func rows<Value>(
    _ sql: String, _ values: SQLValue..., read: (Statement) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    try rows(sql, values, read: read)
  }

  package func rows<Value>(
    _ sql: String, _ values: [SQLValue], read: (Statement) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var found: [Value] = []
    while try statement.step() {
      found.append(try read(statement))
      if let damage = statement.damage() { throw damage }
    }
    return found
  }

  /// Every row of `sql` that can be read, for lists in which many teams have rows: one that is damaged is left out, and
  /// costs nobody else's.
  ///
  /// - Parameter unreadable: takes each row that was left out, and why.
  package func readableRows<Value>(
    _ sql: String, _ values: [SQLValue] = [], read: (Statement) throws(StoreError) -> Value,
    unreadable: (Statement, StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> [Value] {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var found: [Value] = []
    while try statement.step() {
      do throws(StoreError) {
        let value = try read(statement)
        if let damage = statement.damage() { throw damage }
        found.append(value)
      } catch {
        guard error.isAboutData else { throw error }
        // What was noted beside the error belongs to the same row.
        _ = statement.damage()
        unreadable(statement, error)
      }
    }
    return found
  }

  /// The first row of `sql`, or nil.
  package func first<Value>(
    _ sql: String, _ values: SQLValue..., read: (Statement) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    guard try statement.step() else { return nil }
    let value = try read(statement)
    if let damage = statement.damage() { throw damage }
    return value
  }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs `body` in one transaction: all of it or nothing.
  ///
  /// The body is synchronous on purpose: an `await` inside would let another call in halfway. Where the disk is full it is
  /// called a second time, once there is more room; so it changes nothing but the database.
  /// - Parameter teams: whose records alone it changes; nil where it may be anybody's.
  package func transaction<Value>(of teams: Set<TeamID>? = nil, _ body: () throws -> Value) throws -> Value {
    try withRoom {
      try settleDebt()
      try perform("BEGIN IMMEDIATE")
      do {
        let value = try body()
        try perform("COMMIT")
        noteChange(of: teams)
        return value
      } catch {
        changesFacts = false
        // The first failure is the one to tell; after some of them SQLite has rolled back already.
        _ = try? perform("ROLLBACK")
        throw error
      }
    }
  }

  /// The same; a rehearsal is taken back once its effect is known.
  func transaction<Effect: Sendable>(
    of teams: Set<TeamID>? = nil, rehearse: Bool, _ body: () throws -> Effect
  ) throws -> Effect {
    do {
      return try transaction(of: teams) {
        let effect = try body()
        if rehearse { throw Rehearsed(effect: effect) }
        return effect
      }
    } catch let rehearsed as Rehearsed<Effect> {
      return rehearsed.effect
    }
  }

  func failure(_ operation: String, _ code: Int32) -> StoreError { Self.failure(operation, code, on: handle) }

  static func failure(_ operation: String, _ code: Int32, on handle: OpaquePointer) -> StoreError {
    // SQLite calls a full disk by that name only where it writes the store or its log: not where it makes a file, nor
    // where its shared memory (SQLITE_IOERR_SHMSIZE) gets no room.
    let isIO = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    if code == 4_874 || (isIO && SystemFailure.isDiskFull(sqlite3_system_errno(handle))) {
      return .failed(operation: operation, code: SQLITE_FULL, reason: String(cString: sqlite3_errstr(SQLITE_FULL)))
    }
    return .failed(operation: operation, code: code, reason: String(cString: sqlite3_errmsg(handle)))
  }

  // MARK: Room

  /// Has this statement written before anything else is, now or with the first write that finds room.
  func owe(_ sql: String, _ values: SQLValue...) { owed = (sql, values) }

  /// Writes what is owed.
  func settle() throws(StoreError) {
    try withRoom { () throws(StoreError) in try settleDebt() }
  }

  private func settleDebt() throws(StoreError) {
    guard let debt = owed else { return }
    try perform(debt.sql, debt.values)
    owed = nil
  }

  /// Where the disk is full, room is made and `write` tried once more.
  private func withRoom<Value, Failure: Error>(_ write: () throws(Failure) -> Value) throws(Failure) -> Value {
    do {
      return try noting(write)
    } catch {
      guard error.isWantOfRoom, makeRoom() else { throw error }
    }
    do {
      return try noting(write)
    } catch {
      // What was taken for a change that is refused now is others' again.
      if isOutOfRoom { _ = truncateLog() }
      throw error
    }
  }

  /// Remembers whether there was room.
  private func noting<Value, Failure: Error>(_ write: () throws(Failure) -> Value) throws(Failure) -> Value {
    let changes = sqlite3_total_changes64(handle)
    do {
      let value = try write()
      // What changed nothing needed none.
      if sqlite3_total_changes64(handle) != changes { isOutOfRoom = false }
      return value
    } catch {
      if error.isWantOfRoom { isOutOfRoom = true }
      throw error
    }
  }

  /// Writes the log back into the store and gives its room to the file system, then the reserve's.
  ///
  /// - Returns: whether there is more room than before.
  private func makeRoom() -> Bool {
    // Whoever reads the store meanwhile is not waited for as long as for a lock: all other work waits behind this.
    sqlite3_busy_timeout(handle, Int32(clamping: Limits.makingRoomWait.wholeMilliseconds))
    defer { sqlite3_busy_timeout(handle, Self.patience) }
    if truncateLog() { return true }
    guard let reserve, reserve.giveUp() else { return false }
    // The store itself may have to grow by what its log holds.
    _ = truncateLog()
    return true
  }

  /// Frees what is kept for the next question and can be read again: the pages of the file, up to 8 MB.
  func releaseMemory() { _ = sqlite3_db_release_memory(handle) }

  /// Has the memory that readers share, which is a file of 32 KiB, and the empty log stay when this connection closes.
  func leaveSharedMemory() {
    var isLeft: Int32 = 1
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isLeft)
  }

  /// - Returns: whether the log has given up any room.
  private func truncateLog() -> Bool {
    let before = FileFacts(of: path + "-wal")?.bytes ?? 0
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    return code == SQLITE_OK && before > 0
  }
}

/// Thrown to leave a transaction that was only a rehearsal; never leaves this file.
private struct Rehearsed<Effect: Sendable>: Error {
  let effect: Effect
}

/// A statement's text as a key. Only its length is hashed: to hash a thousand letters takes longer than many a statement
/// runs, and to compare a text with itself takes nothing.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
