extension Schema {
  /// Jobs that belong to no team: backups and the nightly refresh stand in the ledger like every other work.
  static let serverJobs = """
    -- team_id null: the server's own.
    CREATE TABLE jobs_2 (
      job_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER REFERENCES teams (team_id) ON DELETE CASCADE,
      kind TEXT NOT NULL, rule TEXT NOT NULL, zone TEXT NOT NULL, once_ms INTEGER, generation INTEGER NOT NULL,
      cursor_ms INTEGER NOT NULL, since_ms INTEGER NOT NULL, UNIQUE (team_id, kind)
    ) STRICT;
    INSERT INTO jobs_2 (job_id, team_id, kind, rule, zone, once_ms, generation, cursor_ms, since_ms)
    SELECT job_id, team_id, kind, rule, zone, once_ms, generation, cursor_ms, since_ms FROM jobs;
    -- Numbers are never used again, those of removed teams' jobs neither.
    DELETE FROM sqlite_sequence WHERE name = 'jobs_2';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'jobs_2', seq FROM sqlite_sequence WHERE name = 'jobs';
    DROP TABLE jobs;
    ALTER TABLE jobs_2 RENAME TO jobs;
    CREATE UNIQUE INDEX jobs_of_server ON jobs (kind) WHERE team_id IS NULL;

    CREATE TABLE runs_3 (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, slot_ms INTEGER NOT NULL,
      team_id INTEGER, cause TEXT NOT NULL CHECK (cause IN ('schedule', 'manual')),
      outcome TEXT NOT NULL CHECK (outcome IN
        ('running', 'waiting', 'done', 'notified', 'skipped', 'missed', 'coalesced', 'paused', 'failed')),
      reason TEXT, detail TEXT, epoch INTEGER NOT NULL, attempts INTEGER NOT NULL, as_of_ms INTEGER NOT NULL,
      started_ms INTEGER, finished_ms INTEGER, late_ms INTEGER, next_try_ms INTEGER, note TEXT, inputs TEXT,
      PRIMARY KEY (job_id, slot_ms)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO runs_3 (job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, started_ms,
      finished_ms, late_ms, next_try_ms, note, inputs)
    SELECT job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, started_ms, finished_ms,
      late_ms, next_try_ms, note, inputs FROM runs;
    DROP TABLE runs;
    ALTER TABLE runs_3 RENAME TO runs;
    CREATE INDEX runs_by_team ON runs (team_id, slot_ms);
    CREATE INDEX runs_by_slot ON runs (slot_ms);
    CREATE INDEX runs_open ON runs (job_id, outcome, epoch) WHERE outcome IN ('running', 'waiting');

    CREATE TABLE stretches_2 (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, first_ms INTEGER NOT NULL,
      last_ms INTEGER NOT NULL, team_id INTEGER, reason TEXT NOT NULL, detail TEXT NOT NULL,
      recorded_ms INTEGER NOT NULL, PRIMARY KEY (job_id, first_ms), CHECK (first_ms <= last_ms)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO stretches_2 (job_id, first_ms, last_ms, team_id, reason, detail, recorded_ms)
    SELECT job_id, first_ms, last_ms, team_id, reason, detail, recorded_ms FROM stretches;
    DROP TABLE stretches;
    ALTER TABLE stretches_2 RENAME TO stretches;

    CREATE TABLE bygone_rules_2 (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, generation INTEGER NOT NULL,
      team_id INTEGER, rule TEXT NOT NULL, zone TEXT NOT NULL, once_ms INTEGER, since_ms INTEGER NOT NULL,
      settled_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, PRIMARY KEY (job_id, generation)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO bygone_rules_2 (job_id, generation, team_id, rule, zone, once_ms, since_ms, settled_ms, until_ms)
    SELECT job_id, generation, team_id, rule, zone, once_ms, since_ms, settled_ms, until_ms FROM bygone_rules;
    DROP TABLE bygone_rules;
    ALTER TABLE bygone_rules_2 RENAME TO bygone_rules;

    -- job_id null: every job of the team, or of the server. skips_left null: a pause.
    CREATE TABLE holds_2 (
      hold_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER REFERENCES teams (team_id) ON DELETE CASCADE,
      job_id INTEGER REFERENCES jobs (job_id) ON DELETE CASCADE, from_ms INTEGER NOT NULL, until_ms INTEGER,
      skips_left INTEGER CHECK (skips_left >= 0), note TEXT NOT NULL, set_by TEXT NOT NULL, ended_ms INTEGER,
      ended_by TEXT, CHECK (skips_left IS NULL OR (job_id IS NOT NULL AND until_ms IS NULL))
    ) STRICT;
    INSERT INTO holds_2 (hold_id, team_id, job_id, from_ms, until_ms, skips_left, note, set_by, ended_ms, ended_by)
    SELECT hold_id, team_id, job_id, from_ms, until_ms, skips_left, note, set_by, ended_ms, ended_by FROM holds;
    DROP TABLE holds;
    ALTER TABLE holds_2 RENAME TO holds;
    CREATE INDEX holds_by_team ON holds (team_id, from_ms);
    """
}
