extension Schema {
  /// Rules that people choose. `options` has the other choices, such as `catch-up=none; jitter=10min`.
  package static let timings = """
    ALTER TABLE jobs ADD COLUMN options TEXT NOT NULL DEFAULT '';
    ALTER TABLE past_rules ADD COLUMN options TEXT NOT NULL DEFAULT '';

    -- What a team chose for a job of its own; rule is empty where it chose none.
    CREATE TABLE job_timings (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, kind TEXT NOT NULL, rule TEXT NOT NULL,
      options TEXT NOT NULL, PRIMARY KEY (team_id, kind)
    ) STRICT, WITHOUT ROWID;

    -- What the settings said of a kind for all teams when its jobs were planned last.
    CREATE TABLE default_timings (
      kind TEXT PRIMARY KEY, rule TEXT NOT NULL, options TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
