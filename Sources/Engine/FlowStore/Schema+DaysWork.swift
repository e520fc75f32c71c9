extension Schema {
  /// Lateness of a day's routes against customers' arrival windows, and the units in which a team reads doses.
  package static let daysWork = """
    ALTER TABLE routes ADD COLUMN current_late_min REAL NOT NULL DEFAULT 0;
    ALTER TABLE routes ADD COLUMN best_late_min REAL NOT NULL DEFAULT 0;

    -- app: as the app writes amounts, dry and liquid alike; by-kind: liquids by volume, solids by weight.
    ALTER TABLE teams ADD COLUMN dose_units TEXT NOT NULL DEFAULT 'app' CHECK (dose_units IN ('app', 'by-kind'));
    """
}
