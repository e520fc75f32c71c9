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
}
