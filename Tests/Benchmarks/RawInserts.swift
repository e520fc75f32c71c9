import CSQLite
import Foundation

/// The baseline of a shared morning: the same rows inserted through SQLite's C interface, in one durable transaction.
///
/// For each of `count` jobs: its watermark updated, a run, and with `hasNotices` a notice of 600 bytes and an outbox entry for
/// each of two sinks. Nothing is read, decided or checked.
enum RawInserts {
  private static let schema = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE jobs (job_id INTEGER PRIMARY KEY, kind TEXT, watermark INTEGER);
    CREATE TABLE runs (job_id INTEGER, slot INTEGER, outcome TEXT, started INTEGER, finished INTEGER, reason TEXT,
      PRIMARY KEY (job_id, slot)) WITHOUT ROWID;
    CREATE TABLE notices (notice_id TEXT PRIMARY KEY, job_id INTEGER, slot INTEGER, body TEXT);
    CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, notice_id TEXT, sink TEXT, state TEXT, due INTEGER);
    CREATE INDEX due ON outbox (sink, state, due);
    """

  /// - Parameter path: of a new database.
  /// - Returns: the seconds of the transaction.
  static func seconds(_ count: Int, hasNotices: Bool, path: String) throws -> Double {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw BenchFailure(description: "cannot open '\(path)'") }
    try execute(schema, database)
    let job = try prepared("INSERT INTO jobs VALUES (?1, 'morning-summary', 0)", database)
    let watermark = try prepared("UPDATE jobs SET watermark = ?2 WHERE job_id = ?1", database)
    let run = try prepared("INSERT INTO runs VALUES (?1, ?2, 'notified', ?2, ?2, 'no-visits')", database)
    let notice = try prepared(
      "INSERT INTO notices VALUES (?2 || '-weekly-digest-' || ?1, ?1, ?2, hex(zeroblob(300)))", database)
    let entries = try ["drop", "stdout"].map { sink in
      try prepared(
        "INSERT INTO outbox VALUES (NULL, ?2 || '-weekly-digest-' || ?1, '\(sink)', 'pending', ?2)", database)
    }
    let all = [job, watermark, run, notice] + entries
    defer { for statement in all { sqlite3_finalize(statement) } }
    try execute("BEGIN", database)
    for number in 0..<count { try step(job, Int64(number), database) }
    try execute("COMMIT", database)
    return try milliseconds {
      try execute("BEGIN IMMEDIATE", database)
      for statement in [watermark, run] + (hasNotices ? [notice] + entries : []) {
        for number in 0..<count { try step(statement, Int64(number), database) }
      }
      try execute("COMMIT", database)
    } / 1_000
  }

  private static func execute(_ text: String, _ database: OpaquePointer?) throws {
    guard sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else { throw failure(database) }
  }

  private static func prepared(_ text: String, _ database: OpaquePointer?) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else { throw failure(database) }
    return statement
  }

  private static func step(_ statement: OpaquePointer?, _ job: Int64, _ database: OpaquePointer?) throws {
    sqlite3_bind_int64(statement, 1, job)
    if sqlite3_bind_parameter_count(statement) > 1 { sqlite3_bind_int64(statement, 2, 1_772_460_000_000) }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure(database) }
    sqlite3_reset(statement)
  }

  private static func failure(_ database: OpaquePointer?) -> BenchFailure {
    BenchFailure(description: "SQLite: \(String(cString: sqlite3_errmsg(database)))")
  }
}
