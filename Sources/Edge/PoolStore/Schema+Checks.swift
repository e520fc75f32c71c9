extension Schema {
  /// The states of runs and entries checked word by word: for `IN` with more than two words SQLite makes a table of them
  /// anew at every row that is written, which is a third of what a row of the ledger costs.
  static let checks = """
    CREATE TABLE runs_4 (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, slot_ms INTEGER NOT NULL,
      team_id INTEGER, cause TEXT NOT NULL CHECK (cause = 'schedule' OR cause = 'manual'),
      outcome TEXT NOT NULL CHECK (
        outcome = 'running' OR outcome = 'waiting' OR outcome = 'done' OR outcome = 'notified' OR outcome = 'skipped'
        OR outcome = 'missed' OR outcome = 'coalesced' OR outcome = 'paused' OR outcome = 'failed'),
      reason TEXT, detail TEXT, epoch INTEGER NOT NULL, attempts INTEGER NOT NULL, as_of_ms INTEGER NOT NULL,
      started_ms INTEGER, finished_ms INTEGER, late_ms INTEGER, next_try_ms INTEGER, note TEXT, inputs TEXT,
      PRIMARY KEY (job_id, slot_ms)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO runs_4 (job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, started_ms,
      finished_ms, late_ms, next_try_ms, note, inputs)
    SELECT job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, started_ms, finished_ms,
      late_ms, next_try_ms, note, inputs FROM runs;
    DROP TABLE runs;
    ALTER TABLE runs_4 RENAME TO runs;
    CREATE INDEX runs_by_team ON runs (team_id, slot_ms);
    CREATE INDEX runs_by_slot ON runs (slot_ms);
    CREATE INDEX runs_open ON runs (job_id, outcome, epoch) WHERE outcome IN ('running', 'waiting');

    CREATE TABLE outbox_3 (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      notice_id TEXT NOT NULL REFERENCES notices (notice_id) ON DELETE CASCADE, team_id INTEGER, sink TEXT NOT NULL,
      state TEXT NOT NULL CHECK (
        state = 'pending' OR state = 'staged' OR state = 'sent' OR state = 'dead' OR state = 'held'),
      attempts INTEGER NOT NULL, next_try_ms INTEGER NOT NULL, last_error TEXT, sent_ms INTEGER,
      UNIQUE (notice_id, sink)
    ) STRICT;
    INSERT INTO outbox_3 (sequence, notice_id, team_id, sink, state, attempts, next_try_ms, last_error, sent_ms)
    SELECT sequence, notice_id, team_id, sink, state, attempts, next_try_ms, last_error, sent_ms FROM outbox;
    -- A number that was given once is not given again.
    DELETE FROM sqlite_sequence WHERE name = 'outbox_3';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'outbox_3', seq FROM sqlite_sequence WHERE name = 'outbox';
    DROP TABLE outbox;
    ALTER TABLE outbox_3 RENAME TO outbox;
    CREATE INDEX outbox_due ON outbox (sink, next_try_ms) WHERE state IN ('pending', 'staged');
    CREATE INDEX outbox_lane ON outbox (sink, state, sequence, next_try_ms) WHERE state IN ('pending', 'staged');
    CREATE INDEX outbox_stuck ON outbox (state, sink) WHERE state IN ('dead', 'held');
    """
}
