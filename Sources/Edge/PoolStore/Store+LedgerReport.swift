package import PoolModel
package import PoolWork

/// A rule of a job and the time in which it was effective.
package struct RuleSpan: Hashable, Sendable {
  package let rule: JobRule
  package let timing: JobTiming
  package let zone: String
  package let since: Timestamp
  /// Nil for the present rule.
  package let until: Timestamp?
  /// The last slot settled under it.
  package let settled: Timestamp

  /// True if `slot` belongs to this rule: after `since`, up to and including `until`.
  package func covers(_ slot: Timestamp) -> Bool { slot > since && until.map { slot <= $0 } ?? true }
}

extension Store {
  package func rules(of job: JobID) throws -> [RuleSpan] {
    try connection.rows(
      """
      SELECT rule, options, zone, once_ms, since_ms, until_ms, settled_ms, generation FROM past_rules WHERE job_id = ?1
      UNION ALL SELECT rule, options, zone, once_ms, since_ms, NULL, cursor_ms, generation FROM jobs WHERE job_id = ?1
      ORDER BY generation
      """, .integer(job.number)
    ) { row throws(StoreError) in
      let text = row.text("rule")
      return RuleSpan(
        rule: row.optionalInstant("once_ms").map { .once($0) } ?? (text.isEmpty ? .never : .calendar(text)),
        timing: try Connection.timing(row, table: "past_rules"),
        zone: row.text("zone"), since: row.instant("since_ms"), until: row.optionalInstant("until_ms"),
        settled: row.instant("settled_ms"))
    }
  }

  package func skippedRange(of job: JobID, covering slot: Timestamp) throws -> SkippedSlotRange? {
    try connection.first(
      """
      SELECT first_ms, last_ms, reason, detail FROM missed_stretches WHERE job_id = ?1 AND first_ms <= ?2 AND last_ms >= ?2
      ORDER BY first_ms DESC LIMIT 1
      """, .integer(job.number), .at(slot)
    ) { row throws(StoreError) in
      SkippedSlotRange(
        jobID: job, generation: 0, first: row.instant("first_ms"), last: row.instant("last_ms"),
        reason: row.text("reason"),
        detail: row.text("detail"))
    }
  }
}

/// A server job whose newest finished run failed.
package struct FailedWork: Hashable, Sendable {
  package let kind: JobKind
  package let slot: Timestamp
  package let finishedAt: Timestamp
  package let why: String
}

extension Store {
  package nonisolated func failedWork() async throws -> [FailedWork] {
    try await readConcurrently { connection in
      try connection.jobs(of: nil).compactMap { job in
        // A run that is running or waits for a retry has no verdict yet.
        let newest = try connection.first(
          """
          SELECT outcome = 'failed' AS has_failed, slot_ms, coalesce(finished_ms, slot_ms) AS finished_ms,
            coalesce(detail, reason, 'no reason was recorded') AS why
          FROM runs WHERE job_id = ? AND outcome IN ('done', 'failed') ORDER BY slot_ms DESC LIMIT 1
          """, .integer(job.id.number)
        ) { row throws(StoreError) in
          (
            hasFailed: row.flag("has_failed"),
            work: FailedWork(
              kind: job.kind, slot: row.instant("slot_ms"), finishedAt: row.instant("finished_ms"), why: row.text("why")
            )
          )
        }
        return newest.flatMap { $0.hasFailed ? $0.work : nil }
      }
    }
  }
}
