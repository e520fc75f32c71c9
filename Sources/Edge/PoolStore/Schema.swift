import PoolModel

/// The shape of the database, version by version. A released migration never changes; a new one is added after it.
///
/// Every table holds its team's number, instants are whole milliseconds UTC (`_ms`), identities of the app are UUID text
/// in upper case. The dialect is one that PostgreSQL also takes where that costs nothing.
package enum Schema {
  /// Marks the file as ours: "pflw".
  package static let applicationID = 0x7066_6C77

  package static var currentVersion: Int { migrations.count }

  package static let migrations: [String] = [
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

    -- One row a daemon's life: a run left 'running' by an earlier epoch is an orphan, whatever its age.
    CREATE TABLE epochs (
      epoch INTEGER PRIMARY KEY, started_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL, ended_ms INTEGER,
      version TEXT NOT NULL
    ) STRICT;

    CREATE TABLE teams (
      team_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, zone TEXT NOT NULL, language TEXT NOT NULL,
      units TEXT NOT NULL, objective TEXT NOT NULL, plan TEXT NOT NULL CHECK (plan IN ('free', 'trial', 'paid')),
      trial_expires_ms INTEGER, notifications_enabled INTEGER NOT NULL, morning_summary INTEGER NOT NULL,
      low_stock INTEGER NOT NULL, weekly_digest INTEGER NOT NULL, morning_time_s INTEGER NOT NULL,
      created_ms INTEGER NOT NULL, CHECK ((plan = 'trial') = (trial_expires_ms IS NOT NULL))
    ) STRICT;

    CREATE TABLE technicians (
      technician_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      name TEXT NOT NULL, name_key TEXT NOT NULL, is_default INTEGER NOT NULL, UNIQUE (team_id, name_key)
    ) STRICT;

    -- scope_technician_id: the technician an archive was imported for; null where it was imported for the whole team.
    -- technician_id: who drives there, by scope, else by the profile's tag, else the team's default.
    CREATE TABLE pools (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, pool_id TEXT NOT NULL,
      scope_technician_id INTEGER REFERENCES technicians (technician_id),
      technician_id INTEGER NOT NULL REFERENCES technicians (technician_id),
      customer_name TEXT NOT NULL, address TEXT NOT NULL, notes TEXT NOT NULL, latitude REAL NOT NULL,
      longitude REAL NOT NULL, volume_gal REAL NOT NULL, monthly_fee REAL NOT NULL,
      service_day INTEGER NOT NULL CHECK (service_day BETWEEN 1 AND 7), route_order INTEGER NOT NULL, ph REAL NOT NULL,
      water_temp_f REAL NOT NULL, calcium_hardness REAL NOT NULL, total_alkalinity REAL NOT NULL,
      cyanuric_acid REAL NOT NULL, total_dissolved_solids REAL, cached_lsi REAL, created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL, PRIMARY KEY (team_id, pool_id)
    ) STRICT;
    CREATE INDEX pools_by_day ON pools (team_id, service_day, route_order, pool_id);

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

    -- rule is a calendar expression, or empty where once_ms (or nothing) is due. cursor_ms is the last settled slot: the
    -- next one is always sought after it. generation rises with every change of the rule: a claim made for an older
    -- one is refused, so that nothing pending of an old setting fires.
    CREATE TABLE jobs (
      job_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, kind TEXT NOT NULL, rule TEXT NOT NULL,
      zone TEXT NOT NULL, once_ms INTEGER, generation INTEGER NOT NULL, cursor_ms INTEGER NOT NULL,
      UNIQUE (team_id, kind)
    ) STRICT;

    CREATE TABLE runs (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, slot_ms INTEGER NOT NULL,
      team_id INTEGER NOT NULL, cause TEXT NOT NULL CHECK (cause IN ('schedule', 'manual')),
      outcome TEXT NOT NULL CHECK (outcome IN ('running', 'done', 'notified', 'skipped', 'missed', 'failed')),
      reason TEXT, detail TEXT, epoch INTEGER NOT NULL, attempts INTEGER NOT NULL, as_of_ms INTEGER NOT NULL,
      started_ms INTEGER, finished_ms INTEGER, late_ms INTEGER, PRIMARY KEY (job_id, slot_ms)
    ) STRICT;
    CREATE INDEX runs_by_team ON runs (team_id, slot_ms);
    CREATE INDEX runs_by_slot ON runs (slot_ms);
    CREATE INDEX runs_running ON runs (epoch) WHERE outcome = 'running';

    CREATE TABLE notices (
      notice_id TEXT PRIMARY KEY, team_id INTEGER NOT NULL, job_id INTEGER NOT NULL, slot_ms INTEGER NOT NULL,
      identifier TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, lines TEXT NOT NULL, data TEXT NOT NULL,
      late_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL, expires_ms INTEGER,
      FOREIGN KEY (job_id, slot_ms) REFERENCES runs (job_id, slot_ms) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX notices_by_run ON notices (job_id, slot_ms);

    CREATE TABLE outbox (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      notice_id TEXT NOT NULL REFERENCES notices (notice_id) ON DELETE CASCADE, team_id INTEGER NOT NULL,
      sink TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'staged', 'sent', 'dead', 'held')),
      attempts INTEGER NOT NULL, next_try_ms INTEGER NOT NULL, last_error TEXT, sent_ms INTEGER,
      UNIQUE (notice_id, sink)
    ) STRICT;
    CREATE INDEX outbox_due ON outbox (sink, next_try_ms, sequence) WHERE state IN ('pending', 'staged');
    """,
    schedulerMigration,
    audit,
    waterMigration,
    delivery,
    attempts,
    backups,
    customs,
    serverJobs,
    routes,
    checks,
    inbox,
    days,
  ]
}
