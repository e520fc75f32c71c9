package import PoolModel
package import PoolWork

/// What the newest runs of one job come to.
package struct JobFigures: Hashable, Sendable {
  package let record: JobRecord
  /// When a run last ended well: it spoke, was rightly silent, or did its work.
  package let lastSuccess: Timestamp?
  /// Of the newest run that was begun.
  package let lateness: Duration?
  package let duration: Duration?
  /// Failed runs since the last success, counted among the newest `Limits.runsInMetrics`.
  package let consecutiveFailures: Int
}

extension StoreReader {
  /// - Parameter end: slots after it, which a clock that was ahead has run, are no news of today.
  /// - Returns: the figures of every job; nil where there are more than `limit`.
  package func figures(limit: Int, notAfter end: Timestamp? = nil) throws -> [JobFigures]? {
    try read { connection in
      let jobs = try connection.jobs()
      guard jobs.count <= limit else { return nil }
      return try jobs.map { try connection.figures(of: $0, notAfter: end) }
    }
  }
}

extension Connection {
  fileprivate func figures(of job: JobRecord, notAfter end: Timestamp?) throws(StoreError) -> JobFigures {
    let newest = try rows(
      """
      SELECT outcome, started_ms, finished_ms, late_ms FROM runs WHERE job_id = ? AND slot_ms <= ?
      ORDER BY slot_ms DESC LIMIT ?
      """, .integer(job.id.number), .at(end ?? Timestamp(milliseconds: .max)), .integer(Limits.runsInMetrics)
    ) { row throws(StoreError) in
      (
        outcome: try row.word("outcome", table: "runs") as RunOutcome, started: row.optionalInstant("started_ms"),
        finished: row.optionalInstant("finished_ms"), late: row.optionalInteger("late_ms")
      )
    }
    let successes: Set<RunOutcome> = [.done, .notified, .skipped]
    let begun = newest.first { $0.started != nil && $0.finished != nil }
    return JobFigures(
      record: job, lastSuccess: newest.first { successes.contains($0.outcome) }?.finished,
      lateness: begun?.late.map { .milliseconds($0) },
      duration: begun.flatMap { run in run.started.flatMap { run.finished?.since($0) } },
      consecutiveFailures: newest.prefix { !successes.contains($0.outcome) }.count { $0.outcome == .failed })
  }
}
