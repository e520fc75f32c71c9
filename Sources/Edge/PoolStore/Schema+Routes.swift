extension Schema {
  /// The best order of every day, worked out at night, what was applied of it, and measured times.
  static let routes = """
    -- A technician's day: both orders with every stop, pool ids with spaces between. Figures are over the located stops.
    -- input_hash: what the answer depends on; an equal one need not be worked out again. provider: who knew the times.
    CREATE TABLE routes (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      technician_id INTEGER NOT NULL REFERENCES technicians (technician_id) ON DELETE CASCADE,
      service_day INTEGER NOT NULL CHECK (service_day BETWEEN 1 AND 7), input_hash INTEGER NOT NULL,
      objective TEXT NOT NULL, provider TEXT NOT NULL, current_order TEXT NOT NULL, best_order TEXT NOT NULL,
      unresolved TEXT NOT NULL, unpinned TEXT NOT NULL, current_min REAL NOT NULL, best_min REAL NOT NULL,
      current_mi REAL NOT NULL, best_mi REAL NOT NULL, is_proven INTEGER NOT NULL, computed_ms INTEGER NOT NULL,
      PRIMARY KEY (team_id, technician_id, service_day)
    ) STRICT, WITHOUT ROWID;

    -- What a day's order was before it was last changed, and what it was changed to: pool ids, first first.
    CREATE TABLE route_undos (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      technician_id INTEGER NOT NULL REFERENCES technicians (technician_id) ON DELETE CASCADE,
      service_day INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, applied_ms INTEGER NOT NULL,
      PRIMARY KEY (team_id, technician_id, service_day)
    ) STRICT, WITHOUT ROWID;

    -- Measured times of a team: places as latitude,longitude with spaces between, minutes row by row, - where none is known.
    CREATE TABLE route_tables (
      team_id INTEGER PRIMARY KEY REFERENCES teams (team_id) ON DELETE CASCADE, name TEXT NOT NULL, places TEXT NOT NULL,
      minutes TEXT NOT NULL, imported_ms INTEGER NOT NULL
    ) STRICT;
    """
}
