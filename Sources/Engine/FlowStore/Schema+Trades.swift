extension Schema {
  /// The trade of each team.
  static let trades = """
    ALTER TABLE teams ADD COLUMN trade TEXT NOT NULL DEFAULT 'pool-service'
      CHECK (trade = 'pool-service' OR trade = 'stable');
    -- The words of the jobs that the team switched off, with blanks between.
    ALTER TABLE teams ADD COLUMN silenced TEXT NOT NULL DEFAULT '';
    """
}
