extension Schema {
  /// What of the inbox was imported and has not its last name yet: the row comes with the import's own transaction, so
  /// that no crash imports a file twice.
  static let inbox = """
    CREATE TABLE inbox_claims (
      claim TEXT PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      at_ms INTEGER NOT NULL, report TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
