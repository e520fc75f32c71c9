import FlowStore

extension Schema {
  /// The records of stables.
  ///
  /// Dates are local, such as `2026-03-02`. Lists of feed have one entry per line.
  static let stables = """
    -- name_key: the name as it is compared. added_date: from then on it stands on the boards.
    CREATE TABLE horses (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, horse_id TEXT NOT NULL, name TEXT NOT NULL,
      name_key TEXT NOT NULL, owner TEXT NOT NULL, is_clipped INTEGER NOT NULL, added_date TEXT NOT NULL,
      has_photo INTEGER NOT NULL, UNIQUE (team_id, name_key), PRIMARY KEY (team_id, horse_id)
    ) STRICT;

    -- A horse without one has no row.
    CREATE TABLE feed_schedules (
      team_id INTEGER NOT NULL, horse_id TEXT NOT NULL, am_grain TEXT NOT NULL, am_supplements TEXT NOT NULL,
      am_medications TEXT NOT NULL, pm_grain TEXT NOT NULL, pm_supplements TEXT NOT NULL, pm_medications TEXT NOT NULL,
      PRIMARY KEY (team_id, horse_id),
      FOREIGN KEY (team_id, horse_id) REFERENCES horses (team_id, horse_id) ON DELETE CASCADE
    ) STRICT;

    CREATE TABLE feed_templates (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, template_id TEXT NOT NULL,
      name TEXT NOT NULL, name_key TEXT NOT NULL, about TEXT NOT NULL, am_grain TEXT NOT NULL,
      am_supplements TEXT NOT NULL, am_medications TEXT NOT NULL, pm_grain TEXT NOT NULL, pm_supplements TEXT NOT NULL,
      pm_medications TEXT NOT NULL, uses INTEGER NOT NULL CHECK (uses >= 0), created_ms INTEGER NOT NULL,
      UNIQUE (team_id, name_key), PRIMARY KEY (team_id, template_id)
    ) STRICT;

    -- marking: what was marked in one go has one number. horse_id has no foreign key: the marks of closed days stay when a
    -- horse is removed.
    CREATE TABLE feed_marks (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, local_date TEXT NOT NULL,
      horse_id TEXT NOT NULL, slot TEXT NOT NULL CHECK (slot = 'am' OR slot = 'pm'), at_ms INTEGER NOT NULL,
      fed_by TEXT NOT NULL, marking INTEGER NOT NULL, PRIMARY KEY (team_id, local_date, horse_id, slot)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feed_marks_by_number ON feed_marks (team_id, marking);

    -- The days whose boards are closed, also those of a barn without horses.
    CREATE TABLE feed_days (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, local_date TEXT NOT NULL,
      PRIMARY KEY (team_id, local_date)
    ) STRICT, WITHOUT ROWID;

    -- What became of each horse's two slots; horse: what it was called on that day.
    CREATE TABLE feed_history (
      team_id INTEGER NOT NULL, local_date TEXT NOT NULL, horse_id TEXT NOT NULL, horse TEXT NOT NULL,
      am TEXT NOT NULL CHECK (am = 'fed' OR am = 'missed' OR am = 'no-schedule'),
      pm TEXT NOT NULL CHECK (pm = 'fed' OR pm = 'missed' OR pm = 'no-schedule'),
      PRIMARY KEY (team_id, local_date, horse_id),
      FOREIGN KEY (team_id, local_date) REFERENCES feed_days (team_id, local_date) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feed_history_by_horse ON feed_history (team_id, horse_id, local_date);

    -- cost_e4: ten-thousandths of the team's currency, so that sums are exact.
    CREATE TABLE care_events (
      team_id INTEGER NOT NULL, care_id TEXT NOT NULL, horse_id TEXT NOT NULL, care_type TEXT NOT NULL,
      local_date TEXT NOT NULL, notes TEXT NOT NULL, next_due TEXT CHECK (next_due > local_date),
      cost_e4 INTEGER CHECK (cost_e4 BETWEEN 0 AND 10000000000), provider TEXT NOT NULL, PRIMARY KEY (team_id, care_id),
      FOREIGN KEY (team_id, horse_id) REFERENCES horses (team_id, horse_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX care_events_by_horse ON care_events (team_id, horse_id, local_date);

    -- The newest of a team has the highest number; the one before is kept with it. digest: SHA-256 of the file.
    CREATE TABLE forecasts (
      forecast_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, digest TEXT NOT NULL, source TEXT NOT NULL,
      place TEXT NOT NULL, issued_ms INTEGER NOT NULL, imported_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX forecasts_by_team ON forecasts (team_id);

    CREATE TABLE forecast_hours (
      forecast_id INTEGER NOT NULL REFERENCES forecasts (forecast_id) ON DELETE CASCADE, start_ms INTEGER NOT NULL,
      air_c REAL NOT NULL, wind_kmh REAL, rain_mm REAL, rain_probability REAL, PRIMARY KEY (forecast_id, start_ms)
    ) STRICT, WITHOUT ROWID;

    -- The nights that had advice, by the dates of their evenings.
    CREATE TABLE blanket_nights (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, local_date TEXT NOT NULL,
      felt_c REAL NOT NULL, is_wet INTEGER NOT NULL, PRIMARY KEY (team_id, local_date)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE blanket_advice (
      team_id INTEGER NOT NULL, local_date TEXT NOT NULL, horse_id TEXT NOT NULL, advice TEXT NOT NULL,
      PRIMARY KEY (team_id, local_date, horse_id),
      FOREIGN KEY (team_id, local_date) REFERENCES blanket_nights (team_id, local_date) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    -- limits: five numbers in °C with commas between. intervals: `farrier=49 dental=none`, where a team chose them.
    CREATE TABLE barn_settings (
      team_id INTEGER PRIMARY KEY REFERENCES teams (team_id) ON DELETE CASCADE, limits TEXT NOT NULL,
      intervals TEXT NOT NULL
    ) STRICT;
    """
}
