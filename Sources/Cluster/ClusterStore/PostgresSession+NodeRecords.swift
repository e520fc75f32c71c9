import FlowModel
import FlowStore

extension PostgresSession: NodeRecords {
  /// True if the tables of the nodes exist: a node makes them.
  private var hasNodes: Bool {
    get throws(StoreError) {
      if server.node != nil { return true }
      return try ask("SELECT to_regclass('\(PostgresSchema.name).\(NodeTables.pages)')") != nil
    }
  }

  func takeovers(
    of team: TeamID?, from: Timestamp, to: Timestamp, on connection: Connection
  ) throws(StoreError) -> [Takeover] {
    guard try hasNodes else { return [] }
    return try connection.rows(
      """
      SELECT lost.name AS lost_name, coalesce(epochs.ended_ms, epochs.seen_ms, taken.at_ms) AS last_ms, lives.name AS name, taken.at_ms AS at_ms
      FROM \(NodeTables.takeovers) AS taken JOIN \(NodeTables.epochs) AS lives ON lives.epoch = taken.by_epoch
        LEFT JOIN \(NodeTables.epochs) AS lost ON lost.epoch = taken.epoch LEFT JOIN epochs ON epochs.epoch = taken.epoch
      WHERE taken.share = ? AND taken.at_ms >= ? AND coalesce(epochs.ended_ms, epochs.seen_ms, taken.at_ms) <= ?
      ORDER BY taken.at_ms
      """, .integer(Int64(PartitionSet.partition(of: team))), .at(from), .at(to)
    ) { row throws(StoreError) in
      Takeover(
        lost: row.optionalText("lost_name"), last: row.instant("last_ms"), node: row.text("name"),
        at: row.instant("at_ms"))
    }
  }

  func pageNames(of team: TeamID?, on connection: Connection) throws(StoreError) -> [TeamID: [String: String]] {
    guard try hasNodes else { return [:] }
    var names: [TeamID: [String: String]] = [:]
    _ = try connection.rows(
      "SELECT team_id, owner, name FROM \(NodeTables.pages) WHERE team_id <> 0 AND (team_id = ?1 OR ?1 IS NULL)",
      .optional(team?.number)
    ) { row throws(StoreError) in names[TeamID(row.integer(0)), default: [:]][row.text(1)] = row.text(2) }
    return names
  }

  func putPageNames(_ names: [String: String], of team: TeamID, on connection: Connection) throws(StoreError) {
    try connection.run("DELETE FROM \(NodeTables.pages) WHERE team_id = ?", .integer(team.number))
    for (owner, name) in names {
      try connection.run(
        "INSERT INTO \(NodeTables.pages) (team_id, owner, name) VALUES (?, ?, ?)", .integer(team.number), .text(owner),
        .text(name))
    }
  }

  func forgetPageNames(of team: TeamID?, owner: String?, on connection: Connection) throws(StoreError) {
    try connection.run(
      "DELETE FROM \(NodeTables.pages) WHERE team_id <> 0 AND (team_id = ?1 OR ?1 IS NULL) AND (owner = ?2 OR ?2 IS NULL)",
      .optional(team?.number), .optional(owner))
  }

  func adoptPageNames(_ names: [TeamID: [String: String]], on connection: Connection) throws(StoreError) {
    let isFirst =
      try connection.run(
        "INSERT INTO \(NodeTables.pages) (team_id, owner, name) VALUES (0, '', '') ON CONFLICT DO NOTHING") > 0
    guard isFirst else { return }
    for (team, own) in names { try putPageNames(own, of: team, on: connection) }
  }
}
