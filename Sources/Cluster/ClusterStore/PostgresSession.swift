import CPostgres
import FlowModel
import FlowStore
import Glibc

/// A session on a PostgreSQL server: opened when needed, reopened when lost. Not Sendable, like the connection that uses it.
///
/// The writing session holds an advisory lock, so that only one daemon writes to a database: the lock's holder knows that the
/// session before has ended, with its transactions. Each transaction writes a token (`engine.last_commit`). If the connection
/// breaks during COMMIT, the token shows whether the commit succeeded, even on a promoted replica, which does not know the old
/// server's transactions.
final class PostgresSession {
  /// Pauses between connection attempts, in milliseconds. They hide a quick restart; they are short because all other work of
  /// the store waits.
  private static let pauses: [UInt32] = [0, 50, 100, 200, 400]
  /// After a failure no new attempt is made for this long, so that many callers do not each wait for the timeout.
  private static let retryPause = Duration.milliseconds(500)
  /// How long to wait for a lock that an earlier session of this process still holds on the server.
  static let lockPatience = Duration.seconds(5)
  /// Advisory lock keys: the application id "pool" and 0 for the writer. A single daemon holds the lock exclusively, nodes of
  /// a cluster share it. Partitions have the second keys from 1 on.
  static let lock = "\(Schema.applicationID), 0"
  /// Condition for rows of `pg_locks`: poolflow's exclusive advisory locks in this database.
  static let lockInList = """
    locktype = 'advisory' AND granted AND mode = 'ExclusiveLock' AND classid = \(Schema.applicationID) AND objsubid = 2
    AND objid BETWEEN 0 AND \(PartitionSet.count)
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  let server: ServerLocation
  /// After the last attempt the caller gets the error.
  let transactionAttempts = 3
  /// True if the session takes the writer's lock.
  let writes: Bool
  private(set) var connection: OpaquePointer?
  /// Number of sessions opened so far; statements prepared in an earlier session no longer exist.
  private(set) var number = 0
  private var names = 0
  private(set) var isInTransaction = false
  /// True if the last failure ended the session.
  private(set) var isLost = false
  private var failedAt: ContinuousClock.Instant?
  private var failure: StoreError?
  /// Server process of the last session.
  private(set) var backend: Int32 = 0
  private(set) var hasStore = false
  private var tokens = CommitTokens()
  /// Why the server cannot be reached; nil if the last attempt succeeded.
  private(set) var away: String?
  /// Name of the server for messages, from the last session.
  private(set) var place: String
  /// The partitions that this session has locked, if it is a node of a cluster.
  var partitions = PartitionSet.none
  /// Other nodes' partitions whose jobs got new rules in the current transaction.
  var replannedPartitions = PartitionSet.none
  /// True while this node holds the writer's lock exclusively, until the store has the current schema.
  var holdsLockExclusively = false
  /// Epoch of this process; nil before it has begun.
  var epoch: Int64?
  /// Batches the same query for many teams; nil outside of `snapshot(of:)`.
  var queryBatch: QueryBatch?

  /// - Parameter writes: true to take the writer's lock.
  init(_ server: ServerLocation, writes: Bool) throws(StoreError) {
    try PostgresLibrary.open()
    self.server = server
    self.writes = writes
    place = server.name
    if let fault = poolflow_pq_fault_of(server.connection) {
      defer { poolflow_pq_free(fault) }
      // The message could quote the connection string, which may contain a password.
      throw .refused(by: place, .badConnection)
    }
  }

  deinit { if let connection { poolflow_pq_finish(connection) } }

  /// A name for the next prepared statement, unique in this session.
  func nextName() -> String {
    names += 1
    return "s\(names)"
  }

  // MARK: The session

  /// The open session; connects if there is none.
  ///
  /// - Throws: `StoreError.refused`; `away` if the session of the current transaction was lost.
  func connected() throws(StoreError) -> OpaquePointer {
    if let connection { return connection }
    // A transaction is lost with its session; only the next transaction may reconnect.
    guard !isInTransaction else { throw .refused(by: place, .away(away ?? "the connection broke")) }
    if let failedAt, let failure, server.retriesWhileAway, ContinuousClock.now - failedAt < Self.retryPause {
      throw failure
    }
    var last: StoreError?
    let end = ContinuousClock.now + Self.retryPause
    for pause in hasStore && server.retriesWhileAway ? Self.pauses : [0] where last == nil || ContinuousClock.now < end
    {
      // Blocks the store's own queue; all work on it needs this connection anyway.
      if pause > 0 { usleep(pause * 1_000) }
      do throws(StoreError) {
        let made = try begin(PostgresLogin(server))
        failedAt = nil
        away = nil
        return made
      } catch {
        last = error
        guard error.isServerAway else { break }
      }
    }
    let error = last ?? .refused(by: place, .away("no server answers"))
    failedAt = .now
    failure = error
    if case .refused(_, .away(let reason)) = error { away = reason }
    throw error
  }

  /// Connects, sets up the session and, for writing, takes the lock.
  private func begin(_ login: PostgresLogin) throws(StoreError) -> OpaquePointer {
    var login = login
    let made = try login.connect(knowsStore: hasStore)
    place = login.place
    number += 1
    names = 0
    connection = made
    do throws(StoreError) {
      try setUp(made)
      if writes {
        if try PostgresPooler.isShared(by: made, login) { throw .refused(by: place, .pooled) }
        try lockStore()
        try refuseNewerEpoch()
        try resolveUncertainCommit()
      }
    } catch {
      close()
      throw error
    }
    backend = poolflow_pq_backend(made)
    return made
  }

  /// Closes the connection.
  private func close() {
    if let connection { poolflow_pq_finish(connection) }
    connection = nil
  }

  /// Ends the session; the next query opens another.
  func disconnect() {
    close()
    isInTransaction = false
  }

  // MARK: Internal queries

  /// Runs a script in PostgreSQL's own dialect.
  func execute(_ script: String, operation: String) throws(StoreError) {
    let connection = try connected()
    poolflow_pq_clear(try check(poolflow_pq_execute(connection, script), operation: operation))
  }

  /// The first column of the first row, as text; nil for NULL or if there is no row.
  func ask(_ sql: String, operation: String = "look at the server") throws(StoreError) -> String? {
    let answer = try check(poolflow_pq_execute(try connected(), sql), operation: operation)
    defer { poolflow_pq_clear(answer) }
    guard poolflow_pq_rows(answer) > 0, poolflow_pq_is_null(answer, 0, 0) == 0 else { return nil }
    return poolflow_pq_value(answer, 0, 0).map { String(cString: $0) }
  }

  /// Checks the result of a command; on a lost connection the session ends.
  ///
  /// - Throws: `StoreError.server` with the server's message, or `refused` with `away` if the connection is lost.
  func check(_ answer: OpaquePointer?, operation: String) throws(StoreError) -> OpaquePointer {
    if let answer {
      let status = Int(poolflow_pq_result_status(answer))
      if [POOLFLOW_PQ_COMMAND_OK, POOLFLOW_PQ_TUPLES_OK, POOLFLOW_PQ_COPY_IN].contains(status) { return answer }
    }
    defer { if let answer { poolflow_pq_clear(answer) } }
    func field(_ letter: Int) -> String? {
      answer.flatMap { poolflow_pq_result_field($0, Int32(letter)) }.map { String(cString: $0) }
    }
    let state = field(POOLFLOW_PQ_SQLSTATE) ?? ""
    let broke = connection.map { Int(poolflow_pq_status($0)) != POOLFLOW_PQ_CONNECTION_OK } ?? true
    // The server shuts down or has become a read-only replica: a new session finds the writable one. An error without SQLSTATE
    // comes from libpq and concerns the connection; the server's own errors always have a code.
    if broke || state.isEmpty || state.hasPrefix("57P") || state.hasPrefix("08") || (writes && state == "25006") {
      let said = field(POOLFLOW_PQ_MESSAGE) ?? connection.map { String(cString: poolflow_pq_error($0)) } ?? ""
      noteLostConnection(PostgresLogin.line(said, otherwise: "the connection broke"))
      throw .refused(by: place, .away(away ?? ""))
    }
    isLost = false
    // The detail field may quote private data (a key, a row) and is left out; the message itself names only tables and
    // columns.
    let message = state.hasPrefix("22") ? "a value that it does not take" : field(POOLFLOW_PQ_MESSAGE) ?? "no reason"
    throw .server(operation: operation, state: state, reason: PostgresLogin.line(message, otherwise: ""))
  }

  /// Notes that the connection is lost.
  func noteLostConnection(_ why: String) {
    close()
    isLost = true
    away = why
  }

  // MARK: Transactions

  /// Begins a writing transaction, which stores its token first.
  func begin() throws(StoreError) {
    precondition(!isInTransaction, "a transaction begins inside another")
    isLost = false
    replannedPartitions = .none
    tokens.beginTransaction()
    let script =
      hasStore
      ? "BEGIN; UPDATE \(tokenLocation.table) SET last_commit = '\(tokens.current)' WHERE \(tokenLocation.row)"
      : "BEGIN"
    _ = try connected()
    isInTransaction = true
    do throws(StoreError) {
      try execute(script, operation: "begin a transaction")
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a read-only transaction with one consistent snapshot; reconnects once if the session was lost.
  func beginReading() throws(StoreError) {
    isLost = false
    do throws(StoreError) {
      try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", operation: "begin to read")
    } catch {
      guard isLost else { throw error }
      try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", operation: "begin to read")
    }
    isInTransaction = true
  }

  func rollBack() {
    guard isInTransaction else { return }
    // Ignore an error here, so that the first one is thrown; a lost session has rolled back already.
    if connection != nil { try? execute("ROLLBACK", operation: "take a transaction back") }
    isInTransaction = false
  }

  func commit() throws(StoreError) {
    let answer: OpaquePointer
    do throws(StoreError) {
      answer = try check(poolflow_pq_execute(try connected(), "COMMIT"), operation: "commit")
    } catch {
      isInTransaction = false
      guard isLost, hasStore else { throw error }
      tokens.noteUncertainCommit()
      // The new session holds the lock, so the old one has ended and its token is final.
      _ = try connected()
      guard tokens.takeLateCommit() else { throw error }
      isLost = false
      return
    }
    isInTransaction = false
    let tag = poolflow_pq_command(answer).map { String(cString: $0) }
    poolflow_pq_clear(answer)
    // COMMIT of a transaction in which a statement failed rolls back.
    guard tag == "COMMIT" else {
      throw .server(operation: "commit", state: "25P02", reason: "a statement of it had failed")
    }
  }

  /// Location of the token. Each node of a cluster has its own row, so that nodes do not wait for each other's transactions.
  private var tokenLocation: (table: String, row: String) {
    server.node.map { (NodeTables.words, "mark = '\($0.mark)'") } ?? ("engine", "only_row = 1")
  }

  /// Finds out whether a commit with unknown outcome succeeded.
  private func resolveUncertainCommit() throws(StoreError) {
    guard tokens.hasUncertainCommit else { return }
    tokens.resolve(try ask("SELECT last_commit FROM \(tokenLocation.table) WHERE \(tokenLocation.row)"))
  }

  func isRetryable(after error: any Error) -> Bool {
    // The commit may have succeeded: a retry could apply it twice.
    if tokens.hasUncertainCommit { return false }
    if isLost { return true }
    guard case .server(_, let state, _) = error as? StoreError else { return false }
    // Serialization failure or deadlock.
    return state == "40001" || state == "40P01"
  }

  /// Notes that the store exists, after the migrations.
  func noteStoreExists() { hasStore = true }
}
