import Glibc
import PoolModel

/// The locks of a session that is one of several, and the table that says whose life works what.
extension PostgresSession {
  func lockAmongMany() throws(StoreError) {
    // Before there is a store of today's shape it is to be made by one alone.
    if !hasStore, try ask("SELECT pg_try_advisory_lock(\(Self.lock))") == "t" {
      isAlone = true
      return
    }
    guard try ask("SELECT pg_try_advisory_lock_shared(\(Self.lock))") == "t" else {
      throw .refused(by: place, .held(by: try holder()?.words ?? "a session that comes and goes"))
    }
    guard hasStore else { return }
    try sayWord()
    try lockAgain()
  }

  /// - Throws: `held` where others are there already.
  func lockAlone() throws(StoreError) {
    guard server.isExclusive, server.node != nil, !isAlone else { return }
    let holder = try holder()?.words ?? "a session that comes and goes"
    throw .refused(by: place, .held(by: holder))
  }

  /// Lets others in.
  func beOneOfMany() throws(StoreError) {
    if isAlone {
      _ = try ask("SELECT pg_advisory_lock_shared(\(Self.lock)); SELECT pg_advisory_unlock(\(Self.lock))")
      isAlone = false
    }
    try sayWord()
  }

  /// A place for the words of this process's transactions.
  private func sayWord() throws(StoreError) {
    guard let node = server.node else { return }
    try execute(
      """
      DELETE FROM \(NodeTables.words) WHERE at < now() - interval '30 days';
      DELETE FROM \(NodeTables.takeovers) WHERE at_ms < extract(epoch FROM now() - interval '400 days') * 1000;
      INSERT INTO \(NodeTables.words) VALUES ('\(node.mark)', '', now()) ON CONFLICT DO NOTHING
      """, operation: "come as one of several nodes")
  }

  /// After a session was lost: its shares, unless somebody has taken any of them meanwhile.
  private func lockAgain() throws(StoreError) {
    guard !shares.isEmpty, let epoch else { return }
    let end = ContinuousClock.now + Self.lockPatience
    var missing = shares
    while true {
      missing = missing - (try lock(missing))
      if missing.isEmpty { break }
      // A session of ours that the server has not given up yet: whatever it was about ends with it.
      let isOurs = try ask(
        "SELECT count(*) FROM pg_locks WHERE \(Self.lockInList) AND pid <> \(backend)"
          + " AND objid::bigint - 1 = ANY (\(Self.array(missing)))")
      guard isOurs == "0", ContinuousClock.now < end else { throw .refused(by: place, .takenOver) }
      _ = try ask("SELECT pg_terminate_backend(\(backend))")
      // The server tells nobody that a session has gone.
      usleep(5_000)
    }
    // It may have been taken and given back.
    let kept = try ask(
      "SELECT count(*) FROM \(NodeTables.shares) WHERE epoch = \(epoch) AND share = ANY (\(Self.array(shares)))")
    guard kept == "\(shares.count)" else { throw .refused(by: place, .takenOver) }
  }

  /// Takes the locks of those that nobody has.
  ///
  /// - Returns: those that are ours now.
  private func lock(_ wanted: ShareSet) throws(StoreError) -> ShareSet {
    guard server.isExclusive, !wanted.isEmpty else { return wanted }
    let found = try ask(
      """
      SELECT string_agg(share::text, ',') FROM unnest(\(Self.array(wanted))) AS wanted (share)
      WHERE pg_try_advisory_lock(\(Schema.applicationID), share + 1)
      """)
    return ShareSet(list: found)
  }

  /// Takes what nobody has of these shares, and writes down that they are this life's.
  ///
  /// - Returns: what it got, and the lives of which they were.
  func take(_ wanted: ShareSet, epoch: Int64) throws(StoreError) -> (taken: ShareSet, lives: Set<Int64>) {
    let taken = try lock(wanted - shares)
    guard !taken.isEmpty else { return (.none, []) }
    do throws(StoreError) {
      let these = "share = ANY (\(Self.array(taken)))"
      let before = try ask("SELECT string_agg(DISTINCT epoch::text, ',') FROM \(NodeTables.shares) WHERE \(these)")
      try execute(
        """
        INSERT INTO \(NodeTables.takeovers) SELECT floor(extract(epoch FROM now()) * 1000)::bigint, share, epoch, \(epoch)
          FROM \(NodeTables.shares) WHERE \(these) AND epoch NOT IN (0, \(epoch)) ON CONFLICT DO NOTHING;
        UPDATE \(NodeTables.shares) SET epoch = \(epoch) WHERE \(these)
        """, operation: "take shares")
      shares = shares + taken
      return (taken, Set((before ?? "").split(separator: ",").compactMap { Int64($0) }.filter { $0 != 0 }))
    } catch {
      try? unlock(taken)
      throw error
    }
  }

  /// Says that this life begins nothing more of these shares; their locks stay until `give`.
  func lay(down given: ShareSet, epoch: Int64) throws(StoreError) {
    try execute(
      "UPDATE \(NodeTables.shares) SET epoch = 0 WHERE epoch = \(epoch) AND share = ANY (\(Self.array(given)))",
      operation: "hand shares over")
  }

  /// What was laid down is this life's again.
  func takeUp(_ kept: ShareSet, epoch: Int64) throws(StoreError) {
    try execute(
      "UPDATE \(NodeTables.shares) SET epoch = \(epoch) WHERE epoch = 0 AND share = ANY (\(Self.array(kept)))",
      operation: "keep shares")
  }

  func give(_ given: ShareSet) throws(StoreError) {
    shares = shares - given
    try unlock(given)
  }

  /// - Parameter shares: whose jobs have other rules.
  func tellOthers(planning shares: ShareSet) throws(StoreError) {
    let list = shares.shares.map(String.init).joined(separator: ",")
    _ = try ask(
      """
      WITH told AS (UPDATE \(NodeTables.news) SET number = number + 1 RETURNING number)
      SELECT pg_notify('\(NodeTables.channel)', 'news ' || number || ' \(list)') FROM told
      """, operation: "tell other nodes")
  }

  /// Within the transaction that changed them, so that who dies after it has told.
  func tellOwners() throws(StoreError) { if !planned.isEmpty { try tellOthers(planning: planned) } }

  private func unlock(_ given: ShareSet) throws(StoreError) {
    _ = try ask(
      """
      SELECT count(pg_advisory_unlock(\(Schema.applicationID), share + 1)) FROM unnest(\(Self.array(given))) AS given (share);
      NOTIFY \(NodeTables.channel)
      """)
  }

  private static func array(_ shares: ShareSet) -> String {
    "ARRAY[\(shares.shares.map(String.init).joined(separator: ","))]::int[]"
  }
}
