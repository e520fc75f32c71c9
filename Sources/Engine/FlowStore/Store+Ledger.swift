package import FlowModel
package import FlowNotices
package import FlowWork

extension Store {
  package func jobs() throws -> [JobRecord] { try connection.jobs() }

  package func jobs(of team: TeamID?) throws -> [JobRecord] { try connection.jobs(of: team) }

  package func jobsToRun() throws -> [JobRecord] { try connection.jobs(connection.ours("jobs.team_id")) }

  package func jobsToRun(of team: TeamID?) throws -> [JobRecord] {
    try connection.jobs(of: team, connection.ours("jobs.team_id"))
  }

  package func jobsToRun(of partitions: PartitionSet) throws -> [JobRecord] {
    try connection.jobs(connection.ours("jobs.team_id", of: partitions))
  }

  package func take(_ ticks: [JobTick], now: Timestamp) throws -> [ClaimedRun] {
    try connection.transaction {
      let open = try connection.openSlots()
      // The cursor moves in the claim's transaction: after a crash, the claim itself shows that the run is unfinished.
      let known = try connection.moveCursors(ticks)
      var passed: [(slot: SkippedSlot, team: TeamID?)] = []
      var claims: [ClaimRequest] = []
      for (tick, isKnown) in zip(ticks, known) where isKnown {
        passed += tick.passed.map { ($0, tick.teamID) }
        if let skippedRange = tick.skippedRange { try connection.insert(skippedRange, team: tick.teamID, now: now) }
        // A job has one run at a time: a slot that falls due while a run is active is coalesced into it.
        for request in tick.claims {
          if let open = open[tick.jobID], open != request.slot {
            passed.append((SkippedSlot(coalescing: request, with: open), tick.teamID))
          } else {
            claims.append(request)
          }
        }
      }
      try connection.insert(passed, epoch: epoch, now: now)
      return try connection.claim(claims, epoch: epoch, now: now)
    }
  }

  package func claim(_ requests: [ClaimRequest], now: Timestamp) throws -> [ClaimedRun] {
    try connection.transaction {
      try requests.compactMap { request in
        let isCurrent = try connection.first(
          "SELECT 1 FROM jobs WHERE job_id = ? AND generation = ?\(connection.ours("team_id"))",
          .integer(request.jobID.number),
          .integer(request.generation)
        ) { _ throws(StoreError) in true }
        return isCurrent == true ? try connection.claim(request, epoch: epoch, now: now) : nil
      }
    }
  }

  package func reclaimOrphans(now: Timestamp, crashed: Bool) throws -> [ClaimedRun] {
    try connection.transaction {
      let ours = connection.ours("team_id")
      // The redundant first term matches the partial index `runs_open`; without it SQLite would read the whole ledger.
      try connection.run(
        """
        UPDATE runs SET outcome = 'failed', reason = 'crashed', finished_ms = ?, epoch = ?,
          detail = 'the daemon stopped ' || attempts || ' times while this run was under way'
        WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch <> ? AND attempts >= ? AND ? = 1\(ours)
        """, .at(now), .integer(epoch), .integer(epoch), .integer(Limits.crashesPerSlot), .flag(crashed))
      return try connection.readableRows(
        """
        UPDATE runs SET epoch = ?, attempts = attempts + ?, started_ms = ?,
          late_ms = CASE cause WHEN 'manual' THEN 0 ELSE max(0, ? - slot_ms) END
        WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch <> ?\(ours)
        RETURNING \(Connection.claimColumns)
        """, [.integer(epoch), .flag(crashed), .at(now), .at(now), .integer(epoch)]
      ) { row throws(StoreError) in try Connection.claimedRun(row, startedAt: now) }
    }
  }

  @discardableResult
  package func settle(
    _ settlements: [RunSettlement], routes: [SinkRoute], evenIfChanged: Bool
  ) throws -> Set<RunKey> {
    // `teams` lists the teams whose later decisions read what this transaction writes, such as a reminder's count.
    try connection.transaction(of: teams(changedBy: settlements)) {
      let isTroubled = try connection.hasTeamFailures()
      let trust = try connection.clockTrust()
      let outdated = evenIfChanged ? [] : settlements.filter { connection.changes.isOutdated($0) }.map(\.run.key)
      let current = outdated.isEmpty ? settlements : settlements.filter { !outdated.contains($0.run.key) }
      // A run that this epoch no longer holds is settled by the node that claimed it.
      let ours = zip(current, try connection.end(current, epoch: epoch)).filter(\.1).map(\.0)
      var notices: [(notice: Notice, at: Timestamp)] = []
      for settlement in ours {
        guard settlement.outcome.notice != nil, try connection.mayNotify(settlement) else { continue }
        notices += settlement.outcome.notices.map { ($0, settlement.finishedAt) }
      }
      try connection.insert(notices, routes: routes)
      for settlement in ours {
        if let record = settlement.outcome.account?.record, let team = settlement.run.teamID {
          try connection.keep(
            record, of: team, run: settlement.run, deletionTime: trust.deletionTime(settlement.finishedAt))
        }
        try connection.noteFailure(of: settlement, isTroubled: isTroubled)
      }
      return Set(outdated)
    }
  }

  /// The teams whose later decisions read a record of these settlements.
  private func teams(changedBy settlements: [RunSettlement]) -> Set<TeamID> {
    Set(
      settlements.compactMap { settlement in
        guard let record = settlement.outcome.account?.record else { return nil }
        return connection.trades.affectsOtherDecisions(record) ? settlement.run.teamID : nil
      })
  }

  package func recordSilence(
    job: JobID, slot: Timestamp, silence: SuppressionReason, now: Timestamp
  ) throws {
    try connection.run(
      """
      INSERT INTO runs (job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms,
        finished_ms, late_ms)
      SELECT job_id, ?, team_id, 'schedule', 'skipped', ?, ?, ?, 0, ?, ?, 0 FROM jobs WHERE job_id = ?
      ON CONFLICT (job_id, slot_ms) DO NOTHING
      """, .at(slot), .text(silence.code), .text(silence.sentence), .integer(epoch), .at(slot), .at(now),
      .integer(job.number))
  }

  package func history(_ query: HistoryQuery) throws -> [RunRecord] { try connection.history(query) }

  package func runs(
    from: Timestamp, to: Timestamp, like pattern: String?, limit: Int
  ) throws -> [(key: RunKey, kind: JobKind)] {
    try connection.runs(from: from, to: to, like: pattern, limit: limit)
  }

  package nonisolated func outcomes(
    since start: Timestamp, notAfter end: Timestamp? = nil
  ) async throws -> [RunOutcome: Int] {
    try await readConcurrently { connection in
      var counts: [RunOutcome: Int] = [:]
      let rows = try connection.rows(
        "SELECT outcome, count(*) FROM runs WHERE slot_ms >= ?1 AND (?2 IS NULL OR slot_ms <= ?2) GROUP BY outcome",
        .at(start), .at(end)
      ) { row throws(StoreError) in
        (try row.word(0, table: "runs", name: "outcome") as RunOutcome, row.number(1))
      }
      for (outcome, count) in rows { counts[outcome] = count }
      return counts
    }
  }

  package func lastRuns(notAfter end: Timestamp? = nil) throws -> [JobID: RunRecord] {
    try connection.lastRuns(notAfter: end)
  }
}

// Writes of a tick and of a batch of runs: row by row into a file, where a statement is a function call (`Connection+Rows`);
// on a server all rows of a table in one query (`ServerBatches`), because each query is a round trip.
extension Connection {
  /// Moves the cursors of the ticks' jobs.
  ///
  /// - Returns: for each tick, false if its job was removed or has another generation.
  fileprivate func moveCursors(_ ticks: [JobTick]) throws(StoreError) -> [Bool] {
    if let server { return try server.moveCursors(ticks, on: self) }
    var known: [Bool] = []
    for tick in ticks { known.append(try moveCursor(tick)) }
    return known
  }

  /// Records slots that passed without a run.
  fileprivate func insert(
    _ passed: [(slot: SkippedSlot, team: TeamID?)], epoch: Int64, now: Timestamp
  ) throws(StoreError) {
    if let server { return try server.insert(passed, epoch: epoch, now: now, on: self) }
    for (slot, team) in passed { try insert(slot, team: team, epoch: epoch, now: now) }
  }

  /// Claims slots for runs; slots that have a verdict already are left out of the result.
  fileprivate func claim(_ requests: [ClaimRequest], epoch: Int64, now: Timestamp) throws(StoreError) -> [ClaimedRun] {
    if let server { return try server.claim(requests, epoch: epoch, now: now, on: self) }
    var granted: [ClaimedRun] = []
    for request in requests {
      if let run = try claim(request, epoch: epoch, now: now) { granted.append(run) }
    }
    return granted
  }

  /// Writes the outcomes of runs.
  ///
  /// - Returns: for each settlement, true if this epoch still held the run.
  fileprivate func end(_ settlements: [RunSettlement], epoch: Int64) throws(StoreError) -> [Bool] {
    if let server { return try server.end(settlements, epoch: epoch, on: self) }
    var ended: [Bool] = []
    for settlement in settlements { ended.append(try end(settlement, epoch: epoch)) }
    return ended
  }

  /// Inserts notices with their outbox entries.
  fileprivate func insert(_ notices: [(notice: Notice, at: Timestamp)], routes: [SinkRoute]) throws(StoreError) {
    if let server { return try server.insert(notices, routes: routes, on: self) }
    for (notice, now) in notices { try insertNotice(notice, routes: routes, now: now) }
  }

  /// Counts a notice of a team's own job that has a limited number of notices. If the limit is reached, the run is recorded
  /// as suppressed.
  ///
  /// - Returns: true if the notice may be sent.
  fileprivate func mayNotify(_ settlement: RunSettlement) throws(StoreError) -> Bool {
    let run = settlement.run
    guard let team = run.teamID, run.cause == .schedule,
      let silence = try trades.ownJobs.countNotice(of: run, team: team, now: settlement.finishedAt, on: self)
    else { return true }
    try self.run(
      "UPDATE runs SET outcome = 'skipped', reason = ?, detail = ? WHERE job_id = ? AND slot_ms = ?",
      .text(silence.code), .text(silence.sentence), .integer(run.jobID.number), .at(run.slot))
    return false
  }
}
