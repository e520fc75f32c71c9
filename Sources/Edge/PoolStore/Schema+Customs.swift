extension Schema {
  /// How a team reads clocks and money.
  static let customs = """
    ALTER TABLE teams ADD COLUMN clock TEXT NOT NULL DEFAULT 'auto' CHECK (clock IN ('auto', '12h', '24h'));
    -- Null: what language and zone suggest.
    ALTER TABLE teams ADD COLUMN currency TEXT;
    """
}
