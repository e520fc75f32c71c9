import FlowStore

extension Schema {
  /// Records of the app: pools, visits, doses, stock, customers, equipment.
  static let records = """
    -- scope_technician_id: the technician an archive was imported for; null where it was imported for the whole team.
    -- technician_id: who drives there, by scope, else by the profile's tag, else the team's default.
    -- lsi_stale: the readings changed since the refresh last looked. water_condition: what it found then, -1 corrosive,
    -- 0 balanced, 1 scale-forming; null before the first look.
    CREATE TABLE pools (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, pool_id TEXT NOT NULL,
      scope_technician_id INTEGER REFERENCES technicians (technician_id),
      technician_id INTEGER NOT NULL REFERENCES technicians (technician_id),
      customer_name TEXT NOT NULL, address TEXT NOT NULL, notes TEXT NOT NULL, latitude REAL NOT NULL,
      longitude REAL NOT NULL, volume_gal REAL NOT NULL, monthly_fee REAL NOT NULL,
      service_day INTEGER NOT NULL CHECK (service_day BETWEEN 1 AND 7), route_order INTEGER NOT NULL, ph REAL NOT NULL,
      water_temp_f REAL NOT NULL, calcium_hardness REAL NOT NULL, total_alkalinity REAL NOT NULL,
      cyanuric_acid REAL NOT NULL, total_dissolved_solids REAL, cached_lsi REAL, created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL, lsi_stale INTEGER NOT NULL DEFAULT 1,
      water_condition INTEGER CHECK (water_condition BETWEEN -1 AND 1), PRIMARY KEY (team_id, pool_id)
    ) STRICT;
    -- Without the pools' identities, which would be four fifths of it and tell only equal places apart.
    CREATE INDEX pools_by_route_order ON pools (team_id, service_day, route_order);
    CREATE INDEX pools_lsi_stale ON pools (lsi_stale) WHERE lsi_stale = 1;

    CREATE TABLE service_events (
      team_id INTEGER NOT NULL, event_id TEXT NOT NULL, pool_id TEXT NOT NULL, at_ms INTEGER NOT NULL, ph REAL NOT NULL,
      water_temp_f REAL NOT NULL, calcium_hardness REAL NOT NULL, total_alkalinity REAL NOT NULL,
      cyanuric_acid REAL NOT NULL, lsi REAL NOT NULL, total_chemical_cost REAL NOT NULL, tech_notes TEXT NOT NULL,
      photo_name TEXT, photo_bytes INTEGER, PRIMARY KEY (team_id, event_id),
      FOREIGN KEY (team_id, pool_id) REFERENCES pools (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX service_events_by_pool ON service_events (team_id, pool_id, at_ms);

    -- chemical_id has no foreign key: removing a chemical from stock must not rewrite what was dosed.
    CREATE TABLE chemical_doses (
      team_id INTEGER NOT NULL, dose_id TEXT NOT NULL, event_id TEXT NOT NULL, chemical_id TEXT,
      quantity_oz REAL NOT NULL, cost REAL NOT NULL, PRIMARY KEY (team_id, dose_id),
      FOREIGN KEY (team_id, event_id) REFERENCES service_events (team_id, event_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX chemical_doses_by_event ON chemical_doses (team_id, event_id);

    CREATE TABLE inventory_items (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, item_id TEXT NOT NULL,
      scope_technician_id INTEGER REFERENCES technicians (technician_id), position INTEGER NOT NULL, name TEXT NOT NULL,
      chemical_type TEXT NOT NULL, concentration REAL NOT NULL, cost_per_oz REAL NOT NULL, stock_oz REAL NOT NULL,
      threshold_oz REAL NOT NULL, unit_label TEXT NOT NULL, PRIMARY KEY (team_id, item_id)
    ) STRICT;

    -- No foreign key to pools: an archive may hold profiles of pools it does not hold.
    CREATE TABLE customer_profiles (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, pool_id TEXT NOT NULL,
      scope_technician_id INTEGER REFERENCES technicians (technician_id), contact_name TEXT NOT NULL,
      contact_phone TEXT NOT NULL, contact_email TEXT NOT NULL, gate_access TEXT NOT NULL, arrival_window TEXT NOT NULL,
      tags TEXT NOT NULL, PRIMARY KEY (team_id, pool_id)
    ) STRICT;

    CREATE TABLE equipment (
      team_id INTEGER NOT NULL, equipment_id TEXT NOT NULL, pool_id TEXT NOT NULL, equipment_type TEXT NOT NULL,
      name TEXT NOT NULL, manufacturer TEXT NOT NULL, model_number TEXT NOT NULL, serial_number TEXT NOT NULL,
      install_ms INTEGER, warranty_expiry_ms INTEGER, last_service_ms INTEGER, next_service_ms INTEGER,
      notes TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
      PRIMARY KEY (team_id, equipment_id),
      FOREIGN KEY (team_id, pool_id) REFERENCES pools (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX equipment_by_pool ON equipment (team_id, pool_id);
    """

  /// Undo data of visits, and pools whose water crossed a limit, found by the nightly refresh.
  static let water = """
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

    -- Pools whose water crossed a limit between two looks of the refresh; before and after as pools.water_condition.
    CREATE TABLE water_crossings (
      team_id INTEGER NOT NULL, pool_id TEXT NOT NULL, at_ms INTEGER NOT NULL, before INTEGER NOT NULL,
      after INTEGER NOT NULL, lsi REAL NOT NULL, PRIMARY KEY (team_id, pool_id, at_ms),
      FOREIGN KEY (team_id, pool_id) REFERENCES pools (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX water_crossings_by_time ON water_crossings (team_id, at_ms);
    """
}
