extension Schema {
  /// Visits that can be taken back, and the nightly look at every pool's water.
  static let waterMigration = """
    -- lsi_stale: the readings changed since the refresh last looked. water: what it found then, -1 corrosive, 0 balanced,
    -- 1 scale-forming; null before the first look.
    ALTER TABLE pools ADD COLUMN lsi_stale INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE pools ADD COLUMN water INTEGER CHECK (water BETWEEN -1 AND 1);
    CREATE INDEX pools_lsi_stale ON pools (lsi_stale) WHERE lsi_stale = 1;

    -- The pool as it was before a visit that was logged here; gone with the visit. One a pool: the last one.
    CREATE TABLE visit_undos (
      team_id INTEGER NOT NULL, event_id TEXT NOT NULL, pool_id TEXT NOT NULL, ph REAL NOT NULL,
      water_temp_f REAL NOT NULL, calcium_hardness REAL NOT NULL, total_alkalinity REAL NOT NULL,
      cyanuric_acid REAL NOT NULL, lsi_stale INTEGER NOT NULL, updated_ms INTEGER NOT NULL, UNIQUE (team_id, pool_id),
      PRIMARY KEY (team_id, event_id),
      FOREIGN KEY (team_id, event_id) REFERENCES service_events (team_id, event_id) ON DELETE CASCADE
    ) STRICT;

    -- What the visit took from each item. item_id has no foreign key: a chemical may leave the stock meanwhile.
    CREATE TABLE visit_undo_stock (
      team_id INTEGER NOT NULL, event_id TEXT NOT NULL, item_id TEXT NOT NULL, before_oz REAL NOT NULL,
      after_oz REAL NOT NULL, PRIMARY KEY (team_id, event_id, item_id),
      FOREIGN KEY (team_id, event_id) REFERENCES visit_undos (team_id, event_id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    -- Pools whose water crossed a limit between two looks of the refresh.
    CREATE TABLE water_crossings (
      team_id INTEGER NOT NULL, pool_id TEXT NOT NULL, at_ms INTEGER NOT NULL, before INTEGER NOT NULL,
      after INTEGER NOT NULL, lsi REAL NOT NULL, PRIMARY KEY (team_id, pool_id, at_ms),
      FOREIGN KEY (team_id, pool_id) REFERENCES pools (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX water_crossings_by_time ON water_crossings (team_id, at_ms);
    """
}
