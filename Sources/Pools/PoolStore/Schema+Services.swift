import FlowStore

extension Schema {
  /// The dates of service of pools that are not served every week.
  ///
  /// No foreign key to pools: an archive of the app replaces the pools, and knows only their weekdays.
  static let services = """
    -- Pools with a rule or a pause; every other pool is served each week on its weekday. rule: dates in calendar syntax
    -- (CalendarDates); null: every week.
    CREATE TABLE pool_services (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, pool_id TEXT NOT NULL, rule TEXT,
      PRIMARY KEY (team_id, pool_id)
    ) STRICT;

    -- Days on which a pool is not served. days: as in days_off.
    CREATE TABLE service_pauses (
      pause_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER NOT NULL, pool_id TEXT NOT NULL, days TEXT NOT NULL,
      reason TEXT NOT NULL, set_by TEXT NOT NULL,
      FOREIGN KEY (team_id, pool_id) REFERENCES pool_services (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX service_pauses_by_pool ON service_pauses (team_id, pool_id);

    -- The order of a pool on another weekday than its own; without a row it has the order of its own weekday there.
    CREATE TABLE service_orders (
      team_id INTEGER NOT NULL, pool_id TEXT NOT NULL, service_day INTEGER NOT NULL CHECK (service_day BETWEEN 1 AND 7),
      route_order INTEGER NOT NULL, PRIMARY KEY (team_id, pool_id, service_day),
      FOREIGN KEY (team_id, pool_id) REFERENCES pool_services (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    """

  /// Pins of a pool on other weekdays than its own.
  static let servicePins = """
    -- pin: the position of the pool on that weekday, from 1; 0: not pinned there; null: the pin of its own weekday.
    ALTER TABLE service_orders ADD COLUMN pin INTEGER;
    """

  /// Changed dates of single stops, notices of them, and earlier rules.
  static let serviceChanges = """
    -- from_date, to_date: ISO dates; to_date null: the stop is skipped; equal to from_date: only the technician changes.
    -- technician_id: who serves the stop; null: the pool's own. batch: the change_id of the first change that the same
    -- command made. route_order: among the technician's stops of to_date; null: as on other dates.
    CREATE TABLE service_changes (
      change_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER NOT NULL, pool_id TEXT NOT NULL,
      batch INTEGER NOT NULL, from_date TEXT NOT NULL, to_date TEXT,
      technician_id INTEGER REFERENCES technicians (technician_id) ON DELETE SET NULL, route_order INTEGER,
      reason TEXT NOT NULL, set_by TEXT NOT NULL, made_ms INTEGER NOT NULL,
      FOREIGN KEY (team_id, pool_id) REFERENCES pool_services (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX service_changes_by_pool ON service_changes (team_id, pool_id);

    -- The newest notice of a team that today's route has changed. due_ms: when it is decided, in the future while it waits.
    CREATE TABLE change_notices (
      team_id INTEGER PRIMARY KEY REFERENCES teams (team_id) ON DELETE CASCADE, due_ms INTEGER NOT NULL
    ) STRICT;

    -- Rules that a pool had before its present one: of the dates before until_date, back to the until_date of the row before.
    -- rule, service_day: as in pool_services and pools.
    CREATE TABLE service_rules_before (
      team_id INTEGER NOT NULL, pool_id TEXT NOT NULL, until_date TEXT NOT NULL,
      service_day INTEGER NOT NULL CHECK (service_day BETWEEN 1 AND 7), rule TEXT,
      PRIMARY KEY (team_id, pool_id, until_date),
      FOREIGN KEY (team_id, pool_id) REFERENCES pool_services (team_id, pool_id) ON DELETE CASCADE
    ) STRICT;
    """
}
