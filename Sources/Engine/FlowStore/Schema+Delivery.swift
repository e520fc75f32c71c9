extension Schema {
  /// Notices and their outbox entries, one for each sink.
  package static let delivery = """
    -- team_id and job_id null: the server's own. severity: info, notice, warning, error.
    CREATE TABLE notices (
      notice_id TEXT PRIMARY KEY, team_id INTEGER, job_id INTEGER, slot_ms INTEGER NOT NULL, identifier TEXT NOT NULL,
      title TEXT NOT NULL, body TEXT NOT NULL, lines TEXT NOT NULL, data TEXT NOT NULL, late_ms INTEGER NOT NULL,
      created_ms INTEGER NOT NULL, expires_ms INTEGER, severity TEXT NOT NULL,
      CHECK ((team_id IS NULL) = (job_id IS NULL)),
      FOREIGN KEY (job_id, slot_ms) REFERENCES runs (job_id, slot_ms) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX notices_by_run ON notices (job_id, slot_ms);
    CREATE INDEX notices_of_server ON notices (identifier, created_ms) WHERE job_id IS NULL;

    -- A number that was given once is not given again. States are checked one by one, as the outcomes of runs are.
    CREATE TABLE outbox (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      notice_id TEXT NOT NULL REFERENCES notices (notice_id) ON DELETE CASCADE, team_id INTEGER, sink TEXT NOT NULL,
      state TEXT NOT NULL CHECK (
        state = 'pending' OR state = 'staged' OR state = 'sent' OR state = 'dead' OR state = 'held'),
      attempts INTEGER NOT NULL, next_try_ms INTEGER NOT NULL, last_error TEXT, sent_ms INTEGER,
      UNIQUE (notice_id, sink)
    ) STRICT;
    -- When a lane has work again, and what it then takes, in order; what is sent or dead is in neither.
    CREATE INDEX outbox_due ON outbox (sink, next_try_ms) WHERE state IN ('pending', 'staged');
    CREATE INDEX outbox_lane ON outbox (sink, state, sequence, next_try_ms) WHERE state IN ('pending', 'staged');
    CREATE INDEX outbox_stuck ON outbox (state, sink) WHERE state IN ('dead', 'held');
    """
}
