import FlowStore

/// The parts of the schema after the first, in the order of their versions; `PoolTables.schemaParts` names the versions.
extension Schema {
  /// A mark for visits logged with `pfctl`.
  static let loggedVisits = """
    -- Of visits that were logged with pfctl: no archive of the app has them unless it came from here.
    ALTER TABLE service_events ADD COLUMN logged_here INTEGER NOT NULL DEFAULT 0;
    """

  /// Lateness of a day's routes against customers' arrival windows.
  static let lateness = """
    ALTER TABLE routes ADD COLUMN current_late_min REAL NOT NULL DEFAULT 0;
    ALTER TABLE routes ADD COLUMN best_late_min REAL NOT NULL DEFAULT 0;
    """

  /// A column of its own marks whether a visit can be undone.
  ///
  /// Until schema 8, `pool_id` held either a pool or, for a visit that cannot be undone, the text `older` and the visit's id.
  /// Both tables are created under other names and then renamed, because a server does not drop a table that another one
  /// refers to.
  static let visitUndos = """
    -- The pool as it was before a visit that was logged or edited here; gone with the visit.
    -- pool_id: the pool that the visit was paid to. is_last: the visit is the last one logged there, and can be undone.
    CREATE TABLE visit_undos_2 (
      team_id INTEGER NOT NULL, event_id TEXT NOT NULL, pool_id TEXT NOT NULL, is_last INTEGER NOT NULL,
      ph REAL NOT NULL, water_temp_f REAL NOT NULL, calcium_hardness REAL NOT NULL, total_alkalinity REAL NOT NULL,
      cyanuric_acid REAL NOT NULL, lsi_stale INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
      PRIMARY KEY (team_id, event_id), CHECK (is_last = 0 OR is_last = 1),
      FOREIGN KEY (team_id, event_id) REFERENCES service_events (team_id, event_id) ON DELETE CASCADE
    ) STRICT;
    INSERT INTO visit_undos_2 (team_id, event_id, pool_id, is_last, ph, water_temp_f, calcium_hardness,
      total_alkalinity, cyanuric_acid, lsi_stale, updated_ms)
    SELECT undo.team_id, undo.event_id, visit.pool_id, CASE WHEN undo.pool_id = visit.pool_id THEN 1 ELSE 0 END, undo.ph,
      undo.water_temp_f, undo.calcium_hardness, undo.total_alkalinity, undo.cyanuric_acid, undo.lsi_stale,
      undo.updated_ms
    FROM visit_undos AS undo
    JOIN service_events AS visit ON visit.team_id = undo.team_id AND visit.event_id = undo.event_id;

    -- What the visit took from each item. item_id has no foreign key: a chemical may leave the stock meanwhile.
    CREATE TABLE visit_undo_stock_2 (
      team_id INTEGER NOT NULL, event_id TEXT NOT NULL, item_id TEXT NOT NULL, before_oz REAL NOT NULL,
      after_oz REAL NOT NULL, PRIMARY KEY (team_id, event_id, item_id),
      FOREIGN KEY (team_id, event_id) REFERENCES visit_undos_2 (team_id, event_id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    INSERT INTO visit_undo_stock_2 (team_id, event_id, item_id, before_oz, after_oz)
    SELECT team_id, event_id, item_id, before_oz, after_oz FROM visit_undo_stock;

    DROP TABLE visit_undo_stock;
    DROP TABLE visit_undos;
    ALTER TABLE visit_undos_2 RENAME TO visit_undos;
    ALTER TABLE visit_undo_stock_2 RENAME TO visit_undo_stock;
    CREATE UNIQUE INDEX visit_undos_by_pool ON visit_undos (team_id, pool_id) WHERE is_last = 1;
    """

  /// Marks the readings that were measured during a visit.
  static let measuredReadings = """
    -- Bits of `ReadingSet`. measured: taken at this visit; every reading of a visit that came from the app. assumed: taken at
    -- no visit so far, only the values that a new pool begins with.
    ALTER TABLE service_events ADD COLUMN measured INTEGER NOT NULL DEFAULT 31;
    ALTER TABLE service_events ADD COLUMN assumed INTEGER NOT NULL DEFAULT 0;
    """

  /// Free chlorine and salt as readings of a visit, and as the newest readings of its pool.
  static let sanitiserReadings = """
    -- Parts per million; null where unknown. free_chlorine of a visit: measured at that visit; its bit in measured is 32, that of
    -- salt 64.
    ALTER TABLE service_events ADD COLUMN free_chlorine REAL;
    ALTER TABLE service_events ADD COLUMN salt REAL;
    ALTER TABLE pools ADD COLUMN free_chlorine REAL;
    ALTER TABLE pools ADD COLUMN salt REAL;
    ALTER TABLE visit_undos ADD COLUMN free_chlorine REAL;
    ALTER TABLE visit_undos ADD COLUMN salt REAL;
    CREATE INDEX service_events_with_sanitiser ON service_events (team_id) WHERE measured > 31;
    """
}
