import FlowStore

extension Schema {
  /// The best order of each day, computed at night; the orders that were applied; measured travel times; the routes sent to
  /// teams.
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
    CREATE TABLE travel_tables (
      team_id INTEGER PRIMARY KEY REFERENCES teams (team_id) ON DELETE CASCADE, name TEXT NOT NULL, places TEXT NOT NULL,
      minutes TEXT NOT NULL, imported_ms INTEGER NOT NULL
    ) STRICT;

    -- Routes as morning notices told them. local_date: the day it was about, such as 2026-03-02. slot_ms: of the run that
    -- told it.
    CREATE TABLE told_routes (
      route_id INTEGER PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      service_day INTEGER NOT NULL CHECK (service_day BETWEEN 1 AND 7), local_date TEXT NOT NULL,
      slot_ms INTEGER NOT NULL, UNIQUE (team_id, service_day, local_date)
    ) STRICT;

    -- Their stops in the order of telling. pool_id has no foreign key: that a pool is gone is what the next notice tells.
    CREATE TABLE told_stops (
      route_id INTEGER NOT NULL REFERENCES told_routes (route_id) ON DELETE CASCADE, place INTEGER NOT NULL,
      pool_id TEXT NOT NULL, customer_name TEXT NOT NULL, technician TEXT NOT NULL, PRIMARY KEY (route_id, place)
    ) STRICT, WITHOUT ROWID;
    """
}
