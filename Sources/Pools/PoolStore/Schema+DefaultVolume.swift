import FlowStore

extension Schema {
  /// Default water volume of a team's new pools.
  static let defaultVolume = """
    -- NULL: what is usual in the team's region.
    ALTER TABLE teams ADD COLUMN default_volume_gal REAL;
    """
}
