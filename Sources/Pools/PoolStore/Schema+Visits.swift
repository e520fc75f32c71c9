import FlowStore

extension Schema {
  /// Marks the readings that were measured during a visit.
  static let measuredReadings = """
    -- Bits of `ReadingSet`. measured: taken at this visit; every reading of a visit that came from the app. assumed: taken at
    -- no visit so far, only the values that a new pool begins with.
    ALTER TABLE service_events ADD COLUMN measured INTEGER NOT NULL DEFAULT 31;
    ALTER TABLE service_events ADD COLUMN assumed INTEGER NOT NULL DEFAULT 0;
    """
}
