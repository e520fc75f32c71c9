import PoolModel
import PoolWork

// The rows that a server takes as lists (`Connection+Sets`), one by one: in a file a statement is a call, and a list would cost
// more than it saves.

extension Connection {
  /// - Returns: whether the job is as it was planned.
  func moveCursor(_ look: JobLook) throws(StoreError) -> Bool {
    try run(
      "UPDATE jobs SET cursor_ms = max(cursor_ms, ?) WHERE job_id = ? AND generation = ?", .at(look.cursor),
      .integer(look.jobID.number), .integer(look.generation)) == 1
  }

  func insert(_ passed: PassedSlot, team: TeamID?, epoch: Int64, now: Timestamp) throws(StoreError) {
    let recorded = try run(
      """
      INSERT INTO runs (job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, finished_ms,
        late_ms)
      VALUES (?, ?, ?, 'schedule', ?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (job_id, slot_ms) DO NOTHING
      """, .integer(passed.jobID.number), .at(passed.slot), .optional(team?.number), .text(passed.outcome.rawValue),
      .text(passed.reason), .text(passed.detail), .integer(epoch), .at(passed.slot), .at(now),
      .integer(max(0, now.milliseconds - passed.slot.milliseconds)))
    if recorded == 1, passed.outcome == .skipped, let hold = passed.holdID { try useSkip(of: hold) }
  }

  /// - Returns: whether its claim was still this life's.
  func end(_ settlement: RunSettlement, epoch: Int64) throws(StoreError) -> Bool {
    try run(
      """
      UPDATE runs SET outcome = ?, reason = ?, detail = ?, inputs = ?, finished_ms = ?, next_try_ms = ?
      WHERE job_id = ? AND slot_ms = ? AND outcome = 'running' AND epoch = ?
      """, .text(settlement.outcome.result.rawValue), .optional(settlement.outcome.reason),
      .optional(settlement.outcome.detail), .optional(settlement.outcome.account?.words), .at(settlement.finishedAt),
      .at(settlement.nextTryAt), .integer(settlement.run.jobID.number), .at(settlement.run.slot), .integer(epoch)) == 1
  }

  func markStaged(_ sequence: Int64) throws(StoreError) {
    try run("UPDATE outbox SET state = 'staged' WHERE sequence = ? AND state = 'pending'", .integer(sequence))
  }

  func markSent(_ sequence: Int64, at now: Timestamp) throws(StoreError) {
    try run(
      "UPDATE outbox SET state = 'sent', sent_ms = ?, last_error = NULL WHERE sequence = ? AND state <> 'sent'",
      .at(now), .integer(sequence))
  }
}
