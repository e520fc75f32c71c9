package import PoolModel
package import PoolWork

/// A rule of a job and the time in which it was in force.
package struct RuleSpan: Hashable, Sendable {
  package let rule: JobRule
  package let zone: String
  package let since: Timestamp
  /// Nil for the rule in force.
  package let until: Timestamp?
  /// The last slot settled under it.
  package let settled: Timestamp

  /// A rule's first slot comes after its beginning, and its last not after its end.
  package func covers(_ slot: Timestamp) -> Bool { slot > since && until.map { slot <= $0 } ?? true }
}

extension Store {
  /// Every rule that a job has had, the oldest first.
  package func rules(of job: JobID) throws -> [RuleSpan] {
    try connection.rows(
      """
      SELECT rule, zone, once_ms, since_ms, until_ms, settled_ms, generation FROM past_rules WHERE job_id = ?1
      UNION ALL SELECT rule, zone, once_ms, since_ms, NULL, cursor_ms, generation FROM jobs WHERE job_id = ?1
      ORDER BY generation
      """, .integer(job.number)
    ) { row throws(StoreError) in
      let text = row.text("rule")
      return RuleSpan(
        rule: row.optionalInstant("once_ms").map { .once($0) } ?? (text.isEmpty ? .never : .calendar(text)),
        zone: row.text("zone"), since: row.instant("since_ms"), until: row.optionalInstant("until_ms"),
        settled: row.instant("settled_ms"))
    }
  }

  /// The missed stretch that covers a slot.
  package func stretch(of job: JobID, covering slot: Timestamp) throws -> PassedStretch? {
    try connection.first(
      """
      SELECT first_ms, last_ms, reason, detail FROM missed_stretches WHERE job_id = ?1 AND first_ms <= ?2 AND last_ms >= ?2
      ORDER BY first_ms DESC LIMIT 1
      """, .integer(job.number), .at(slot)
    ) { row throws(StoreError) in
      PassedStretch(
        jobID: job, generation: 0, first: row.instant("first_ms"), last: row.instant("last_ms"),
        reason: row.text("reason"),
        detail: row.text("detail"))
    }
  }
}
