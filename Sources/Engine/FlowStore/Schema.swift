/// The engine's parts of the database schema, by the version that they lead to. A trade adds its own (`TradeStore.schemaParts`). A
/// released part never changes.
///
/// Every table has its team's number. Instants are whole milliseconds UTC (`_ms`), ids of the app are UUID text in upper case.
/// The SQL is also valid for PostgreSQL where that costs nothing.
package enum Schema {
  /// Application id of a store file: "pool".
  package static let applicationID = 0x706F_6F6C
  /// Application id of stores made before the first release, "pflw"; they have their own schema numbers.
  static let developmentID = 0x7066_6C77

  private static let parts: [Int: String] = [
    1: [server, teams, jobs, ledger, delivery].joined(separator: "\n"),
    2: timings,
    3: daysOff,
    4: daysWork,
    5: people,
    6: receipts,
    7: trades,
    8: runsBySlot,
    11: defaultVolume,
    12: bothUnits,
    13: amountsByKind,
    14: dosingMethod,
    16: [lsiMethod, forecasts, weatherWarnings].joined(separator: "\n"),
  ]

  /// The migrations from each version to the next: the engine's part, then those of the trades. A version of a trade that this
  /// build does not have is an empty migration.
  static func migrations(with trades: [any TradeStore]) -> [String] {
    let all = [parts] + trades.map(\.schemaParts)
    let newest = all.flatMap(\.keys).max() ?? 0
    return (1...newest).map { version in all.compactMap { $0[version] }.joined(separator: "\n") }
  }
}

extension Schema {
  /// Tables without a team: the store itself, epochs, the clock, the audit log, backups.
  package static let server = """
    -- One row, made with the file. install: the store's own mark, part of every notice's identity.
    -- clock_confirmed_ms and clock_doubted_ms: how far the clock is believed; null before the first look at it.
    -- forgotten_slot_ms: the newest slot of a run that pruning has forgotten. refreshed_ms: when the water was last looked
    -- at by night.
    CREATE TABLE store (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1), install TEXT NOT NULL, clock_confirmed_ms INTEGER,
      clock_doubted_ms INTEGER, forgotten_slot_ms INTEGER NOT NULL, refreshed_ms INTEGER
    ) STRICT;
    INSERT INTO store (only_row, install, forgotten_slot_ms) VALUES (1, lower(hex(randomblob(4))), 0);

    -- One row a daemon's life: a run left 'running' by an earlier epoch is an orphan, whatever its age.
    CREATE TABLE epochs (
      epoch INTEGER PRIMARY KEY, started_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL, ended_ms INTEGER,
      version TEXT NOT NULL
    ) STRICT;

    -- Times in which a living daemon did not look at the clock, or the clock was moved. Those between two daemons are
    -- read from epochs. (The key's columns stand first: SQLite 3.40's quick_check misreads such a table otherwise.)
    CREATE TABLE absences (
      epoch INTEGER NOT NULL, from_ms INTEGER NOT NULL, kind TEXT NOT NULL, to_ms INTEGER NOT NULL,
      PRIMARY KEY (epoch, from_ms, kind)
    ) STRICT, WITHOUT ROWID;

    -- What was taken back when the clock came right last: one row, or none. since_ms null: the clock was only set back.
    CREATE TABLE clock_mend (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1), mended_ms INTEGER NOT NULL, ahead_ms INTEGER NOT NULL,
      since_ms INTEGER, jobs INTEGER NOT NULL, slots INTEGER NOT NULL, early_runs INTEGER NOT NULL,
      retries INTEGER NOT NULL
    ) STRICT;

    -- Who changed what. result is null while the change is under way; one that a crash cut off stays so.
    CREATE TABLE audit (
      entry INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, uid INTEGER NOT NULL, user_name TEXT,
      command TEXT NOT NULL, result TEXT, finished_ms INTEGER
    ) STRICT;

    -- What was backed up. manifest_sha256 covers the manifest, and that every file of the backup: a copy of a backup's
    -- checksum that does not lie beside the backup.
    CREATE TABLE backups (
      backup_id TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, reason TEXT NOT NULL, bytes INTEGER NOT NULL,
      manifest_sha256 TEXT NOT NULL, verified_ms INTEGER, finding TEXT
    ) STRICT, WITHOUT ROWID;
    """

  /// Teams, their technicians, failures in their work, and their imported files.
  package static let teams = """
    -- currency null: what language and zone suggest. photo_change: the last replacement of the team's visits and photos.
    CREATE TABLE teams (
      team_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, zone TEXT NOT NULL, language TEXT NOT NULL,
      units TEXT NOT NULL, objective TEXT NOT NULL, plan TEXT NOT NULL CHECK (plan IN ('free', 'trial', 'paid')),
      trial_expires_ms INTEGER, notifications_enabled INTEGER NOT NULL, morning_summary INTEGER NOT NULL,
      low_stock INTEGER NOT NULL, weekly_digest INTEGER NOT NULL, morning_time_s INTEGER NOT NULL,
      clock TEXT NOT NULL CHECK (clock IN ('auto', '12h', '24h')), currency TEXT, created_ms INTEGER NOT NULL,
      photo_change TEXT, CHECK ((plan = 'trial') = (trial_expires_ms IS NOT NULL))
    ) STRICT;

    CREATE TABLE technicians (
      technician_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      name TEXT NOT NULL, name_key TEXT NOT NULL, is_default INTEGER NOT NULL, UNIQUE (team_id, name_key)
    ) STRICT;

    -- What of a team stands in the way of a work, and whether the operator was told.
    CREATE TABLE troubles (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, work TEXT NOT NULL, why TEXT NOT NULL,
      since_ms INTEGER NOT NULL, is_told INTEGER NOT NULL, PRIMARY KEY (team_id, work)
    ) STRICT, WITHOUT ROWID;

    -- What of the inbox was imported and has not its last name yet: the row comes with the import's own transaction, so
    -- that no crash imports a file twice.
    CREATE TABLE inbox_claims (
      claim TEXT PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      at_ms INTEGER NOT NULL, report TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// A setting: the default water volume of a team's new pools.
  static let defaultVolume = """
    -- NULL: what is usual in the team's region.
    ALTER TABLE teams ADD COLUMN default_volume_gal REAL;
    """

  /// A setting: the team's texts show figures in both systems of units.
  package static let bothUnits = """
    ALTER TABLE teams ADD COLUMN show_both_units INTEGER NOT NULL DEFAULT 0;
    """

  /// Amounts by kind become the default, also for teams that never chose their units. A team chose them if the audit log says
  /// so, or may have if the log does not reach back to the team's beginning or the team had another name.
  package static let amountsByKind = """
    ALTER TABLE teams ADD COLUMN amounts TEXT NOT NULL DEFAULT 'by-kind' CHECK (amounts IN ('app', 'by-kind'));
    UPDATE teams SET amounts = 'app' WHERE dose_units = 'app'
      AND (created_ms < coalesce((SELECT min(at_ms) FROM audit), created_ms + 1)
        OR EXISTS (SELECT 1 FROM audit WHERE command LIKE 'team set ' || teams.name || ' %dose-units=%')
        OR EXISTS (SELECT 1 FROM audit WHERE command LIKE 'team rename % ' || teams.name));
    ALTER TABLE teams DROP COLUMN dose_units;
    ALTER TABLE teams RENAME COLUMN amounts TO dose_units;
    """

  /// A setting: the method that gives the amounts of acid and soda ash for a pH.
  package static let dosingMethod = """
    ALTER TABLE teams ADD COLUMN dosing TEXT NOT NULL DEFAULT 'app' CHECK (dosing IN ('app', 'carbonate'));
    """

  /// A setting: the method that gives the saturation index.
  package static let lsiMethod = """
    ALTER TABLE teams ADD COLUMN lsi_method TEXT NOT NULL DEFAULT 'app' CHECK (lsi_method IN ('app', 'ph-corrected'));
    """

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

  /// Rules that people choose. `options` has the other choices, such as `catch-up=none; jitter=10min`.
  package static let timings = """
    ALTER TABLE jobs ADD COLUMN options TEXT NOT NULL DEFAULT '';
    ALTER TABLE past_rules ADD COLUMN options TEXT NOT NULL DEFAULT '';

    -- What a team chose for a job of its own; rule is empty where it chose none.
    CREATE TABLE job_timings (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, kind TEXT NOT NULL, rule TEXT NOT NULL,
      options TEXT NOT NULL, PRIMARY KEY (team_id, kind)
    ) STRICT, WITHOUT ROWID;

    -- What the settings said of a kind for all teams when its jobs were planned last.
    CREATE TABLE default_timings (
      kind TEXT PRIMARY KEY, rule TEXT NOT NULL, options TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Days off, reminders, the route preview on the evening before, and the order and timing of a day's route.
  package static let daysOff = """
    ALTER TABLE teams ADD COLUMN route_preview INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE teams ADD COLUMN route_order TEXT NOT NULL DEFAULT 'kept' CHECK (route_order IN ('kept', 'best'));
    -- day_start_s null: an hour after the morning's notice.
    ALTER TABLE teams ADD COLUMN day_start_s INTEGER;
    ALTER TABLE teams ADD COLUMN stop_minutes INTEGER NOT NULL DEFAULT 20;
    ALTER TABLE teams ADD COLUMN windows TEXT NOT NULL DEFAULT 'respect' CHECK (windows IN ('ignore', 'warn', 'respect'));

    -- technician_id null: the whole team is closed. days: `2026-12-24..2026-12-26`, or `*-12-25` for days of every year.
    CREATE TABLE days_off (
      day_off_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      technician_id INTEGER REFERENCES technicians (technician_id) ON DELETE CASCADE, days TEXT NOT NULL,
      note TEXT NOT NULL, set_by TEXT NOT NULL
    ) STRICT;
    CREATE INDEX days_off_by_team ON days_off (team_id);

    -- Its job is 'reminder-' and its name. rule is empty where once_ms is due. technician_id null: the whole team's.
    -- times_left null: without an end. The job of one that was removed stays, with what it told.
    CREATE TABLE reminders (
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, name TEXT NOT NULL, title TEXT NOT NULL,
      body TEXT NOT NULL, technician_id INTEGER REFERENCES technicians (technician_id) ON DELETE SET NULL,
      severity TEXT NOT NULL, told_when TEXT NOT NULL, rule TEXT NOT NULL, once_ms INTEGER,
      times_left INTEGER CHECK (times_left >= 0), set_by TEXT NOT NULL, PRIMARY KEY (team_id, name),
      CHECK ((rule = '') = (once_ms IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    """

  /// The units in which a team reads doses.
  package static let daysWork = """
    -- app: as the app writes amounts, dry and liquid alike; by-kind: liquids by volume, solids by weight.
    ALTER TABLE teams ADD COLUMN dose_units TEXT NOT NULL DEFAULT 'app' CHECK (dose_units IN ('app', 'by-kind'));
    """

  /// Contact data of technicians and offices, and the person that a notice is for.
  package static let people = """
    -- technician_id null: the team's office. language null: the team's. quiet: `22:00-06:00`, or empty. wants: words with
    -- spaces between. addresses: `mail maria@example.com`, a line each.
    CREATE TABLE people (
      person_id INTEGER PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE,
      technician_id INTEGER UNIQUE REFERENCES technicians (technician_id) ON DELETE CASCADE, language TEXT,
      quiet TEXT NOT NULL, wants TEXT NOT NULL, addresses TEXT NOT NULL
    ) STRICT;
    CREATE INDEX people_by_team ON people (team_id);
    CREATE UNIQUE INDEX people_office ON people (team_id) WHERE technician_id IS NULL;

    -- person null: for the whole team, or of the server. Else `t12` for a technician, `o3` for an office.
    ALTER TABLE notices ADD COLUMN person TEXT;
    """

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

  /// Forecasts of teams of every trade. Stores with stables have these tables since schema 7.
  static let forecasts = """
    -- The newest of a team has the highest number; the one before is kept with it. digest: SHA-256 of the file.
    CREATE TABLE IF NOT EXISTS forecasts (
      forecast_id INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id INTEGER NOT NULL REFERENCES teams (team_id) ON DELETE CASCADE, digest TEXT NOT NULL, source TEXT NOT NULL,
      place TEXT NOT NULL, issued_ms INTEGER NOT NULL, imported_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS forecasts_by_team ON forecasts (team_id);

    CREATE TABLE IF NOT EXISTS forecast_hours (
      forecast_id INTEGER NOT NULL REFERENCES forecasts (forecast_id) ON DELETE CASCADE, start_ms INTEGER NOT NULL,
      air_c REAL NOT NULL, wind_kmh REAL, rain_mm REAL, rain_probability REAL, PRIMARY KEY (forecast_id, start_ms)
    ) STRICT, WITHOUT ROWID;
    """

  /// Settings: the temperature and the amount of rain of which the evening before warns.
  static let weatherWarnings = """
    -- °C, and mm in a working day; null: off.
    ALTER TABLE teams ADD COLUMN freeze_warning_c REAL DEFAULT 0;
    ALTER TABLE teams ADD COLUMN rain_hint_mm REAL DEFAULT 10;
    """

  /// The trade of each team.
  static let trades = """
    ALTER TABLE teams ADD COLUMN trade TEXT NOT NULL DEFAULT 'pool-service'
      CHECK (trade = 'pool-service' OR trade = 'stable');
    -- The words of the jobs that the team switched off, with blanks between.
    ALTER TABLE teams ADD COLUMN silenced TEXT NOT NULL DEFAULT '';
    """
}
