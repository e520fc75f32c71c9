import FlowStore

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
}
