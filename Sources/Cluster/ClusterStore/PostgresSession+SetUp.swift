import CPostgres
import FlowStore
import Glibc

/// The settings of a new session, and the writer's lock, which lets only one daemon write to a database.
extension PostgresSession {
  /// Checks the server's version and sets the session's parameters.
  func setUp(_ made: OpaquePointer) throws(StoreError) {
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

  /// Takes the writer's lock, waiting a short time for a lost session of this process to end.
  ///
  /// - Throws: `StoreError.refused` with `held` if another program holds the lock.
  func lockStore() throws(StoreError) {
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

  /// Refuses to continue if another process held the lock in the meantime: it has begun a newer epoch.
  func refuseNewerEpoch() throws(StoreError) {
    guard let epoch, server.isExclusive, server.node == nil else { return }
    let newest = try ask("SELECT max(epoch) FROM epochs").flatMap { Int64($0) } ?? 0
    guard newest <= epoch else { throw .refused(by: place, .takenOver) }
  }
}
