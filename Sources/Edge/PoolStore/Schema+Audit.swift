extension Schema {
  /// Who changed what. The server's own book, so it has no team: a command may concern one, several or none.
  static let audit = """
    -- result is null while the change is under way; one that a crash cut off stays so.
    CREATE TABLE audit (
      entry INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, uid INTEGER NOT NULL, user_name TEXT,
      command TEXT NOT NULL, result TEXT, finished_ms INTEGER
    ) STRICT;
    """
}
