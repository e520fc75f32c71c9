extension Schema {
  /// Verdicts for slots that did not run, holds, heartbeats and the rules of the past.
  static let schedulerMigration = """
    -- A table that is its own key: a run is found, claimed and settled in one tree. The words of outcome are more now.
    -- note: what the clocks did to the slot. inputs: what the decision looked at. next_try_ms: of a waiting run.
    CREATE TABLE runs_2 (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, slot_ms INTEGER NOT NULL,
      team_id INTEGER NOT NULL, cause TEXT NOT NULL CHECK (cause IN ('schedule', 'manual')),
      outcome TEXT NOT NULL CHECK (outcome IN
        ('running', 'waiting', 'done', 'notified', 'skipped', 'missed', 'coalesced', 'paused', 'failed')),
      reason TEXT, detail TEXT, epoch INTEGER NOT NULL, attempts INTEGER NOT NULL, as_of_ms INTEGER NOT NULL,
      started_ms INTEGER, finished_ms INTEGER, late_ms INTEGER, next_try_ms INTEGER, note TEXT, inputs TEXT,
      PRIMARY KEY (job_id, slot_ms)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO runs_2 (job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, started_ms,
      finished_ms, late_ms)
    SELECT job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, started_ms, finished_ms,
      late_ms FROM runs;
    DROP TABLE runs;
    ALTER TABLE runs_2 RENAME TO runs;
    CREATE INDEX runs_by_team ON runs (team_id, slot_ms);
    CREATE INDEX runs_by_slot ON runs (slot_ms);
    CREATE INDEX runs_open ON runs (outcome, epoch) WHERE outcome IN ('running', 'waiting');

    -- Missed slots too many to be listed: every slot of the job's rule from first to last has this verdict.
    CREATE TABLE stretches (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, first_ms INTEGER NOT NULL,
      last_ms INTEGER NOT NULL, team_id INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
      recorded_ms INTEGER NOT NULL, PRIMARY KEY (job_id, first_ms), CHECK (first_ms <= last_ms)
    ) STRICT, WITHOUT ROWID;

    -- When the rule in force began, and the rules before it: what was due in the past can be told for ever, and a slot
    -- that a change of rule swept away is known by lying after settled_ms and not after until_ms.
    ALTER TABLE jobs ADD COLUMN since_ms INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE bygone_rules (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, generation INTEGER NOT NULL,
      team_id INTEGER NOT NULL, rule TEXT NOT NULL, zone TEXT NOT NULL, once_ms INTEGER, since_ms INTEGER NOT NULL,
      settled_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, PRIMARY KEY (job_id, generation)
    ) STRICT, WITHOUT ROWID;

    -- Times in which a living daemon did not look at the clock, or the clock was moved. Those between two daemons are
    -- read from epochs. (The key's columns stand first: SQLite 3.40's quick_check misreads such a table otherwise.)
    CREATE TABLE absences (
      epoch INTEGER NOT NULL, from_ms INTEGER NOT NULL, kind TEXT NOT NULL, to_ms INTEGER NOT NULL,
      PRIMARY KEY (epoch, from_ms, kind)
    ) STRICT, WITHOUT ROWID;

    -- job_id null: every job of the team. skips_left null: a pause.
    CREATE TABLE holds (
      hold_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      job_id INTEGER REFERENCES jobs (job_id) ON DELETE CASCADE, from_ms INTEGER NOT NULL, until_ms INTEGER,
      skips_left INTEGER CHECK (skips_left >= 0), note TEXT NOT NULL, set_by TEXT NOT NULL, ended_ms INTEGER,
      ended_by TEXT, CHECK (skips_left IS NULL OR (job_id IS NOT NULL AND until_ms IS NULL))
    ) STRICT;
    CREATE INDEX holds_by_team ON holds (team_id, from_ms);
    """

  /// Open runs are found by their job, too: a slot that falls due meanwhile is coalesced.
  static let attempts = """
    DROP INDEX runs_open;
    CREATE INDEX runs_open ON runs (job_id, outcome, epoch) WHERE outcome IN ('running', 'waiting');
    """
}
