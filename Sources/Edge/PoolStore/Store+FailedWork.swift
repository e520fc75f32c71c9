package import PoolModel
package import PoolWork

/// Work of the server whose newest run that came to an end failed: nobody did it since.
package struct FailedWork: Hashable, Sendable {
  package let kind: JobKind
  package let slot: Timestamp
  package let finishedAt: Timestamp
  /// A sentence.
  package let why: String
}

extension Store {
  /// Told until the work is done again, and not for a day only: a server without a backup is without one for weeks.
  package func failedWork() throws -> [FailedWork] {
    try connection.jobs(of: nil).compactMap { job in
      // A run that is under way or waits for another attempt has no verdict yet.
      let newest = try connection.first(
        """
        SELECT outcome = 'failed' AS has_failed, slot_ms, coalesce(finished_ms, slot_ms) AS finished_ms,
          coalesce(detail, reason, 'nobody knows why') AS why
        FROM runs WHERE job_id = ? AND outcome IN ('done', 'failed') ORDER BY slot_ms DESC LIMIT 1
        """, .integer(job.id.number)
      ) { row throws(StoreError) in
        (
          hasFailed: row.flag("has_failed"),
          work: FailedWork(
            kind: job.kind, slot: row.instant("slot_ms"), finishedAt: row.instant("finished_ms"), why: row.text("why"))
        )
      }
      return newest.flatMap { $0.hasFailed ? $0.work : nil }
    }
  }
}
