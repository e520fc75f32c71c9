import CSQLite

/// One SQLite connection. Not Sendable: the actor or function that opened it is the only one to use it.
package final class Connection {
  let handle: OpaquePointer
  private var statements: [StatementText: Statement] = [:]

  /// Set up once, before the first connection; a refusal costs speed and nothing else.
  private static let library = poolflow_sqlite3_count_no_memory()

  package enum Mode { case readWrite, readOnly }

  package init(path: String, mode: Mode) throws(StoreError) {
    _ = Self.library
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
    sqlite3_busy_timeout(handle, 5_000)
    // A damaged or hostile file must not be able to run code of its own (SQLite, "Defense Against The Dark Arts").
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    _ = poolflow_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
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
    if let known = statements[key] { return known }
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let compiled else { throw failure("prepare a statement", code) }
    let made = Statement(compiled, connection: handle, sql: sql)
    statements[key] = made
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
    while try statement.step() { found.append(try read(statement)) }
    return found
  }

  /// The first row of `sql`, or nil.
  package func first<Value>(
    _ sql: String, _ values: SQLValue..., read: (Statement) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? try read(statement) : nil
  }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs `body` in one transaction: all of it or nothing.
  ///
  /// The body is synchronous on purpose: an `await` inside would let another call in halfway.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try run("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // The first failure is the one to tell; after some of them SQLite has rolled back already.
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// Frees what is kept for the next question and can be read again: the pages of the file, up to 8 MB.
  func releaseMemory() { _ = sqlite3_db_release_memory(handle) }

  func failure(_ operation: String, _ code: Int32) -> StoreError {
    .failed(operation: operation, code: code, reason: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A statement's text as a key. Only its length is hashed: to hash a thousand letters takes longer than many a statement
/// runs, and to compare a text with itself takes nothing.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
