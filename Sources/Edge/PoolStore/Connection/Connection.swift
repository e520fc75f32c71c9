import CSQLite
package import PoolModel
package import PoolPlatform
import Synchronization

/// One connection to a database: a SQLite file, or a session of a PostgreSQL server. Not Sendable: the actor or function that
/// opened it is the only one to use it.
///
/// Whatever the store asks, it asks with these verbs, in one set of statements that both engines take (`Dialect`).
package final class Connection {
  /// What lies below the verbs.
  enum Driver {
    case sqlite(OpaquePointer)
    case postgresql(PostgresSession)
  }

  let driver: Driver
  /// Of the file; of a server what names its database in a sentence.
  let path: String
  private var statements: [StatementText: Statement] = [:]
  /// What has to be written before anything else is; nil where nothing is owed.
  private var owed: (sql: String, values: [SQLValue])?
  /// Given up where a write finds no room.
  package var reserve: RoomReserve?
  /// Told of what decisions look at.
  let changes = FactChanges()
  private var changesFacts = false
  /// The last write found no room, whatever was done to make some.
  private(set) var isOutOfRoom: Bool {
    get { room.isOut }
    set { room.isOut = newValue }
  }
  let room = RoomFound()

  package enum Mode { case readWrite, readOnly }

  package init(path: String, mode: Mode) throws(StoreError) {
    self.path = path
    driver = .sqlite(try Self.openFile(path, mode))
  }

  init(_ session: PostgresSession) {
    path = session.server.name
    driver = .postgresql(session)
  }

  deinit {
    // Statements finalise themselves; close_v2 waits for the last of them.
    statements.removeAll()
    if case .sqlite(let handle) = driver { sqlite3_close_v2(handle) }
  }

  /// Runs statements that return nothing of interest, such as a migration; they are in the engine's own dialect.
  package func execute(_ script: String, operation: String) throws(StoreError) {
    switch driver {
    case .sqlite(let handle):
      let code = sqlite3_exec(handle, script, nil, nil, nil)
      guard code == SQLITE_OK else { throw Self.failure(operation, code, on: handle) }
    case .postgresql(let session): try session.execute(script, operation: operation)
    }
  }

  /// The statement for `sql`, compiled once.
  package func statement(_ sql: String) throws(StoreError) -> Statement {
    let key = StatementText(sql: sql)
    if let known = statements[key] {
      if known.changesFacts { changesFacts = true }
      return known
    }
    let made =
      switch driver {
      case .sqlite(let handle): Statement(try Self.compile(sql, on: handle), connection: handle, sql: sql)
      case .postgresql(let session): Statement(PostgresQuery(sql, on: session), sql: sql)
      }
    statements[key] = made
    if made.changesFacts { changesFacts = true }
    return made
  }

  private var isInTransaction: Bool {
    switch driver {
    case .sqlite(let handle): sqlite3_get_autocommit(handle) == 0
    case .postgresql(let session): session.isInTransaction
    }
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
    guard !isInTransaction else { return try perform(sql, values) }
    switch driver {
    case .sqlite:
      return try withRoom { () throws(StoreError) in
        try settleDebt()
        defer { noteChange(of: nil) }
        return try perform(sql, values)
      }
    case .postgresql(let session):
      do {
        return try committed(on: session, of: nil) { try perform(sql, values) }
      } catch let error as StoreError {
        throw error
      } catch {
        // Nothing above throws anything else.
        throw .server(operation: "write", state: "", reason: "\(error)")
      }
    }
  }

  /// Of rows that came without a statement.
  func noteFacts(changedBy table: String) {
    if FactChanges.tables.contains(table[...]) { changesFacts = true }
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
    return statement.changedRows
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

  /// Runs `body` in one transaction: all of it or nothing.
  ///
  /// The body is synchronous on purpose: an `await` inside would let another call in halfway. Where the disk is full, or the
  /// server goes away meanwhile, it is called a second time, once there is more room or a server; so it changes nothing but
  /// the database.
  /// - Parameter teams: whose records alone it changes; nil where it may be anybody's.
  package func transaction<Value>(of teams: Set<TeamID>? = nil, _ body: () throws -> Value) throws -> Value {
    if case .postgresql(let session) = driver { return try committed(on: session, of: teams, body) }
    return try withRoom {
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

  /// One moment for several reads.
  func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    switch driver {
    case .sqlite: try perform("BEGIN")
    case .postgresql(let session): try session.beginReading()
    }
    defer {
      // Ends a transaction that has only read; there is nothing that could be lost.
      switch driver {
      case .sqlite: _ = try? perform("COMMIT")
      case .postgresql(let session): session.rollBack()
      }
    }
    return try body()
  }

  /// One moment for reading teams one after the other.
  ///
  /// - Parameter body: calls what it is given when a team is done with.
  func snapshot<Value>(of teams: [TeamID], _ body: (_ next: () -> Void) throws -> Value) throws -> Value {
    try snapshot {
      guard case .postgresql(let session) = driver, teams.count >= PostgresForesight.leastTeams else {
        return try body {}
      }
      let foresight = PostgresForesight(teams.map(\.number))
      session.foresight = foresight
      defer { session.foresight = nil }
      return try body { foresight.done += 1 }
    }
  }

  // MARK: A server's transactions

  /// One transaction on a server: `body` is called again where its effect is known to be lost.
  private func committed<Value>(
    on session: PostgresSession, of teams: Set<TeamID>?, _ body: () throws -> Value
  ) throws -> Value {
    var round = 1
    while true {
      do {
        try session.begin()
        let value: Value
        do {
          if let debt = owed { try perform(debt.sql, debt.values) }
          value = try body()
          try session.tellOwners()
        } catch {
          changesFacts = false
          session.rollBack()
          throw error
        }
        try session.commit()
        owed = nil
        isOutOfRoom = false
        noteChange(of: teams)
        return value
      } catch {
        if error.isWantOfRoom { isOutOfRoom = true }
        guard session.mayRunAgain(after: error), round < PostgresSession.roundsOfTransaction else { throw error }
        round += 1
      }
    }
  }

  // MARK: Room

  /// Has this statement written before anything else is, now or with the first write that finds room.
  func owe(_ sql: String, _ values: SQLValue...) { owed = (sql, values) }

  /// Writes what is owed.
  func settle() throws(StoreError) {
    switch driver {
    case .sqlite: try withRoom { () throws(StoreError) in try settleDebt() }
    case .postgresql:
      guard let debt = owed else { return }
      // The transaction writes it first, and finds it written.
      owed = nil
      do throws(StoreError) {
        try run(debt.sql, debt.values)
      } catch {
        owed = debt
        throw error
      }
    }
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
    let changes = changesInAll
    do {
      let value = try write()
      // What changed nothing needed none.
      if changesInAll != changes { isOutOfRoom = false }
      return value
    } catch {
      if error.isWantOfRoom { isOutOfRoom = true }
      throw error
    }
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

/// What the last write of a connection found, for whoever does not wait for the next.
final class RoomFound: Sendable {
  private let out = Atomic(false)

  var isOut: Bool {
    get { out.load(ordering: .relaxed) }
    set { out.store(newValue, ordering: .relaxed) }
  }
}
