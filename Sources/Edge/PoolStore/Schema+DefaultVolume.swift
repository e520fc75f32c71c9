extension Schema {
  /// How much water a team's new pools have.
  static let defaultVolume = """
    -- NULL: what is usual in the team's region.
    ALTER TABLE teams ADD COLUMN default_volume_gal REAL;
    """
}
