package import FlowModel
package import FlowStore
import PoolModel

extension StoreReader {
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
}

extension StoreSnapshot {
  package func archiveParts(of team: TeamID) throws(StoreError) -> [ArchivePart] {
    try connection.archiveParts(of: team)
  }

  package func records(of part: ArchivePart, team: TeamID) throws(StoreError) -> ArchivePartRecords {
    try connection.records(of: part, team: team)
  }
}
