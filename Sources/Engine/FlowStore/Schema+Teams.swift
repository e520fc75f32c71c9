extension Schema {
  /// Teams, their technicians, failures in their work, and their imported files.
  package static let teams = """
    -- currency null: what language and zone suggest. photo_change: the last replacement of the team's visits and photos.
    CREATE TABLE teams (
      team_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, zone TEXT NOT NULL, language TEXT NOT NULL,
      units TEXT NOT NULL, objective TEXT NOT NULL, plan TEXT NOT NULL CHECK (plan IN ('free', 'trial', 'paid')),
      trial_expires_ms INTEGER, notifications_enabled INTEGER NOT NULL, morning_summary INTEGER NOT NULL,
      low_stock INTEGER NOT NULL, weekly_digest INTEGER NOT NULL, morning_time_s INTEGER NOT NULL,
      clock TEXT NOT NULL CHECK (clock IN ('auto', '12h', '24h')), currency TEXT, created_ms INTEGER NOT NULL,
      photo_change TEXT, CHECK ((plan = 'trial') = (trial_expires_ms IS NOT NULL))
    ) STRICT;

    CREATE TABLE technicians (
      technician_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      name TEXT NOT NULL, name_key TEXT NOT NULL, is_default INTEGER NOT NULL, UNIQUE (team_id, name_key)
    ) STRICT;

    -- What of a team stands in the way of a work, and whether the operator was told.
    CREATE TABLE troubles (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, work TEXT NOT NULL, why TEXT NOT NULL,
      since_ms INTEGER NOT NULL, is_told INTEGER NOT NULL, PRIMARY KEY (team_id, work)
    ) STRICT, WITHOUT ROWID;

    -- What of the inbox was imported and has not its last name yet: the row comes with the import's own transaction, so
    -- that no crash imports a file twice.
    CREATE TABLE inbox_claims (
      claim TEXT PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      at_ms INTEGER NOT NULL, report TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// A setting: the team's texts show figures in both systems of units.
  package static let bothUnits = """
    ALTER TABLE teams ADD COLUMN show_both_units INTEGER NOT NULL DEFAULT 0;
    """
}
