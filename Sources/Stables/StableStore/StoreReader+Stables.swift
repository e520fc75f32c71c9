package import FlowStore

extension StoreReader {
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
