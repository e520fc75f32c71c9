package import FlowStore
import TradeStores

extension Schema {
  /// The current migrations and possible future ones: a table replaced as in sqlite.org/lang_altertable, a column, and indexes
  /// until the version has two digits.
  package static let next: [String] =
    migrations + [
      """
      CREATE TABLE jobs_2 (
        job_id INTEGER PRIMARY KEY AUTOINCREMENT, team_id INTEGER REFERENCES teams (team_id) ON DELETE CASCADE,
        kind TEXT NOT NULL, rule TEXT NOT NULL, zone TEXT NOT NULL, once_ms INTEGER, generation INTEGER NOT NULL,
        cursor_ms INTEGER NOT NULL, since_ms INTEGER NOT NULL, options TEXT NOT NULL, note TEXT, UNIQUE (team_id, kind)
      ) STRICT;
      INSERT INTO jobs_2 (job_id, team_id, kind, rule, zone, once_ms, generation, cursor_ms, since_ms, options)
      SELECT job_id, team_id, kind, rule, zone, once_ms, generation, cursor_ms, since_ms, options FROM jobs;
      -- Numbers are never used again, those of removed teams' jobs neither.
      DELETE FROM sqlite_sequence WHERE name = 'jobs_2';
      INSERT INTO sqlite_sequence (name, seq) SELECT 'jobs_2', seq FROM sqlite_sequence WHERE name = 'jobs';
      DROP TABLE jobs;
      ALTER TABLE jobs_2 RENAME TO jobs;
      CREATE UNIQUE INDEX jobs_of_server ON jobs (kind) WHERE team_id IS NULL;
      """,
      "ALTER TABLE teams ADD COLUMN phone TEXT;",
    ] + (1...9).map { "CREATE INDEX pools_by_customer_\($0) ON pools (team_id, customer_name);" }
}
