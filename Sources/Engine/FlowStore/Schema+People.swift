extension Schema {
  /// Contact data of technicians and offices, and the person that a notice is for.
  package static let people = """
    -- technician_id null: the team's office. language null: the team's. quiet: `22:00-06:00`, or empty. wants: words with
    -- spaces between. addresses: `mail maria@example.com`, a line each.
    CREATE TABLE people (
      person_id INTEGER PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      technician_id INTEGER UNIQUE REFERENCES technicians (technician_id) ON DELETE CASCADE, language TEXT,
      quiet TEXT NOT NULL, wants TEXT NOT NULL, addresses TEXT NOT NULL
    ) STRICT;
    CREATE INDEX people_by_team ON people (team_id);
    CREATE UNIQUE INDEX people_office ON people (team_id) WHERE technician_id IS NULL;

    -- person null: for the whole team, or of the server. Else `t12` for a technician, `o3` for an office.
    ALTER TABLE notices ADD COLUMN person TEXT;
    """
}
