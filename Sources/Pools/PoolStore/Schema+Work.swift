import FlowStore

extension Schema {
  /// Recurring work at pools and the intervals of service of machines.
  ///
  /// No foreign keys to pools, visits and equipment: an archive of the app replaces them, and has neither work nor intervals.
  static let work = """
    -- Recurring work at pools. every: an interval, such as `3 months`. due: the local date from which it is shown.
    CREATE TABLE pool_work (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, pool_id TEXT NOT NULL, name TEXT NOT NULL,
      every TEXT NOT NULL, due TEXT NOT NULL, PRIMARY KEY (team_id, pool_id, name)
    ) STRICT;

    -- The interval from one service of a machine to the next.
    CREATE TABLE equipment_intervals (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, equipment_id TEXT NOT NULL,
      every TEXT NOT NULL, PRIMARY KEY (team_id, equipment_id)
    ) STRICT;

    -- Work that was done. equipment_id: the machine that was serviced; null for recurring work. event_id: the visit; null
    -- without one. done_on: the local date. before and after: the dates of the work (WorkDates).
    CREATE TABLE work_done (
      done_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      pool_id TEXT NOT NULL, event_id TEXT, equipment_id TEXT, name TEXT NOT NULL, done_on TEXT NOT NULL,
      before TEXT NOT NULL, after TEXT NOT NULL
    ) STRICT;
    CREATE INDEX work_done_by_pool ON work_done (team_id, pool_id);
    CREATE INDEX work_done_by_event ON work_done (team_id, event_id) WHERE event_id IS NOT NULL;
    CREATE INDEX work_done_by_date ON work_done (team_id, done_on);
    """
}
