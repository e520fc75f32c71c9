package import FlowModel
import FlowNotices
import FlowWork
import Synchronization

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

  private var session: (any NodeSession)? { connection.node }

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
    try session?.requestHandoff(for: wanted, epoch: epoch)
  }

  package func notifyOtherNodes() throws { try session?.notifyOtherNodes(planning: .none) }

  package func dropCachedFacts() { connection.changes.note(nil) }

  package func drain(_ node: String, _ isDrained: Bool) throws {
    guard NodeIdentity.isName(node) else { return }
    try session?.drain(node, isDrained)
  }

  package func verifyLocks() throws { try connection.server?.verify() }
}

extension Connection {
  /// Notes that a team's job (nil: the server's) has a new rule; its node is notified when this transaction commits.
  func noteRuleChange(_ team: TeamID?) { node?.noteRuleChange(in: PartitionSet.partition(of: team)) }

  /// A SQL condition that restricts rows to this node's partitions: begins with AND; empty for a single daemon.
  ///
  /// - Parameters:
  ///   - team: the column with the team's number.
  ///   - partitions: restricts the condition to these partitions.
  package func ours(_ team: String, of partitions: PartitionSet = .all) -> String {
    node?.ours(team, of: partitions) ?? ""
  }

  /// True if this daemon is a node of a cluster.
  var isClusterNode: Bool { node != nil }

  /// True on a single daemon and on the node that owns partition 0, which does server-wide work.
  var servesServer: Bool { node?.partitions.contains(0) ?? true }
}
