package import PoolModel
import PoolWork
import Synchronization

/// The partitions of a daemon that is a node of a cluster.
package protocol ClusterPartitions: Sendable {
  /// The partitions that this daemon owns; all for a single daemon.
  var partitions: PartitionSet { get }

  /// Acquires the free partitions among `wanted`. From then on this daemon works for their teams, and for the server if
  /// partition 0 is among them.
  ///
  /// - Returns: the acquired partitions, and the dead epochs that owned any of them, with the time of their last heartbeat.
  func take(_ wanted: PartitionSet) async throws -> (taken: PartitionSet, lost: [(epoch: Int64, last: Timestamp)])

  /// A prefix of `wanted` with about `teams` teams; at least one partition if any is wanted.
  func first(of wanted: PartitionSet, teams: Int) async throws -> PartitionSet

  /// Releases partitions: starts no more runs in them. After the claimed runs are settled, the caller calls `handOff`.
  func releasePartitions(_ given: PartitionSet) async throws

  /// The number of runs in these partitions that this epoch has claimed and not settled.
  func claimed(of partitions: PartitionSet) async throws -> Int

  /// Partitions that were released but not handed off; no other node can acquire them.
  func releasedHere() async throws -> PartitionSet

  /// Takes back released partitions.
  func acquire(_ kept: PartitionSet) async throws

  /// Lets other nodes acquire released partitions.
  func handOff(_ given: PartitionSet) async throws

  /// Replaces this node's hand-off requests; an empty set withdraws them.
  func requestHandoff(for wanted: PartitionSet) async throws

  /// Makes other nodes drop cached facts of their teams, because something about them changed here. Changed job rules are
  /// broadcast by the transaction that changes them.
  func notifyOtherNodes() async throws

  /// Drops cached facts after another node has changed data.
  func dropCachedFacts() async throws

  /// Drains a node, so that it acquires no partitions, or ends the draining.
  func drain(_ node: String, _ isDrained: Bool) async throws

  /// Takeovers of the partition of a team (nil: the server) in a time range, each after its owner had died.
  func takeovers(of team: TeamID?, from: Timestamp, to: Timestamp) async throws -> [Takeover]

  /// Secret names of published pages, by team and owner.
  ///
  /// - Parameter team: nil for all teams.
  func pageNames(of team: TeamID?) async throws -> [TeamID: [String: String]]

  /// Replaces a team's page names.
  func putPageNames(_ names: [String: String], of team: TeamID) async throws

  /// Deletes page names.
  ///
  /// - Parameters:
  ///   - team: nil for all teams.
  ///   - owner: nil for all owners of the team.
  func forgetPageNames(of team: TeamID?, owner: String?) async throws

  /// Stores the names if no page names have been stored for nodes yet.
  func adoptPageNames(_ names: [TeamID: [String: String]]) async throws

  /// Queries the server once, so that a lost session is reopened with its locks.
  ///
  /// - Throws: `takenOver` if another node now owns one of its partitions.
  func verifyLocks() async throws
}

extension ClusterPartitions {
  /// True for a single daemon and for the node that owns partition 0, which does server-wide work.
  package var servesServer: Bool { partitions.isSuperset(of: .ofServer) }
}

extension Store {
  package func pendingNoticeIDs(sink: String) throws -> Set<String> {
    guard connection.isClusterNode else { return [] }
    return Set(
      try connection.rows(
        "SELECT notice_id FROM outbox WHERE sink = ? AND state IN ('pending', 'staged')", .text(sink)
      ) { row throws(StoreError) in row.text(0) })
  }
}

extension Store: ClusterPartitions {
  package nonisolated var partitions: PartitionSet { ownedPartitions.withLock { $0 } }

  private var session: PostgresSession? {
    guard case .postgresql(let session) = connection.driver, session.server.node != nil else { return nil }
    return session
  }

  package func take(_ wanted: PartitionSet) throws -> (taken: PartitionSet, lost: [(epoch: Int64, last: Timestamp)]) {
    guard let session else { return (.none, []) }
    let (taken, epochs) = try session.take(wanted, epoch: epoch)
    // Partitions that are released but not handed off stay released.
    ownedPartitions.withLock { $0 = $0 + taken }
    // Facts cached for these teams lack other nodes' changes.
    if !taken.isEmpty { connection.changes.note(taken) }
    var lost: [(epoch: Int64, last: Timestamp)] = []
    // If this query fails, the loss is not reported; the partitions are acquired all the same.
    for deadEpoch in epochs.sorted() where deadEpoch != epoch {
      // Ended on first read, so that only one node reports the loss.
      let last = try? connection.rows(
        "UPDATE epochs SET ended_ms = seen_ms WHERE epoch = ? AND ended_ms IS NULL RETURNING seen_ms",
        .integer(deadEpoch)
      ) { row throws(StoreError) in row.instant(0) }
      if let last = last?.first { lost.append((deadEpoch, last)) }
    }
    return (taken, lost)
  }

  package func first(of wanted: PartitionSet, teams: Int) throws -> PartitionSet {
    let all = try connection.first("SELECT count(*) FROM teams") { row throws(StoreError) in row.number(0) } ?? 0
    return wanted.first(max(1, teams * PartitionSet.count / max(1, all)))
  }

  package func releasePartitions(_ given: PartitionSet) throws {
    guard let session else { return }
    try session.release(partitions: given, epoch: epoch)
    ownedPartitions.withLock { $0 = $0 - given }
  }

  package func claimed(of partitions: PartitionSet) throws -> Int {
    let teams = try connection.rows(
      "SELECT team_id FROM runs WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch = ?",
      .integer(epoch)
    ) { row throws(StoreError) in row.optionalInteger(0).map { TeamID($0) } }
    return teams.count { partitions.contains(team: $0) }
  }

  package func releasedHere() -> PartitionSet { session.map { $0.partitions - partitions } ?? .none }

  package func acquire(_ kept: PartitionSet) throws {
    guard let session else { return }
    try session.acquire(kept, epoch: epoch)
    ownedPartitions.withLock { $0 = $0 + kept }
  }

  package func handOff(_ given: PartitionSet) throws { try session?.handOff(given) }

  package func requestHandoff(for wanted: PartitionSet) throws {
    guard let session else { return }
    let values = wanted.partitions.map { "(\($0), \(epoch), now())" }.joined(separator: ", ")
    try session.execute(
      "DELETE FROM \(NodeTables.handoffRequests) WHERE epoch = \(epoch)"
        + (values.isEmpty
          ? ""
          : "; INSERT INTO \(NodeTables.handoffRequests) (share, epoch, at) VALUES \(values); NOTIFY \(NodeTables.channel)"),
      operation: "request a hand-off")
  }

  package func notifyOtherNodes() throws { try session?.notifyOtherNodes(planning: .none) }

  package func dropCachedFacts() { connection.changes.note(nil) }

  package func drain(_ node: String, _ isDrained: Bool) throws {
    // A valid name contains no character that must be quoted.
    guard let session, NodeIdentity.isName(node) else { return }
    let change =
      isDrained
      ? "INSERT INTO \(NodeTables.drained) VALUES ('\(node)') ON CONFLICT DO NOTHING"
      : "DELETE FROM \(NodeTables.drained) WHERE name = '\(node)'"
    try session.execute("\(change); NOTIFY \(NodeTables.channel)", operation: "drain a node")
  }

  package func verifyLocks() throws {
    if case .postgresql(let session) = connection.driver { _ = try session.ask("SELECT 1") }
  }
}

extension Connection {
  /// Notes that a team's job (nil: the server's) has a new rule; its node is notified when this transaction commits.
  func noteRuleChange(_ team: TeamID?) {
    guard case .postgresql(let session) = driver, session.server.node != nil else { return }
    session.replannedPartitions =
      session.replannedPartitions + (PartitionSet(partition: PartitionSet.partition(of: team)) - session.partitions)
  }

  /// A SQL condition that restricts rows to this node's partitions: begins with AND; empty for a single daemon.
  ///
  /// The condition reads the partition table, so a released partition is excluded at once. The array is computed once; with a
  /// join the server would read all teams' rows for each partition.
  ///
  /// - Parameters:
  ///   - team: the column with the team's number.
  ///   - partitions: restricts the condition to these partitions.
  func ours(_ team: String, of partitions: PartitionSet = .all) -> String {
    guard case .postgresql(let session) = driver, session.server.node != nil, let epoch = session.epoch else {
      return ""
    }
    let these =
      partitions == .all
      ? "" : " AND share IN (\((partitions.partitions.map(String.init) + ["-1"]).joined(separator: ", ")))"
    return
      " AND coalesce(\(team), 0) % \(PartitionSet.count) = ANY (ARRAY("
      + "SELECT share FROM \(NodeTables.partitions) WHERE epoch = \(epoch)\(these)))"
  }

  /// Begins the next epoch of a node; repeats if another node took the number at the same moment.
  func beginNodeEpoch(now: Timestamp, version: String) throws(StoreError) -> Int64 {
    while true {
      let epoch = try rows(
        """
        INSERT INTO epochs (epoch, started_ms, seen_ms, version) SELECT coalesce(max(epoch), 0) + 1, ?1, ?1, ?2 FROM epochs
        ON CONFLICT (epoch) DO NOTHING RETURNING epoch
        """, .at(now), .text(version)
      ) { row throws(StoreError) in row.integer(0) }
      guard let epoch = epoch.first else { continue }
      if case .postgresql(let session) = driver, let node = session.server.node {
        try run("INSERT INTO \(NodeTables.epochs) (epoch, name) VALUES (?, ?)", .integer(epoch), .text(node.name))
      }
      return epoch
    }
  }

  /// Downtimes of a cluster: times in which no node's epoch was running. A running node updates its epoch once a minute.
  func clusterDowntimes(since: Timestamp, limit: Int) throws(StoreError) -> [Downtime] {
    let found = try rows(
      """
      SELECT kind, from_ms, to_ms FROM (
        SELECT kind, from_ms, to_ms FROM absences
        UNION ALL
        SELECT 'stopped', gaps.last_ms, gaps.started_ms FROM (
          SELECT epochs.started_ms, (SELECT max(coalesce(earlier.ended_ms, earlier.seen_ms + 90000)) FROM epochs AS earlier
            WHERE earlier.started_ms < epochs.started_ms) AS last_ms FROM epochs) AS gaps
        WHERE gaps.started_ms > gaps.last_ms
      ) AS away WHERE to_ms >= ?1 ORDER BY to_ms DESC, from_ms DESC LIMIT ?2
      """, .at(since), .integer(limit)
    ) { row throws(StoreError) in
      Downtime(kind: try row.word(0, table: "absences", name: "kind"), from: row.instant(1), to: row.instant(2))
    }
    return found.reversed()
  }

  /// Waits for and takes a lock that lasts as long as the current transaction, so that only one node runs it. Does nothing for
  /// a single daemon.
  func lockAsNode(_ place: Int32) throws(StoreError) {
    guard case .postgresql(let session) = driver, session.server.node != nil else { return }
    try session.execute(
      "SELECT pg_advisory_xact_lock(\(Schema.applicationID), \(place))", operation: "wait for other nodes")
  }

  /// True if this daemon is a node of a cluster.
  var isClusterNode: Bool {
    guard case .postgresql(let session) = driver else { return false }
    return session.server.node != nil
  }

  /// True on a single daemon and on the node that owns partition 0, which does server-wide work.
  var servesServer: Bool {
    guard case .postgresql(let session) = driver, session.server.node != nil else { return true }
    return session.partitions.contains(0)
  }
}
