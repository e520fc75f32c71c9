import CSQLite
package import FlowModel
package import FlowPlatform
import Synchronization

/// A connection to the database: a SQLite file or a server's session. Not Sendable: only the actor or function that opened
/// it uses it.
///
/// All queries of the store use these methods, with one set of statements that both engines accept.
package final class Connection {
  /// The database engine behind the connection.
  enum Driver {
    case sqlite(OpaquePointer)
    case server(any ServerSession)
  }

  let driver: Driver
  /// What the engine needs from the trades.
  package let trades: StoreTrades
  /// Path of the SQLite file; for a server, a name of its database for messages.
  let path: String
  private var statements: [StatementText: Statement] = [:]
  /// A pending write that must be done before any other write; nil if there is none.
  private var pendingWrite: (sql: String, values: [SQLValue])?
  /// Disk space reserve, given up when a write finds the disk full.
  package var reserve: DiskSpaceReserve?
  /// Receives changes to tables that decisions read.
  package let changes = FactChanges()
  private var changesFacts = false
  /// True if the last write found the disk full and no space could be freed.
  private(set) var isOutOfDiskSpace: Bool {
    get { diskFullFlag.isSet }
    set { diskFullFlag.isSet = newValue }
  }
  let diskFullFlag = DiskFullFlag()

  /// Access mode of a connection; `.readWrite` creates a missing SQLite file.
  package enum Mode { case readWrite, readOnly }

  package init(path: String, mode: Mode, trades: StoreTrades) throws(StoreError) {
    self.trades = trades
    self.path = path
    driver = .sqlite(try Self.openFile(path, mode))
  }

  package init(_ session: any ServerSession, trades: StoreTrades) {
    self.trades = trades
    path = session.name
    driver = .server(session)
  }

  /// The server's session; nil for a file.
  var server: (any ServerSession)? {
    guard case .server(let session) = driver else { return nil }
    return session
  }

  /// The session of a daemon that is a node of a cluster; else nil.
  var node: (any NodeSession)? { server?.node }

  package var isServer: Bool { file == nil }

  deinit {
    // Statements finalise themselves; close_v2 waits for the last of them.
    statements.removeAll()
    if case .sqlite(let handle) = driver { sqlite3_close_v2(handle) }
  }

  /// Runs a script without results, such as a migration, in the engine's own SQL dialect.
  ///
  /// - Parameter operation: the action for an error message, such as `set up 'PATH'`.
  package func execute(_ script: String, operation: String) throws(StoreError) {
    switch driver {
    case .sqlite(let handle):
      let code = sqlite3_exec(handle, script, nil, nil, nil)
      guard code == SQLITE_OK else { throw Self.failure(operation, code, on: handle) }
    case .server(let session): try session.execute(script, operation: operation)
    }
  }

  /// The statement for `sql`; compiled once per connection.
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    let key = StatementText(sql: sql)
    if let known = statements[key] {
      if known.changesFacts { changesFacts = true }
      return known
    }
    let made =
      switch driver {
      case .sqlite(let handle):
        Statement(try Self.compile(sql, on: handle), connection: handle, sql: sql, trades: trades)
      case .server(let session): Statement(session.query(sql), sql: sql, trades: trades)
      }
    statements[key] = made
    if made.changesFacts { changesFacts = true }
    return made
  }

  private var isInTransaction: Bool {
    switch driver {
    case .sqlite(let handle): sqlite3_get_autocommit(handle) == 0
    case .server(let session): session.isInTransaction
    }
  }

  /// Runs a writing statement in a transaction of its own, or in the current one.
  /// - Returns: the number of changed rows.
  @discardableResult
  package func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
    try run(sql, values)
  }

  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
    // Inside a transaction, the retry repeats the whole transaction.
    guard !isInTransaction else { return try perform(sql, values) }
    switch driver {
    case .sqlite:
      return try retryingWithFreedSpace { () throws(StoreError) in
        try performPendingWrite()
        defer { noteChange(of: nil) }
        return try perform(sql, values)
      }
    case .server(let session):
      do {
        return try committed(on: session, of: nil) { try perform(sql, values) }
      } catch let error as StoreError {
        throw error
      } catch {
        // Only `StoreError` can be thrown above.
        throw .server(operation: "write", state: "", reason: "\(error)")
      }
    }
  }

  /// Notes a change to `table` by rows that were sent without a statement (COPY).
  func noteFactChange(changedBy table: String) {
    if trades.factTables.contains(table[...]) { changesFacts = true }
  }

  /// Reports a committed change to `changes`, if it touched tables that decisions read.
  private func noteChange(of teams: Set<TeamID>?) {
    if changesFacts { changes.note(teams) }
    changesFacts = false
  }

  /// Executes a statement to its end, without a transaction or retry of its own.
  ///
  /// - Returns: the number of changed rows.
  @discardableResult
  private func perform(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return statement.changedRows
  }

  /// Reads every row of `sql` with `read`.
  ///
  /// - Throws: `StoreError.damaged` if a row holds a value that the store never writes.
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

  /// Reads every row of `sql` and leaves out damaged rows, so that one team's damaged row does not affect other teams.
  ///
  /// - Parameter unreadable: receives each row that was left out, and the reason.
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
        // Discard the damage noted for the same row.
        _ = statement.damage()
        unreadable(statement, error)
      }
    }
    return found
  }

  /// Reads the first row of `sql`; nil if there is none.
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

  /// Runs `body` in one transaction: all of it or nothing.
  ///
  /// The body is synchronous on purpose: an `await` inside would let another call in halfway. It may be called a second time,
  /// after a full disk or a lost server connection, so it must change nothing but the database.
  /// - Parameter teams: the only teams whose records it changes; nil if it may change any team's.
  package func transaction<Value>(of teams: Set<TeamID>? = nil, _ body: () throws -> Value) throws -> Value {
    if case .server(let session) = driver { return try committed(on: session, of: teams, body) }
    return try retryingWithFreedSpace {
      try performPendingWrite()
      try perform("BEGIN IMMEDIATE")
      do {
        let value = try body()
        try perform("COMMIT")
        noteChange(of: teams)
        return value
      } catch {
        changesFacts = false
        // Throw the first error; after some errors SQLite has rolled back already.
        _ = try? perform("ROLLBACK")
        throw error
      }
    }
  }

  /// Runs `body` in one transaction and returns its effect; with `dryRun` (a dry run) the transaction is rolled back.
  package func transaction<Effect: Sendable>(
    of teams: Set<TeamID>? = nil, dryRun: Bool, _ body: () throws -> Effect
  ) throws -> Effect {
    do {
      return try transaction(of: teams) {
        let effect = try body()
        if dryRun { throw DryRunRollback(effect: effect) }
        return effect
      }
    } catch let rollback as DryRunRollback<Effect> {
      return rollback.effect
    }
  }

  /// Runs several reads on one consistent snapshot.
  package func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    switch driver {
    case .sqlite: try perform("BEGIN")
    case .server(let session): try session.beginReading()
    }
    defer {
      // The transaction has only read, so there is nothing to lose.
      switch driver {
      case .sqlite: _ = try? perform("COMMIT")
      case .server(let session): session.rollBack()
      }
    }
    return try body()
  }

  /// Runs reads of many teams, one team after the other, on one consistent snapshot. On a server the queries are batched.
  ///
  /// - Parameter body: calls `next` after each team.
  package func snapshot<Value>(of teams: [TeamID], _ body: (_ next: () -> Void) throws -> Value) throws -> Value {
    try snapshot {
      guard let session = server else { return try body {} }
      session.beginBatch(of: teams.map(\.number))
      defer { session.endBatch() }
      return try body { session.nextInBatch() }
    }
  }

  // MARK: A server's transactions

  /// Runs one transaction on a server. `body` is called again after an error if its effect is certainly lost.
  private func committed<Value>(
    on session: any ServerSession, of teams: Set<TeamID>?, _ body: () throws -> Value
  ) throws -> Value {
    var attempt = 1
    while true {
      do {
        try session.begin()
        let value: Value
        do {
          if let pending = pendingWrite { try perform(pending.sql, pending.values) }
          value = try body()
          try session.notifyOwners()
        } catch {
          changesFacts = false
          session.rollBack()
          throw error
        }
        try session.commit()
        pendingWrite = nil
        isOutOfDiskSpace = false
        noteChange(of: teams)
        return value
      } catch {
        if error.isCausedByFullDisk { isOutOfDiskSpace = true }
        guard session.isRetryable(after: error), attempt < session.transactionAttempts else { throw error }
        attempt += 1
      }
    }
  }

  // MARK: Disk space

  /// Stores a pending write, which is done before any other write: now, or once there is disk space.
  func storePendingWrite(_ sql: String, _ values: SQLValue...) { pendingWrite = (sql, values) }

  /// Does the pending write, if there is one.
  func flushPendingWrite() throws(StoreError) {
    switch driver {
    case .sqlite: try retryingWithFreedSpace { () throws(StoreError) in try performPendingWrite() }
    case .server:
      guard let pending = pendingWrite else { return }
      // The transaction writes `pendingWrite` first; without this reset it would be written twice.
      pendingWrite = nil
      do throws(StoreError) {
        try run(pending.sql, pending.values)
      } catch {
        pendingWrite = pending
        throw error
      }
    }
  }

  /// Does the pending write inside the current transaction or before the current write.
  private func performPendingWrite() throws(StoreError) {
    guard let pending = pendingWrite else { return }
    try perform(pending.sql, pending.values)
    pendingWrite = nil
  }

  /// Runs `write`; if the disk is full, frees space and runs it once more.
  private func retryingWithFreedSpace<Value, Failure: Error>(_ write: () throws(Failure) -> Value) throws(Failure)
    -> Value
  {
    do {
      return try trackingDiskSpace(write)
    } catch {
      guard error.isCausedByFullDisk, freeDiskSpace() else { throw error }
    }
    do {
      return try trackingDiskSpace(write)
    } catch {
      // The retry failed too: return the freed log space to other programs.
      if isOutOfDiskSpace { _ = truncateLog() }
      throw error
    }
  }

  /// Runs `write` and remembers in `isOutOfDiskSpace` whether it found disk space.
  private func trackingDiskSpace<Value, Failure: Error>(_ write: () throws(Failure) -> Value) throws(Failure) -> Value {
    let changes = totalChanges
    do {
      let value = try write()
      // A write that changed no row proves nothing about disk space.
      if totalChanges != changes { isOutOfDiskSpace = false }
      return value
    } catch {
      if error.isCausedByFullDisk { isOutOfDiskSpace = true }
      throw error
    }
  }
}

/// Thrown to roll back a dry run; never leaves this file.
private struct DryRunRollback<Effect: Sendable>: Error {
  let effect: Effect
}

/// SQL text as a dictionary key. Only the length is hashed: hashing a thousand characters takes longer than many statements
/// run, and comparing a text with itself is free.
private struct StatementText: Hashable {
  let sql: String

  func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

/// Disk space status of a connection's last write, readable from any thread.
final class DiskFullFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
}
