package import FlowModel
import FlowPlatform

extension Store {
  @discardableResult
  package func prune(now: Timestamp, limit: Int = Limits.verdictsPrunedAtOnce) throws -> Int {
    let before = now.advanced(by: .zero - Limits.ledgerRetention)
    return try connection.transaction {
      let gone = try connection.rows(
        """
        DELETE FROM runs WHERE (job_id, slot_ms) IN (
          SELECT runs.job_id, runs.slot_ms FROM runs JOIN jobs ON jobs.job_id = runs.job_id
          WHERE runs.slot_ms < ?1 AND runs.slot_ms <= jobs.cursor_ms AND runs.outcome NOT IN ('running', 'waiting')
            AND NOT EXISTS (SELECT 1 FROM notices JOIN outbox ON outbox.notice_id = notices.notice_id
              WHERE notices.job_id = runs.job_id AND notices.slot_ms = runs.slot_ms AND outbox.state <> 'sent')
          ORDER BY runs.slot_ms LIMIT ?2)
        RETURNING CASE WHEN attempts > 0 THEN slot_ms ELSE 0 END
        """, .at(before), .integer(limit)
      ) { row throws(StoreError) in row.integer(0) }
      if let newest = gone.max() {
        try connection.run("UPDATE store SET forgotten_slot_ms = max(forgotten_slot_ms, ?)", .integer(newest))
      }
      // Explanations are deleted when all slots that they explain are.
      try connection.run("DELETE FROM missed_stretches WHERE last_ms < ?", .at(before))
      try connection.run("DELETE FROM absences WHERE to_ms < ?", .at(before))
      try connection.run("DELETE FROM past_rules WHERE until_ms < ?", .at(before))
      try connection.run(
        "DELETE FROM holds WHERE coalesce(ended_ms, until_ms) < ? AND coalesce(ended_ms, until_ms) IS NOT NULL",
        .at(before))
      try connection.trades.ownJobs.forgetEnded(before: before, on: connection)
      return gone.count
    }
  }

  package nonisolated var isOutOfDiskSpace: Bool { diskFullFlag.isSet }

  package var serverAway: String? { connection.server?.away }

  package func settleEpoch() throws { try connection.flushPendingWrite() }

  package func keepDiskReserve() throws {
    connection.reserve?.keep()
    guard connection.file != nil else { return }
    try StoreOpening.limitLogSize(connection, path: path)
  }
}
