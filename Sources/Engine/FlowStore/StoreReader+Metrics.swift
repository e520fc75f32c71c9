package import FlowModel
package import FlowWork

/// Figures about a job's newest runs.
package struct JobFigures: Hashable, Sendable {
  package let record: JobRecord
  /// End of the last successful run: it sent a notice, was rightly suppressed, or did its work.
  package let lastSuccess: Timestamp?
  /// Delay of the newest run that has finished.
  package let lateness: Duration?
  package let duration: Duration?
  /// Failed runs since the last success, among the newest `Limits.runsInMetrics`.
  package let consecutiveFailures: Int
}

extension StoreReader {
  /// - Parameter end: later slots are ignored; they ran while the clock was ahead.
  /// - Returns: the figures of every job; nil if there are more than `limit` jobs.
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
