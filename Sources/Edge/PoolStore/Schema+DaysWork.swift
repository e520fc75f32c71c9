extension Schema {
  /// How late the orders of a day come to customers' windows, and how a team reads doses.
  static let daysWork = """
    ALTER TABLE routes ADD COLUMN current_late_min REAL NOT NULL DEFAULT 0;
    ALTER TABLE routes ADD COLUMN best_late_min REAL NOT NULL DEFAULT 0;

    -- app: as the app writes amounts, dry and liquid alike; by-kind: liquids by volume, solids by weight.
    ALTER TABLE teams ADD COLUMN dose_units TEXT NOT NULL DEFAULT 'app' CHECK (dose_units IN ('app', 'by-kind'));
    """
}
