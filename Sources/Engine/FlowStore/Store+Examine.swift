import FlowModel

/// The condition of the store file.
package struct StoreHealth: Hashable, Sendable {
  /// The damage that SQLite finds, one sentence each; empty if the file is intact.
  package let damage: [String]
  /// Size of the file, or of the database on a server.
  package let bytes: Int
  /// Unused bytes within the file, which a vacuum would return.
  package let freeBytes: Int
}

extension StoreReader {
  /// Checks every page and every index, while the store's actor continues to work.
  package func health() throws -> StoreHealth {
    try read { connection in
      // A server checks its own pages.
      if case .postgresql(let session) = connection.driver {
        return StoreHealth(damage: [], bytes: try connection.serverBytes(session), freeBytes: 0)
      }
      var damage = try connection.rows("PRAGMA integrity_check(20)") { row throws(StoreError) in row.text(0) }
      if damage == ["ok"] { damage = [] }
      // Another program may have changed the file since the start.
      if let difference = try StoreSchema.difference(in: connection, from: Schema.currentVersion) {
        damage.append(difference)
      }
      damage += try connection.rows("PRAGMA foreign_key_check") { row throws(StoreError) in
        "a row of \(row.text(0)) refers to one of \(row.text(2)) that does not exist"
      }
      func number(_ pragma: String) throws -> Int {
        try connection.first("PRAGMA \(pragma)") { row throws(StoreError) in row.number(0) } ?? 0
      }
      let page = try number("page_size")
      return StoreHealth(
        damage: damage, bytes: try number("page_count") * page, freeBytes: try number("freelist_count") * page)
    }
  }

  /// `FlowModel.isValidLocation` in SQL; a test compares the two.
  private static let isValidLocation = """
    (pools.latitude BETWEEN \(Limits.latitude.lowerBound) AND \(Limits.latitude.upperBound)
      AND pools.longitude BETWEEN \(Limits.longitude.lowerBound) AND \(Limits.longitude.upperBound)
      AND (pools.latitude <> 0 OR pools.longitude <> 0))
    """

  /// The number of pools of each team, and of those without a location.
  package func places() throws -> [(team: String, pools: Int, unplaced: Int)] {
    try read { connection in
      try connection.rows(
        """
        SELECT teams.name, count(pools.pool_id), coalesce(sum(CASE WHEN \(Self.isValidLocation) THEN 0 ELSE 1 END), 0)
        FROM teams LEFT JOIN pools ON pools.team_id = teams.team_id WHERE teams.trade = 'pool-service'
        GROUP BY teams.team_id ORDER BY teams.name
        """
      ) { row throws(StoreError) in (row.text(0), row.number(1), row.number(2)) }
    }
  }

  /// Names of stables without horses, sorted.
  package func emptyBarns() throws -> [String] {
    try read { connection in
      try connection.rows(
        """
        SELECT name FROM teams WHERE trade = 'stable'
          AND NOT EXISTS (SELECT 1 FROM horses WHERE horses.team_id = teams.team_id) ORDER BY name
        """
      ) { row throws(StoreError) in row.text(0) }
    }
  }
}
