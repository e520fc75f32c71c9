import FlowModel
import FlowWork

// Single-row writes for a SQLite file. A server takes the same rows as lists (`ServerBatches`); in a file a statement is a
// function call, and a list would cost more than it saves.

extension Connection {
  /// Advances the job's cursor to that of the tick, never backwards.
  ///
  /// - Returns: false if the job was removed or its generation changed since it was planned.
  func moveCursor(_ tick: JobTick) throws(StoreError) -> Bool {
    try run(
      "UPDATE jobs SET cursor_ms = max(cursor_ms, ?) WHERE job_id = ? AND generation = ?", .at(tick.cursor),
      .integer(tick.jobID.number), .integer(tick.generation)) == 1
  }

  /// Records the verdict of a slot that passed without a run, unless the slot has a verdict already. A skipped slot uses up
  /// one skip of its hold.
  func insert(_ passed: SkippedSlot, team: TeamID?, epoch: Int64, now: Timestamp) throws(StoreError) {
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

  /// Writes the outcome of a run.
  ///
  /// - Returns: false if the run is no longer claimed by this epoch; nothing is written then.
  func end(_ settlement: RunSettlement, epoch: Int64) throws(StoreError) -> Bool {
    try run(
      """
      UPDATE runs SET outcome = ?, reason = ?, detail = ?, inputs = ?, finished_ms = ?, next_try_ms = ?
      WHERE job_id = ? AND slot_ms = ? AND outcome = 'running' AND epoch = ?
      """, .text(settlement.outcome.result.rawValue), .optional(settlement.outcome.reason),
      .optional(settlement.outcome.detail), .optional(settlement.outcome.account?.words), .at(settlement.finishedAt),
      .at(settlement.nextTryAt), .integer(settlement.run.jobID.number), .at(settlement.run.slot), .integer(epoch)) == 1
  }

  /// Marks a `pending` outbox entry as `staged`; other states are kept.
  func markStaged(_ sequence: Int64) throws(StoreError) {
    try run("UPDATE outbox SET state = 'staged' WHERE sequence = ? AND state = 'pending'", .integer(sequence))
  }

  /// Marks an outbox entry as `sent` and clears its last error.
  func markSent(_ sequence: Int64, at now: Timestamp) throws(StoreError) {
    try run(
      "UPDATE outbox SET state = 'sent', sent_ms = ?, last_error = NULL WHERE sequence = ? AND state <> 'sent'",
      .at(now), .integer(sequence))
  }
}
