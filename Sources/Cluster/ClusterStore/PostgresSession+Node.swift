import FlowModel
import FlowStore
import FlowWork

// A session as one of several nodes.
extension PostgresSession: NodeSession {
  var node: (any NodeSession)? { server.node == nil ? nil : self }

  func beginEpoch(now: Timestamp, version: String, on connection: Connection) throws(StoreError) -> Int64 {
    while true {
      let epoch = try connection.rows(
        """
        INSERT INTO epochs (epoch, started_ms, seen_ms, version) SELECT coalesce(max(epoch), 0) + 1, ?1, ?1, ?2 FROM epochs
        ON CONFLICT (epoch) DO NOTHING RETURNING epoch
        """, .at(now), .text(version)
      ) { row throws(StoreError) in row.integer(0) }
      guard let epoch = epoch.first else { continue }
      if let node = server.node {
        try connection.run(
          "INSERT INTO \(NodeTables.epochs) (epoch, name) VALUES (?, ?)", .integer(epoch), .text(node.name))
      }
      return epoch
    }
  }

  func downtimes(since: Timestamp, limit: Int, on connection: Connection) throws(StoreError) -> [Downtime] {
    // A running node updates its epoch once a minute.
    let found = try connection.rows(
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

  func requestHandoff(for wanted: PartitionSet, epoch: Int64) throws(StoreError) {
    let values = wanted.partitions.map { "(\($0), \(epoch), now())" }.joined(separator: ", ")
    try execute(
      "DELETE FROM \(NodeTables.handoffRequests) WHERE epoch = \(epoch)"
        + (values.isEmpty
          ? ""
          : "; INSERT INTO \(NodeTables.handoffRequests) (share, epoch, at) VALUES \(values); NOTIFY \(NodeTables.channel)"),
      operation: "request a hand-off")
  }

  func drain(_ node: String, _ isDrained: Bool) throws(StoreError) {
    // A valid name contains no character that must be quoted.
    guard NodeIdentity.isName(node) else { return }
    let change =
      isDrained
      ? "INSERT INTO \(NodeTables.drained) VALUES ('\(node)') ON CONFLICT DO NOTHING"
      : "DELETE FROM \(NodeTables.drained) WHERE name = '\(node)'"
    try execute("\(change); NOTIFY \(NodeTables.channel)", operation: "drain a node")
  }

  func noteRuleChange(in partition: Int) {
    replannedPartitions = replannedPartitions + (PartitionSet(partition: partition) - partitions)
  }

  // The condition reads the partition table, so a released partition is excluded at once. The array is computed once; with a
  // join the server would read all teams' rows for each partition.
  func ours(_ team: String, of partitions: PartitionSet) -> String {
    guard let epoch else { return "" }
    let these =
      partitions == .all
      ? "" : " AND share IN (\((partitions.partitions.map(String.init) + ["-1"]).joined(separator: ", ")))"
    return
      " AND coalesce(\(team), 0) % \(PartitionSet.count) = ANY (ARRAY("
      + "SELECT share FROM \(NodeTables.partitions) WHERE epoch = \(epoch)\(these)))"
  }

  func lockOperatorNotices() throws(StoreError) {
    try execute(
      "SELECT pg_advisory_xact_lock(\(Schema.applicationID), \(NodeTables.telling))", operation: "wait for other nodes")
  }
}
