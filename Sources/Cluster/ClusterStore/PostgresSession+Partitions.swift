import FlowModel
import FlowStore
import Glibc

/// Partition locks of a node's session, and the table that has the owning epoch of each partition.
extension PostgresSession {
  /// Takes the writer's lock for a node: exclusively while the store still has to be created or migrated, shared otherwise.
  ///
  /// - Throws: `StoreError.refused` with `held` if another program holds the lock exclusively.
  func lockAsNode() throws(StoreError) {
    // A store without the current schema must be prepared by one node alone.
    if !hasStore, try ask("SELECT pg_try_advisory_lock(\(Self.lock))") == "t" {
      holdsLockExclusively = true
      return
    }
    guard try ask("SELECT pg_try_advisory_lock_shared(\(Self.lock))") == "t" else {
      throw .refused(by: place, .held(by: try holder()?.words ?? "a session that comes and goes"))
    }
    guard hasStore else { return }
    try registerProcess()
    try relockPartitions()
  }

  /// Checks that this node holds the writer's lock exclusively, before a migration.
  ///
  /// - Throws: `StoreError.refused` with `held` if other nodes are connected.
  func requireExclusiveLock() throws(StoreError) {
    guard server.isExclusive, server.node != nil, !holdsLockExclusively else { return }
    let holder = try holder()?.words ?? "a session that comes and goes"
    throw .refused(by: place, .held(by: holder))
  }

  /// Changes the exclusive lock into a shared one, so that other nodes can join.
  func joinCluster() throws(StoreError) {
    if holdsLockExclusively {
      _ = try ask("SELECT pg_advisory_lock_shared(\(Self.lock)); SELECT pg_advisory_unlock(\(Self.lock))")
      holdsLockExclusively = false
    }
    try registerProcess()
  }

  /// Adds the row for this process's transaction tokens, and deletes old rows.
  private func registerProcess() throws(StoreError) {
    guard let node = server.node else { return }
    try execute(
      """
      DELETE FROM \(NodeTables.words) WHERE at < now() - interval '30 days';
      DELETE FROM \(NodeTables.takeovers) WHERE at_ms < extract(epoch FROM now() - interval '400 days') * 1000;
      INSERT INTO \(NodeTables.words) VALUES ('\(node.mark)', '', now()) ON CONFLICT DO NOTHING
      """, operation: "come as one of several nodes")
  }

  /// Takes the partition locks again after a lost session.
  ///
  /// - Throws: `StoreError.refused` with `takenOver` if another node has acquired one of them in the meantime.
  private func relockPartitions() throws(StoreError) {
    guard !partitions.isEmpty, let epoch else { return }
    let end = ContinuousClock.now + Self.lockPatience
    var missing = partitions
    while true {
      missing = missing - (try lock(missing))
      if missing.isEmpty { break }
      // A lost session of this process still holds the locks; its transaction ends with it.
      let isOurs = try ask(
        "SELECT count(*) FROM pg_locks WHERE \(Self.lockInList) AND pid <> \(backend)"
          + " AND objid::bigint - 1 = ANY (\(Self.array(missing)))")
      guard isOurs == "0", ContinuousClock.now < end else { throw .refused(by: place, .takenOver) }
      _ = try ask("SELECT pg_terminate_backend(\(backend))")
      // The server does not notify when a session ends, so poll.
      usleep(5_000)
    }
    // Another node may have acquired and released a partition in the meantime.
    let kept = try ask(
      "SELECT count(*) FROM \(NodeTables.partitions) WHERE epoch = \(epoch) AND share = ANY (\(Self.array(partitions)))"
    )
    guard kept == "\(partitions.count)" else { throw .refused(by: place, .takenOver) }
  }

  /// Takes the locks of the free partitions among `wanted`.
  ///
  /// - Returns: the partitions locked.
  private func lock(_ wanted: PartitionSet) throws(StoreError) -> PartitionSet {
    guard server.isExclusive, !wanted.isEmpty else { return wanted }
    let found = try ask(
      """
      SELECT string_agg(share::text, ',') FROM unnest(\(Self.array(wanted))) AS wanted (share)
      WHERE pg_try_advisory_lock(\(Schema.applicationID), share + 1)
      """)
    return PartitionSet(list: found)
  }

  func take(_ wanted: PartitionSet, epoch: Int64) throws(StoreError) -> (taken: PartitionSet, epochs: Set<Int64>) {
    let taken = try lock(wanted - partitions)
    guard !taken.isEmpty else { return (.none, []) }
    do throws(StoreError) {
      let these = "share = ANY (\(Self.array(taken)))"
      let before = try ask("SELECT string_agg(DISTINCT epoch::text, ',') FROM \(NodeTables.partitions) WHERE \(these)")
      try execute(
        """
        INSERT INTO \(NodeTables.takeovers) SELECT floor(extract(epoch FROM now()) * 1000)::bigint, share, epoch, \(epoch)
          FROM \(NodeTables.partitions) WHERE \(these) AND epoch NOT IN (0, \(epoch)) ON CONFLICT DO NOTHING;
        UPDATE \(NodeTables.partitions) SET epoch = \(epoch) WHERE \(these)
        """, operation: "acquire partitions")
      partitions = partitions + taken
      return (taken, Set((before ?? "").split(separator: ",").compactMap { Int64($0) }.filter { $0 != 0 }))
    } catch {
      try? unlock(taken)
      throw error
    }
  }

  func release(partitions given: PartitionSet, epoch: Int64) throws(StoreError) {
    try execute(
      "UPDATE \(NodeTables.partitions) SET epoch = 0 WHERE epoch = \(epoch) AND share = ANY (\(Self.array(given)))",
      operation: "hand off partitions")
  }

  func acquire(_ kept: PartitionSet, epoch: Int64) throws(StoreError) {
    try execute(
      "UPDATE \(NodeTables.partitions) SET epoch = \(epoch) WHERE epoch = 0 AND share = ANY (\(Self.array(kept)))",
      operation: "keep partitions")
  }

  func handOff(_ given: PartitionSet) throws(StoreError) {
    partitions = partitions - given
    try unlock(given)
  }

  func notifyOtherNodes(planning partitions: PartitionSet) throws(StoreError) {
    let list = partitions.partitions.map(String.init).joined(separator: ",")
    _ = try ask(
      """
      WITH told AS (UPDATE \(NodeTables.news) SET number = number + 1 RETURNING number)
      SELECT pg_notify('\(NodeTables.channel)', 'news ' || number || ' \(list)') FROM told
      """, operation: "tell other nodes")
  }

  /// Sends the notification inside the transaction, so that a crash after the commit cannot lose it.
  func notifyOwners() throws(StoreError) {
    if !replannedPartitions.isEmpty { try notifyOtherNodes(planning: replannedPartitions) }
  }

  /// Unlocks the partitions and wakes up other nodes.
  private func unlock(_ given: PartitionSet) throws(StoreError) {
    _ = try ask(
      """
      SELECT count(pg_advisory_unlock(\(Schema.applicationID), share + 1)) FROM unnest(\(Self.array(given))) AS given (share);
      NOTIFY \(NodeTables.channel)
      """)
  }

  private static func array(_ partitions: PartitionSet) -> String {
    "ARRAY[\(partitions.partitions.map(String.init).joined(separator: ","))]::int[]"
  }
}
