import PoolJobs
package import PoolModel
package import PoolNotices
package import PoolWork

extension Store {
  package func jobs() throws -> [JobRecord] { try connection.jobs() }

  package func jobs(of team: TeamID?) throws -> [JobRecord] { try connection.jobs(of: team) }

  package func take(_ looks: [JobLook], now: Timestamp) throws -> [ClaimedRun] {
    try connection.transaction {
      var granted: [ClaimedRun] = []
      let open = try connection.openSlots()
      for look in looks {
        // The cursor goes with the claim: from here on the claim itself is what a crash leaves to be taken up.
        let known = try connection.run(
          "UPDATE jobs SET cursor_ms = max(cursor_ms, ?) WHERE job_id = ? AND generation = ?", .at(look.cursor),
          .integer(look.jobID.number), .integer(look.generation))
        guard known == 1 else { continue }
        for slot in look.passed { try connection.insert(slot, team: look.teamID, epoch: epoch, now: now) }
        if let stretch = look.stretch { try connection.insert(stretch, team: look.teamID, now: now) }
        // One run of a job at a time: what falls due meanwhile is stood for by the one under way.
        for request in look.claims {
          if let open = open[look.jobID], open != request.slot {
            try connection.insert(
              PassedSlot(coalescing: request, with: open), team: look.teamID, epoch: epoch, now: now)
            continue
          }
          if let run = try connection.claim(request, epoch: epoch, now: now) { granted.append(run) }
        }
      }
      return granted
    }
  }

  package func claim(_ requests: [ClaimRequest], now: Timestamp) throws -> [ClaimedRun] {
    try connection.transaction {
      try requests.compactMap { request in
        let isCurrent = try connection.first(
          "SELECT 1 FROM jobs WHERE job_id = ? AND generation = ?", .integer(request.jobID.number),
          .integer(request.generation)
        ) { _ throws(StoreError) in true }
        return isCurrent == true ? try connection.claim(request, epoch: epoch, now: now) : nil
      }
    }
  }

  package func reclaimOrphans(now: Timestamp, crashed: Bool) throws -> [ClaimedRun] {
    try connection.transaction {
      // The first term is the index's own: without it SQLite would read the whole ledger.
      try connection.run(
        """
        UPDATE runs SET outcome = 'failed', reason = 'crashed', finished_ms = ?, epoch = ?,
          detail = 'the daemon stopped ' || attempts || ' times while this run was under way'
        WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch < ? AND attempts >= ? AND ? = 1
        """, .at(now), .integer(epoch), .integer(epoch), .integer(Limits.crashesPerSlot), .flag(crashed))
      return try connection.readableRows(
        """
        UPDATE runs SET epoch = ?, attempts = attempts + ?, started_ms = ?,
          late_ms = CASE cause WHEN 'manual' THEN 0 ELSE max(0, ? - slot_ms) END
        WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch < ?
        RETURNING \(Connection.claimColumns)
        """, [.integer(epoch), .flag(crashed), .at(now), .at(now), .integer(epoch)]
      ) { row throws(StoreError) in try Connection.claimedRun(row, startedAt: now) }
    }
  }

  @discardableResult
  package func settle(
    _ settlements: [RunSettlement], routes: [SinkRoute], evenIfChanged: Bool = false
  ) throws -> Set<RunKey> {
    // That a reminder was told is counted here, and told of here alone.
    try connection.transaction(of: []) {
      var outdated: Set<RunKey> = []
      let isTroubled = try connection.hasTroubles()
      let trust = try connection.clockTrust()
      for settlement in settlements {
        let run = settlement.run
        if !evenIfChanged, connection.changes.outdate(settlement) {
          outdated.insert(run.key)
          continue
        }
        let changed = try connection.run(
          """
          UPDATE runs SET outcome = ?, reason = ?, detail = ?, inputs = ?, finished_ms = ?, next_try_ms = ?
          WHERE job_id = ? AND slot_ms = ? AND outcome = 'running' AND epoch = ?
          """, .text(settlement.outcome.result.rawValue), .optional(settlement.outcome.reason),
          .optional(settlement.outcome.detail), .optional(settlement.outcome.account?.words),
          .at(settlement.finishedAt), .at(settlement.nextTryAt), .integer(run.jobID.number), .at(run.slot),
          .integer(epoch))
        // The claim is no longer ours: whoever holds it settles it.
        guard changed == 1 else { continue }
        if let notice = settlement.outcome.notice, try connection.mayTell(settlement) {
          for notice in [notice] + settlement.outcome.personal {
            try connection.insertNotice(notice, routes: routes, now: settlement.finishedAt)
          }
        }
        if let route = (settlement.outcome.account as? DecisionInputs)?.route, let team = run.teamID {
          try connection.remember(
            route, of: team, toldBy: run.slot, deletionTime: trust.deletionTime(settlement.finishedAt))
        }
        try connection.noteTrouble(of: settlement, isTroubled: isTroubled)
      }
      return outdated
    }
  }

  package func recordSilence(
    job: JobID, slot: Timestamp, silence: Silence, now: Timestamp
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

  package func outcomes(since start: Timestamp, notAfter end: Timestamp? = nil) throws -> [RunOutcome: Int] {
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

  package func lastRuns(notAfter end: Timestamp? = nil) throws -> [JobID: RunRecord] {
    try connection.lastRuns(notAfter: end)
  }
}

extension Connection {
  /// Counts what is told only so often; a run that came to it too late is written down as silent.
  fileprivate func mayTell(_ settlement: RunSettlement) throws(StoreError) -> Bool {
    let run = settlement.run
    guard let name = run.kind.reminderName, let team = run.teamID, run.cause == .schedule else { return true }
    let silence = try countTelling(of: name, team: team, zone: run.zone, now: settlement.finishedAt)
    guard let silence else { return true }
    try self.run(
      "UPDATE runs SET outcome = 'skipped', reason = ?, detail = ? WHERE job_id = ? AND slot_ms = ?",
      .text(silence.code), .text(silence.sentence), .integer(run.jobID.number), .at(run.slot))
    return false
  }
}
