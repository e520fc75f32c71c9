import CPostgres
import Glibc
import PoolModel

/// One session of a server: begun when it is needed, and anew where it was lost. Not Sendable, as the connection it serves.
///
/// The session that writes holds a lock of the server's for as long as it lives, so that one daemon alone writes to a database:
/// whoever has the lock knows that the session before has ended, and with it whatever that had begun. Each of its transactions
/// writes its own word down (`engine.last_commit`); where a connection breaks while a COMMIT is under way, the word tells
/// whether it was one, also on a replica that was promoted meanwhile, which knows nothing of the old server's transactions.
final class PostgresSession {
  /// A body is called so often, the first time included: a server that is gone for longer than that is waited for by whoever
  /// asks again.
  static let roundsOfTransaction = 3
  /// Pauses between the tries to reach a server, ms: a quick restart costs nobody an error, and all other work of the store
  /// waits behind it, so it is short.
  private static let pauses: [UInt32] = [0, 50, 100, 200, 400]
  /// For so long after a failure nobody tries again, so that many callers do not each wait for it.
  private static let quiet = Duration.milliseconds(500)
  /// For so long the lock of a session of ours is waited for that the server has not yet given up.
  static let lockPatience = Duration.seconds(5)
  /// Ours, "pool", and the writer's place under it: one daemon alone has it to itself, several nodes have it together. The places
  /// above are the shares', from 1 on.
  static let lock = "\(Schema.applicationID), 0"
  /// Ours in `pg_locks` that somebody has to himself.
  static let lockInList = """
    locktype = 'advisory' AND granted AND mode = 'ExclusiveLock' AND classid = \(Schema.applicationID) AND objsubid = 2
    AND objid BETWEEN 0 AND \(ShareSet.count)
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  let server: PostgresPlace
  private let writes: Bool
  private var connection: OpaquePointer?
  /// Counts the sessions: what was prepared in an earlier one is not there.
  private(set) var number = 0
  private var names = 0
  private(set) var isInTransaction = false
  /// Whether the last failure was the session's end.
  private(set) var isLost = false
  private var failedAt: ContinuousClock.Instant?
  private var failure: StoreError?
  /// The process that served the session before.
  private(set) var backend: Int32 = 0
  private(set) var hasStore = false
  /// Of the transaction at hand, and a part that no other session has.
  private var word = ""
  private var words = 0
  private let chance = UInt64.random(in: 0 ... .max)
  /// A word that was sent with a COMMIT of which nobody heard.
  private var unheard: String?
  /// Commits whose callers were told that the server is away, and that happened all the same.
  private(set) var lateCommits = 0
  /// Why the server is not there; nil where the last look found it.
  private(set) var away: String?
  /// The address in words, from the last session.
  private(set) var place: String
  /// What this session has of the teams where it is one of several; all where it is alone.
  var shares = ShareSet.none
  /// Others' shares of which the transaction at hand has given jobs other rules.
  var planned = ShareSet.none
  /// A place that is locked by this node alone, until there is a store of today's shape.
  var isAlone = false

  /// - Parameter writes: whether it takes the writer's lock.
  init(_ server: PostgresPlace, writes: Bool) throws(StoreError) {
    try PostgresLibrary.open()
    self.server = server
    self.writes = writes
    place = server.name
    if let fault = poolflow_pq_fault_of(server.connection) {
      defer { poolflow_pq_free(fault) }
      // It may quote the string, which may hold what nobody is to read.
      throw .refused(by: place, .badConnection)
    }
  }

  deinit { if let connection { poolflow_pq_finish(connection) } }

  func nextName() -> String {
    names += 1
    return "s\(names)"
  }

  // MARK: The session

  /// The session; a new one where there is none.
  func connected() throws(StoreError) -> OpaquePointer {
    if let connection { return connection }
    // What a transaction has done is lost with its session; only a new transaction gets a new one.
    guard !isInTransaction else { throw .refused(by: place, .away(away ?? "the connection broke")) }
    if let failedAt, let failure, server.isPatient, ContinuousClock.now - failedAt < Self.quiet { throw failure }
    var last: StoreError?
    let end = ContinuousClock.now + Self.quiet
    for pause in hasStore && server.isPatient ? Self.pauses : [0] where last == nil || ContinuousClock.now < end {
      // On the store's own queue, where whatever comes next waits for this connection all the same.
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
    let error = last ?? .refused(by: place, .away("nobody answers"))
    failedAt = .now
    failure = error
    if case .refused(_, .away(let reason)) = error { away = reason }
    throw error
  }

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
        try refuseLaterLives()
        try hearLate()
      }
    } catch {
      close()
      throw error
    }
    backend = poolflow_pq_backend(made)
    return made
  }

  private func setUp(_ made: OpaquePointer) throws(StoreError) {
    let version = poolflow_pq_server_version(made)
    guard version >= 140_000 else { throw .refused(by: place, .tooOld(version)) }
    // A commit is one where it is on disk, whatever the server does for others; what is kept beyond that stays. No name is
    // looked for in a schema that others can write to. A lock is waited for as long as SQLite's.
    try execute(
      """
      SET search_path = \(PostgresSchema.name), pg_temp; SET client_encoding = 'UTF8'; SET jit = off;
      SET lock_timeout = '5s'; SET standard_conforming_strings = on; SET extra_float_digits = 3;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """, operation: "begin a session")
    guard writes else { return }
    // Plans stay as they were made first, also those by which the server itself looks a key up: of a table that was empty then
    // they read all rows one after the other when it is not. Here each look is for a few; it goes by an index.
    try execute("SET enable_seqscan = off", operation: "begin a session")
    // Over what the connection string says: by this name other nodes know whose session it is.
    if let node = server.node { try execute("SET application_name = '\(node.holding)'", operation: "tell its name") }
    if try ask("SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'") == "t" {
      throw .refused(by: place, .readOnly)
    }
  }

  /// Ends the session.
  private func close() {
    if let connection { poolflow_pq_finish(connection) }
    connection = nil
  }

  /// Ends the session; the next question begins another.
  func leave() {
    close()
    isInTransaction = false
  }

  // MARK: The writer's lock

  private func lockStore() throws(StoreError) {
    guard server.isExclusive else { return }
    if server.node != nil { return try lockAmongMany() }
    let end = ContinuousClock.now + Self.lockPatience
    while try ask("SELECT pg_try_advisory_lock(\(Self.lock))") != "t" {
      let holder = try holder()
      // A session of ours that the server has not given up yet: whatever it was about ends with it.
      let isOurs = holder == nil || holder?.backend == backend && hasStore
      guard isOurs, ContinuousClock.now < end else {
        throw .refused(by: place, .held(by: holder?.words ?? "a session that comes and goes"))
      }
      if holder != nil { _ = try ask("SELECT pg_terminate_backend(\(backend))") }
      // The server tells nobody that a session has gone.
      usleep(5_000)
    }
  }

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

  // MARK: Questions of our own

  /// Runs a script of the server's own dialect.
  func execute(_ script: String, operation: String) throws(StoreError) {
    let connection = try connected()
    poolflow_pq_clear(try check(poolflow_pq_execute(connection, script), operation: operation))
  }

  /// The first column of the first row, as text; nil for NULL, and where there is no row.
  func ask(_ sql: String, operation: String = "look at the server") throws(StoreError) -> String? {
    let answer = try check(poolflow_pq_execute(try connected(), sql), operation: operation)
    defer { poolflow_pq_clear(answer) }
    guard poolflow_pq_rows(answer) > 0, poolflow_pq_is_null(answer, 0, 0) == 0 else { return nil }
    return poolflow_pq_value(answer, 0, 0).map { String(cString: $0) }
  }

  /// What can be waited on for calls of others; nil where there is no session.
  var descriptor: Int32? {
    guard let connection else { return nil }
    let descriptor = poolflow_pq_socket(connection)
    return descriptor >= 0 ? descriptor : nil
  }

  /// What others have called since this was asked; nil where the session has ended.
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
    lose(PostgresLogin.line(String(cString: poolflow_pq_error(connection)), otherwise: "the connection broke"))
    return nil
  }

  /// - Throws: what the server said; where it is gone, the session has ended.
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
    // It shuts down, or has become a replica that takes no writes: another session finds the server that does.
    // What has no code is libpq's own finding, and of a connection: a server gives each of its errors one.
    if broke || state.isEmpty || state.hasPrefix("57P") || state.hasPrefix("08") || (writes && state == "25006") {
      let said = field(POOLFLOW_PQ_MESSAGE) ?? connection.map { String(cString: poolflow_pq_error($0)) } ?? ""
      lose(PostgresLogin.line(said, otherwise: "the connection broke"))
      throw .refused(by: place, .away(away ?? ""))
    }
    isLost = false
    // What belongs to the message (a key, a row) may be somebody's data: the message itself names tables and columns.
    let message = state.hasPrefix("22") ? "a value that it does not take" : field(POOLFLOW_PQ_MESSAGE) ?? "no reason"
    throw .server(operation: operation, state: state, reason: PostgresLogin.line(message, otherwise: ""))
  }

  private func lose(_ why: String) {
    close()
    isLost = true
    away = why
  }

  /// Streams rows into a table, as one statement: all of them or none.
  ///
  /// - Parameter rows: sends rows in the binary form of COPY, a few at a time.
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
    /// What the server made of it.
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
      // Its head: a signature, no flags, nothing more.
      try send(Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8))
      try rows(send)
      try send([0xff, 0xff])
    } catch {
      // The first failure is the one to tell.
      if !isLost { try? end("given up") }
      throw error
    }
    try end(nil)
  }

  // MARK: Transactions

  /// Begins a transaction that writes, with its word.
  func begin() throws(StoreError) {
    precondition(!isInTransaction, "a transaction begins inside another")
    isLost = false
    planned = .none
    words += 1
    word = "\(chance)-\(words)"
    let script =
      hasStore ? "BEGIN; UPDATE \(wordsPlace.table) SET last_commit = '\(word)' WHERE \(wordsPlace.row)" : "BEGIN"
    _ = try connected()
    isInTransaction = true
    do throws(StoreError) {
      try execute(script, operation: "begin a transaction")
    } catch {
      rollBack()
      throw error
    }
  }

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
    // The first failure is the one to tell; a session that is gone has rolled back.
    if connection != nil { try? execute("ROLLBACK", operation: "take a transaction back") }
    isInTransaction = false
  }

  /// - Throws: `isServerAway` where nothing is known of the commit for now; where it is known to have failed, what was said.
  func commit() throws(StoreError) {
    let answer: OpaquePointer
    do throws(StoreError) {
      answer = try check(poolflow_pq_execute(try connected(), "COMMIT"), operation: "commit")
    } catch {
      isInTransaction = false
      guard isLost, hasStore else { throw error }
      unheard = word
      // A new session has the lock, so the old one has ended, and its word is there or will never be.
      _ = try connected()
      guard lateCommits > 0, heard == word else { throw error }
      lateCommits -= 1
      isLost = false
      return
    }
    isInTransaction = false
    let tag = poolflow_pq_command(answer).map { String(cString: $0) }
    poolflow_pq_clear(answer)
    // A transaction in which a statement failed is taken back by its COMMIT.
    guard tag == "COMMIT" else {
      throw .server(operation: "commit", state: "25P02", reason: "a statement of it had failed")
    }
  }

  private var heard: String?

  /// Of several nodes each has a row of its own: none waits for another's transaction.
  private var wordsPlace: (table: String, row: String) {
    server.node.map { (NodeTables.words, "mark = '\($0.mark)'") } ?? ("engine", "only_row = 1")
  }

  /// What is asked of many teams one after the other; nil where nobody said so.
  var foresight: PostgresForesight?

  /// Finds out what became of a commit of which nobody heard.
  private func hearLate() throws(StoreError) {
    guard let unheard else { return }
    heard = try ask("SELECT last_commit FROM \(wordsPlace.table) WHERE \(wordsPlace.row)")
    if heard == unheard { lateCommits += 1 }
    self.unheard = nil
  }

  /// Whether a transaction that failed so has left nothing behind and may do better now.
  func mayRunAgain(after error: any Error) -> Bool {
    // Of what may have happened all the same a second time is one too many.
    if unheard != nil { return false }
    if isLost { return true }
    guard case .server(_, let state, _) = error as? StoreError else { return false }
    // Two sessions stood in each other's way.
    return state == "40001" || state == "40P01"
  }

  /// The life in whose name it writes; nil before there is one.
  var epoch: Int64?

  /// Whoever had the lock meanwhile has begun a life of its own, whose claims are not ours.
  private func refuseLaterLives() throws(StoreError) {
    guard let epoch, server.isExclusive, server.node == nil else { return }
    let newest = try ask("SELECT max(epoch) FROM epochs").flatMap { Int64($0) } ?? 0
    guard newest <= epoch else { throw .refused(by: place, .takenOver) }
  }

  /// From now on there is a store behind this session.
  func foundStore() { hasStore = true }
}
