package import FlowModel
package import FlowWork
import Trades

extension Store {
  package func waitingRuns() throws -> [RunKey: Timestamp] {
    let found = try connection.readableRows(
      """
      SELECT job_id, slot_ms, next_try_ms FROM runs
      WHERE outcome IN ('running', 'waiting') AND outcome = 'waiting'\(connection.ours("team_id"))
      """
    ) { row throws(StoreError) in
      (RunKey(jobID: JobID(row.integer(0)), slot: row.instant(1)), row.instant(2))
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  package func unsettledRuns() throws -> [ClaimedRun] {
    try connection.readableRows(
      """
      SELECT \(Connection.claimColumns), started_ms FROM runs
      WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch = ? ORDER BY slot_ms, job_id
      """, [.integer(epoch)]
    ) { row throws(StoreError) in try Connection.claimedRun(row, startedAt: row.instant("started_ms")) }
  }

  package func retry(_ keys: [RunKey], now: Timestamp) throws -> [ClaimedRun] {
    try connection.transaction {
      var granted: [ClaimedRun] = []
      for key in keys {
        granted += try connection.readableRows(
          """
          UPDATE runs SET outcome = 'running', epoch = ?, attempts = attempts + 1, started_ms = ?, next_try_ms = NULL
          WHERE job_id = ? AND slot_ms = ? AND outcome = 'waiting'\(connection.ours("team_id"))
          RETURNING \(Connection.claimColumns)
          """, [.integer(epoch), .at(now), .integer(key.jobID.number), .at(key.slot)]
        ) { row throws(StoreError) in try Connection.claimedRun(row, startedAt: now) }
      }
      return granted
    }
  }

  package func cancelWaiting(_ key: RunKey, detail: String, now: Timestamp) throws -> Bool {
    try connection.run(
      """
      UPDATE runs SET outcome = 'skipped', reason = 'cancelled', detail = ?, finished_ms = ?, next_try_ms = NULL
      WHERE job_id = ? AND slot_ms = ? AND outcome = 'waiting'
      """, .text(detail), .at(now), .integer(key.jobID.number), .at(key.slot)) == 1
  }
}

extension Connection {
  static let claimColumns = """
    job_id, team_id, (SELECT kind FROM jobs WHERE jobs.job_id = runs.job_id) AS kind,
      (SELECT zone FROM jobs WHERE jobs.job_id = runs.job_id) AS zone,
      (SELECT options FROM jobs WHERE jobs.job_id = runs.job_id) AS options, slot_ms, cause, as_of_ms, attempts
    """

  /// Reads a row with `claimColumns`.
  static func claimedRun(_ row: Statement, startedAt now: Timestamp) throws(StoreError) -> ClaimedRun {
    ClaimedRun(
      jobID: JobID(row.integer("job_id")), teamID: row.optionalInteger("team_id").map { TeamID($0) },
      kind: try row.word("kind", table: "jobs"), zone: row.text("zone"), slot: row.instant("slot_ms"),
      cause: try row.word("cause", table: "runs"), asOf: row.instant("as_of_ms"), startedAt: now,
      attempts: row.number("attempts"), timing: try timing(row, table: "jobs"))
  }

  /// The running or waiting scheduled run of each job; a job has at most one.
  ///
  /// One query on a partial index is faster than a query for each of ten thousand jobs.
  func openSlots() throws(StoreError) -> [JobID: Timestamp] {
    let open = try readableRows(
      "SELECT job_id, slot_ms FROM runs WHERE outcome IN ('running', 'waiting') AND cause = 'schedule'"
    ) { row throws(StoreError) in (JobID(row.integer(0)), row.instant(1)) }
    return Dictionary(open, uniquingKeysWith: { first, _ in first })
  }

  /// Skips the waiting run of a job whose rule has changed.
  func sweepWaiting(team: TeamID?, kind: String, now: Timestamp) throws(StoreError) {
    try run(
      """
      UPDATE runs SET outcome = 'skipped', reason = 'rule-changed', finished_ms = ?, next_try_ms = NULL,
        detail = 'the rule was changed while it waited for its next attempt'
      WHERE outcome IN ('running', 'waiting') AND outcome = 'waiting'
        AND job_id = (SELECT job_id FROM jobs WHERE team_id IS ? AND kind = ?)
      """, .at(now), .optional(team?.number), .text(kind))
  }
}
