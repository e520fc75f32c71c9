package import FlowModel
import FlowPlatform
package import FlowWork
import Synchronization

/// Jobs and facts for a simulation, read in one snapshot.
package struct StoreImage: Sendable {
  package let jobs: [JobRecord]
  /// Facts of every readable team, sufficient for any decision.
  package let facts: [TeamID: any DecisionFacts]
}

/// Reads on its own connection and queue, so that the store's actor never waits for it. The connection cannot write and does
/// no checkpoint.
package actor StoreReader {
  private nonisolated let executor = QueueExecutor(label: "org.poolflow.store-reader")
  let place: StoreLocation

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let trades: StoreTrades

  package init(place: StoreLocation, trades: StoreTrades) {
    self.place = place
    self.trades = trades
  }

  /// Runs `body` on a new connection, in one consistent snapshot.
  package func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let connection = try Connection.reading(place, trades)
    return try connection.snapshot { try body(connection) }
  }

  /// Jobs and facts of one team or of all.
  ///
  /// - Parameters:
  ///   - team: nil for all teams; unreadable teams are then left out instead of throwing.
  ///   - now: visits dated later are ignored.
  package func image(team: TeamID?, now: Timestamp) throws -> StoreImage {
    try read { connection in
      let jobs = try connection.jobs().filter { team == nil || $0.teamID == team }
      var facts: [TeamID: any DecisionFacts] = [:]
      for id in Set(jobs.compactMap(\.teamID)) {
        let read = try connection.decisionFactsPerTeam(
          DecisionRequest(of: id, for: .everyDecision(now: now), trades))
        // A request for one team shows its error; among all teams an unreadable one is left out.
        facts[id] = team == nil ? try? read.get() : try read.get()
      }
      return StoreImage(jobs: jobs, facts: facts)
    }
  }
}

extension Store {
  package nonisolated func stateCounts() async throws -> (teams: Int, records: Int, jobs: Int) {
    // Read before counting, so that changes during the count lead to a new count.
    let changes = factsReaders.changes.count
    if let known = factsReaders.counted.withLock({ $0 }), known.changes == changes {
      return (known.teams, known.records, known.jobs)
    }
    let found = try await readConcurrently { connection in
      let counted = connection.trades.stores.compactMap(\.countedTable)
      let counts = ["0"] + counted.map { "(SELECT count(*) FROM \($0))" }
      return try connection.first(
        "SELECT (SELECT count(*) FROM teams), \(counts.joined(separator: " + ")), (SELECT count(*) FROM jobs)"
      ) { row throws(StoreError) in (row.number(0), row.number(1), row.number(2)) }
    }
    guard let (teams, records, jobs) = found else { return (0, 0, 0) }
    factsReaders.counted.withLock { $0 = (changes, teams, records, jobs) }
    return (teams, records, jobs)
  }
}

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
