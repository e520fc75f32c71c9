extension Schema {
  /// Jobs, their past rules, and holds (pauses and skips).
  package static let jobs = """
    -- team_id null: the server's own. rule is a calendar expression, or empty where once_ms (or nothing) is due.
    -- cursor_ms is the last settled slot: the next one is always sought after it. generation rises with every change of the
    -- rule: a claim made for an older one is refused, so that nothing pending of an old setting fires. since_ms: when the
    -- rule in force began.
    CREATE TABLE jobs (
      job_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER REFERENCES teams (team_id) ON DELETE CASCADE,
      kind TEXT NOT NULL, rule TEXT NOT NULL, zone TEXT NOT NULL, once_ms INTEGER, generation INTEGER NOT NULL,
      cursor_ms INTEGER NOT NULL, since_ms INTEGER NOT NULL, UNIQUE (team_id, kind)
    ) STRICT;
    CREATE UNIQUE INDEX jobs_of_server ON jobs (kind) WHERE team_id IS NULL;

    -- The rules before the one in force: what was due in the past can be told for ever, and a slot that a change of rule
    -- swept away is known by lying after settled_ms and not after until_ms.
    CREATE TABLE past_rules (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, generation INTEGER NOT NULL,
      team_id INTEGER, rule TEXT NOT NULL, zone TEXT NOT NULL, once_ms INTEGER, since_ms INTEGER NOT NULL,
      settled_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, PRIMARY KEY (job_id, generation)
    ) STRICT, WITHOUT ROWID;

    -- job_id null: every job of the team, or of the server. skips_left null: a pause.
    CREATE TABLE holds (
      hold_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER REFERENCES teams (team_id) ON DELETE CASCADE,
      job_id INTEGER REFERENCES jobs (job_id) ON DELETE CASCADE, from_ms INTEGER NOT NULL, until_ms INTEGER,
      skips_left INTEGER CHECK (skips_left >= 0), note TEXT NOT NULL, set_by TEXT NOT NULL, ended_ms INTEGER,
      ended_by TEXT, CHECK (skips_left IS NULL OR (job_id IS NOT NULL AND until_ms IS NULL))
    ) STRICT;
    CREATE INDEX holds_by_team ON holds (team_id, from_ms);
    """

  /// Runs, and slots that passed without a run.
  package static let ledger = """
    -- A table that is its own key: a run is found, claimed and settled in one tree. note: what the clocks did to the slot.
    -- inputs: what the decision looked at. next_try_ms: of a waiting run.
    -- Words are checked one by one: for IN with more than two of them SQLite makes a table anew at every row that is
    -- written, which is a third of what a row of the ledger costs.
    CREATE TABLE runs (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, slot_ms INTEGER NOT NULL,
      team_id INTEGER, cause TEXT NOT NULL CHECK (cause = 'schedule' OR cause = 'manual'),
      outcome TEXT NOT NULL CHECK (
        outcome = 'running' OR outcome = 'waiting' OR outcome = 'done' OR outcome = 'notified' OR outcome = 'skipped'
        OR outcome = 'missed' OR outcome = 'coalesced' OR outcome = 'paused' OR outcome = 'failed'),
      reason TEXT, detail TEXT, epoch INTEGER NOT NULL, attempts INTEGER NOT NULL, as_of_ms INTEGER NOT NULL,
      started_ms INTEGER, finished_ms INTEGER, late_ms INTEGER, next_try_ms INTEGER, note TEXT, inputs TEXT,
      PRIMARY KEY (job_id, slot_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX runs_by_team ON runs (team_id, slot_ms);
    CREATE INDEX runs_by_slot ON runs (slot_ms);
    -- Open runs are found by their job, too: a slot that falls due meanwhile is coalesced.
    CREATE INDEX runs_open ON runs (job_id, outcome, epoch) WHERE outcome IN ('running', 'waiting');

    -- Missed slots too many to be listed: every slot of the job's rule from first to last has this verdict.
    CREATE TABLE missed_stretches (
      job_id INTEGER NOT NULL REFERENCES jobs (job_id) ON DELETE CASCADE, first_ms INTEGER NOT NULL,
      last_ms INTEGER NOT NULL, team_id INTEGER, reason TEXT NOT NULL, detail TEXT NOT NULL,
      recorded_ms INTEGER NOT NULL, PRIMARY KEY (job_id, first_ms), CHECK (first_ms <= last_ms)
    ) STRICT, WITHOUT ROWID;
    """

  /// Adds the job to the index by slot. Many teams of a zone share a slot; a server that uses the old index to find one run
  /// would read the runs of all of them.
  package static let runsBySlot = """
    DROP INDEX runs_by_slot;
    CREATE INDEX runs_by_slot ON runs (slot_ms, job_id);
    """
}
