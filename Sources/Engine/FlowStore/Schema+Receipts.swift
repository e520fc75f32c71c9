extension Schema {
  /// Receipts: the outcome of each delivery of a notice, as reported by the sender that reads the sink's files.
  package static let receipts = """
    -- delivery: 32 hexadecimal digits, the same for every try. recipient: `t12`, `office`, or `*` for nobody alone. outcome:
    -- words are checked one by one, as those of runs are. code: of HTTP or SMTP. at_ms: by the clock of whoever says it;
    -- known_ms: when it was taken down. told_ms: when the office was told of a loss.
    CREATE TABLE receipts (
      notice_id TEXT NOT NULL REFERENCES notices (notice_id) ON DELETE CASCADE, delivery TEXT NOT NULL, team_id INTEGER,
      sink TEXT NOT NULL, recipient TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (
        outcome = 'delivered' OR outcome = 'refused' OR outcome = 'expired' OR outcome = 'unknown'
        OR outcome = 'replaced' OR outcome = 'waiting'),
      words TEXT NOT NULL, code INTEGER, tries INTEGER NOT NULL, at_ms INTEGER NOT NULL, known_ms INTEGER NOT NULL,
      told_ms INTEGER, PRIMARY KEY (notice_id, delivery)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receipts_by_time ON receipts (known_ms, outcome);
    CREATE INDEX receipts_untold ON receipts (known_ms)
      WHERE told_ms IS NULL AND outcome <> 'delivered' AND outcome <> 'waiting' AND outcome <> 'replaced';
    CREATE INDEX receipts_told ON receipts (team_id, told_ms) WHERE told_ms IS NOT NULL;
    """
}
