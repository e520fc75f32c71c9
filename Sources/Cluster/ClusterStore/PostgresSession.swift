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
  /// How often a transaction's body is called, the first call included; if the server is still away then, the caller gets the
  /// error.
  static let attempts = 3
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
  private let writes: Bool
  private var connection: OpaquePointer?
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
  /// Token of the current transaction, made from `words` and the random `randomPart`.
  private var token = ""
  private var words = 0
  private let randomPart = UInt64.random(in: 0 ... .max)
  /// Token of a COMMIT whose result is unknown.
  private var uncertainToken: String?
  /// Number of commits that succeeded although their callers got "server away"; read after reconnecting.
  private(set) var lateCommits = 0
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

  /// Checks the server's version and sets the session's parameters.
  private func setUp(_ made: OpaquePointer) throws(StoreError) {
    let version = poolflow_pq_server_version(made)
    guard version >= 140_000 else { throw .refused(by: place, .tooOld(version)) }
    // Settings: a commit counts once it is on the server's disk, and stricter settings are kept. Names are not searched in
    // schemas that others can write to. The lock timeout equals SQLite's busy timeout.
    try execute(
      """
      SET search_path = \(PostgresSchema.name), pg_temp; SET client_encoding = 'UTF8'; SET jit = off;
      SET lock_timeout = '5s'; SET standard_conforming_strings = on; SET extra_float_digits = 3;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """, operation: "begin a session")
    guard writes else { return }
    // Cached plans outlive the table sizes they were made for, including those of the server's foreign key checks: a plan made
    // for an empty table scans all rows later. All queries here read few rows, so indexes are always right.
    try execute("SET enable_seqscan = off", operation: "begin a session")
    // Overrides the connection string: other nodes identify this node's session by the name.
    if let node = server.node {
      try execute("SET application_name = '\(node.sessionName)'", operation: "tell its name")
    }
    if try ask("SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'") == "t" {
      throw .refused(by: place, .readOnly)
    }
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

  // MARK: The writer's lock

  /// Takes the writer's lock, waiting a short time for a lost session of this process to end.
  ///
  /// - Throws: `StoreError.refused` with `held` if another program holds the lock.
  private func lockStore() throws(StoreError) {
    guard server.isExclusive else { return }
    if server.node != nil { return try lockAsNode() }
    let end = ContinuousClock.now + Self.lockPatience
    while try ask("SELECT pg_try_advisory_lock(\(Self.lock))") != "t" {
      let holder = try holder()
      // A lost session of this process still holds the lock; its transaction ends with it.
      let isOurs = holder == nil || holder?.backend == backend && hasStore
      guard isOurs, ContinuousClock.now < end else {
        throw .refused(by: place, .held(by: holder?.words ?? "a session that comes and goes"))
      }
      if holder != nil { _ = try ask("SELECT pg_terminate_backend(\(backend))") }
      // The server does not notify when a session ends, so poll.
      usleep(5_000)
    }
  }

  /// The server process that holds the writer's lock, with a description for messages; nil if there is none.
  func holder() throws(StoreError) -> (backend: Int32, words: String)? {
    let found = try ask(
      """
      SELECT pid || ' ' || coalesce(nullif(application_name, ''), 'a program without a name') || ', process ' || pid
        || ' of the server' || coalesce(', from ' || host(client_addr), '')
        || coalesce(', since ' || to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', '')
      FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND granted AND classid = \(Schema.applicationID) AND objid = 0 AND objsubid = 2
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND pid <> pg_backend_pid() ORDER BY pid LIMIT 1
      """)
    guard let found, let blank = found.firstIndex(of: " "), let backend = Int32(found[..<blank]) else { return nil }
    return (backend, String(found[found.index(after: blank)...]))
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

  /// The socket to poll for notifications of other nodes; nil without a session.
  var descriptor: Int32? {
    guard let connection else { return nil }
    let descriptor = poolflow_pq_socket(connection)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Payloads of the notifications received since the last call; nil if the session has ended.
  func takeCalls() -> [String]? {
    guard let connection else { return nil }
    var words: [String] = []
    let calls = withUnsafeMutablePointer(to: &words) { list in
      poolflow_pq_take_calls(
        connection,
        { list, words in
          guard let list, let words else { return }
          list.assumingMemoryBound(to: [String].self).pointee.append(String(cString: words))
        }, list)
    }
    guard calls < 0 else { return words }
    noteLostConnection(
      PostgresLogin.line(String(cString: poolflow_pq_error(connection)), otherwise: "the connection broke"))
    return nil
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
  private func noteLostConnection(_ why: String) {
    close()
    isLost = true
    away = why
  }

  /// Streams rows into a table with COPY, as one statement: all of them or none.
  ///
  /// - Parameter rows: sends rows in COPY's binary format, some at a time.
  func copy(
    into table: String, _ columns: String,
    _ rows: ((([UInt8]) throws(StoreError) -> Void)) throws(StoreError) -> Void
  ) throws(StoreError) {
    let operation = "insert into '\(table)'"
    let connection = try connected()
    poolflow_pq_clear(
      try check(
        poolflow_pq_execute(connection, "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"), operation: operation))
    func send(_ bytes: [UInt8]) throws(StoreError) {
      let code = bytes.withUnsafeBytes {
        poolflow_pq_put_copy(
          connection, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: $0.count))
      }
      if code != 1 { _ = try check(nil, operation: operation) }
    }
    /// Ends the stream and checks the server's result.
    func end(_ error: String?) throws(StoreError) {
      if poolflow_pq_end_copy(connection, error) != 1 { _ = try check(nil, operation: operation) }
      var last: OpaquePointer?
      while let answer = poolflow_pq_next_result(connection) {
        if let last { poolflow_pq_clear(last) }
        last = answer
      }
      poolflow_pq_clear(try check(last, operation: operation))
    }
    do throws(StoreError) {
      // COPY's binary header: signature, flags, no extension.
      try send(Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8))
      try rows(send)
      try send([0xff, 0xff])
    } catch {
      // Throw the first error.
      if !isLost { try? end("given up") }
      throw error
    }
    try end(nil)
  }

  // MARK: Transactions

  /// Begins a writing transaction, which stores its token first.
  func begin() throws(StoreError) {
    precondition(!isInTransaction, "a transaction begins inside another")
    isLost = false
    replannedPartitions = .none
    words += 1
    token = "\(randomPart)-\(words)"
    let script =
      hasStore
      ? "BEGIN; UPDATE \(tokenLocation.table) SET last_commit = '\(token)' WHERE \(tokenLocation.row)" : "BEGIN"
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

  /// Rolls back the current transaction, if there is one.
  func rollBack() {
    guard isInTransaction else { return }
    // Ignore an error here, so that the first one is thrown; a lost session has rolled back already.
    if connection != nil { try? execute("ROLLBACK", operation: "take a transaction back") }
    isInTransaction = false
  }

  /// Commits the transaction.
  ///
  /// - Throws: `isServerAway` if the outcome is unknown for now; the server's error if the commit is known to have failed.
  func commit() throws(StoreError) {
    let answer: OpaquePointer
    do throws(StoreError) {
      answer = try check(poolflow_pq_execute(try connected(), "COMMIT"), operation: "commit")
    } catch {
      isInTransaction = false
      guard isLost, hasStore else { throw error }
      uncertainToken = token
      // The new session holds the lock, so the old one has ended and its token is final.
      _ = try connected()
      guard lateCommits > 0, committedToken == token else { throw error }
      lateCommits -= 1
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

  private var committedToken: String?

  /// Location of the token. Each node of a cluster has its own row, so that nodes do not wait for each other's transactions.
  private var tokenLocation: (table: String, row: String) {
    server.node.map { (NodeTables.words, "mark = '\($0.mark)'") } ?? ("engine", "only_row = 1")
  }

  /// Batches the same query for many teams; nil outside of `snapshot(of:)`.
  var queryBatch: QueryBatch?

  /// Finds out whether a commit with unknown outcome succeeded.
  private func resolveUncertainCommit() throws(StoreError) {
    guard let uncertainToken else { return }
    committedToken = try ask("SELECT last_commit FROM \(tokenLocation.table) WHERE \(tokenLocation.row)")
    if committedToken == uncertainToken { lateCommits += 1 }
    self.uncertainToken = nil
  }

  /// True if a transaction that failed with `error` has certainly been rolled back and may succeed when repeated.
  func isRetryable(after error: any Error) -> Bool {
    // The commit may have succeeded: a retry could apply it twice.
    if uncertainToken != nil { return false }
    if isLost { return true }
    guard case .server(_, let state, _) = error as? StoreError else { return false }
    // Serialization failure or deadlock.
    return state == "40001" || state == "40P01"
  }

  /// Epoch of this process; nil before it has begun.
  var epoch: Int64?

  /// Refuses to continue if another process held the lock in the meantime: it has begun a newer epoch.
  private func refuseNewerEpoch() throws(StoreError) {
    guard let epoch, server.isExclusive, server.node == nil else { return }
    let newest = try ask("SELECT max(epoch) FROM epochs").flatMap { Int64($0) } ?? 0
    guard newest <= epoch else { throw .refused(by: place, .takenOver) }
  }

  /// Notes that the store exists, after the migrations.
  func noteStoreExists() { hasStore = true }
}
