package import FlowModel

/// A node acquired the partition of a node that had died.
package struct Takeover: Hashable, Sendable {
  /// Name of the dead node; nil if unknown.
  package let lost: String?
  /// Time of its last heartbeat.
  package let last: Timestamp
  package let node: String
  package let at: Timestamp

  package init(lost: String?, last: Timestamp, node: String, at: Timestamp) {
    self.lost = lost
    self.last = last
    self.node = node
    self.at = at
  }
}

// Records that nodes share, besides team data.

extension Store {
  package func takeovers(of team: TeamID?, from: Timestamp, to: Timestamp) throws -> [Takeover] {
    // The table exists only after a node has used the database.
    guard try connection.hasNodes else { return [] }
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

  package func pageNames(of team: TeamID?) throws -> [TeamID: [String: String]] {
    guard try connection.hasNodes else { return [:] }
    var names: [TeamID: [String: String]] = [:]
    _ = try connection.rows(
      "SELECT team_id, owner, name FROM \(NodeTables.pages) WHERE team_id <> 0 AND (team_id = ?1 OR ?1 IS NULL)",
      .optional(team?.number)
    ) { row throws(StoreError) in names[TeamID(row.integer(0)), default: [:]][row.text(1)] = row.text(2) }
    return names
  }

  package func putPageNames(_ names: [String: String], of team: TeamID) throws {
    try connection.transaction { try connection.put(pageNames: names, of: team) }
  }

  package func forgetPageNames(of team: TeamID?, owner: String?) throws {
    _ = try connection.transaction {
      try connection.run(
        "DELETE FROM \(NodeTables.pages) WHERE team_id <> 0 AND (team_id = ?1 OR ?1 IS NULL) AND (owner = ?2 OR ?2 IS NULL)",
        .optional(team?.number), .optional(owner))
    }
  }

  package func adoptPageNames(_ names: [TeamID: [String: String]]) throws {
    try connection.transaction {
      let isFirst =
        try connection.run(
          "INSERT INTO \(NodeTables.pages) (team_id, owner, name) VALUES (0, '', '') ON CONFLICT DO NOTHING") > 0
      guard isFirst else { return }
      for (team, own) in names { try connection.put(pageNames: own, of: team) }
    }
  }
}

extension Connection {
  /// True if the tables of the nodes exist.
  fileprivate var hasNodes: Bool {
    get throws(StoreError) {
      guard case .postgresql(let session) = driver else { return false }
      if session.server.node != nil { return true }
      return try session.ask("SELECT to_regclass('\(PostgresSchema.name).\(NodeTables.pages)')") != nil
    }
  }

  /// Replaces a team's page names.
  fileprivate func put(pageNames names: [String: String], of team: TeamID) throws(StoreError) {
    try run("DELETE FROM \(NodeTables.pages) WHERE team_id = ?", .integer(team.number))
    for (owner, name) in names {
      try run(
        "INSERT INTO \(NodeTables.pages) (team_id, owner, name) VALUES (?, ?, ?)", .integer(team.number), .text(owner),
        .text(name))
    }
  }
}
