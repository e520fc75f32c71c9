extension Schema {
  /// Days off, reminders, the route preview on the evening before, the order and timing of a day's route, and a mark for
  /// visits logged with `pfctl`.
  package static let daysOff = """
    ALTER TABLE teams ADD COLUMN route_preview INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE teams ADD COLUMN route_order TEXT NOT NULL DEFAULT 'kept' CHECK (route_order IN ('kept', 'best'));
    -- day_start_s null: an hour after the morning's notice.
    ALTER TABLE teams ADD COLUMN day_start_s INTEGER;
    ALTER TABLE teams ADD COLUMN stop_minutes INTEGER NOT NULL DEFAULT 20;
    ALTER TABLE teams ADD COLUMN windows TEXT NOT NULL DEFAULT 'respect' CHECK (windows IN ('ignore', 'warn', 'respect'));

    -- Of visits that were logged with pfctl: no archive of the app has them unless it came from here.
    ALTER TABLE service_events ADD COLUMN logged_here INTEGER NOT NULL DEFAULT 0;

    -- technician_id null: the whole team is closed. days: `2026-12-24..2026-12-26`, or `*-12-25` for days of every year.
    CREATE TABLE days_off (
      day_off_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      technician_id INTEGER REFERENCES technicians (technician_id) ON DELETE CASCADE, days TEXT NOT NULL,
      note TEXT NOT NULL, set_by TEXT NOT NULL
    ) STRICT;
    CREATE INDEX days_off_by_team ON days_off (team_id);

    -- Its job is 'reminder-' and its name. rule is empty where once_ms is due. technician_id null: the whole team's.
    -- times_left null: without an end. The job of one that was removed stays, with what it told.
    CREATE TABLE reminders (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, name TEXT NOT NULL, title TEXT NOT NULL,
      body TEXT NOT NULL, technician_id INTEGER REFERENCES technicians (technician_id) ON DELETE SET NULL,
      severity TEXT NOT NULL, told_when TEXT NOT NULL, rule TEXT NOT NULL, once_ms INTEGER,
      times_left INTEGER CHECK (times_left >= 0), set_by TEXT NOT NULL, PRIMARY KEY (team_id, name),
      CHECK ((rule = '') = (once_ms IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    """
}
