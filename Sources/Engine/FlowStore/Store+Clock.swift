package import FlowModel
package import FlowWork

extension Store {
  /// What earlier processes stored about the clock.
  ///
  /// - Returns: the trust in the clock, and true in `isAhead` if an epoch or a cursor is dated after `now`.
  package func storedClockState(now: Timestamp) throws -> StoredClockState {
    // Every node has its own clock, so another node's epochs say nothing about this one's.
    let isAhead = try connection.first(
      """
      SELECT EXISTS (SELECT 1 FROM epochs
          WHERE epoch < ?2 AND max(started_ms, seen_ms, coalesce(ended_ms, 0)) > ?1 AND ?3 = 0)
        OR EXISTS (SELECT 1 FROM jobs WHERE cursor_ms > ?1\(connection.ours("team_id")))
      """, .at(now), .integer(epoch), .flag(connection.isClusterNode)
    ) { row throws(StoreError) in row.flag(0) }
    return StoredClockState(trust: try connection.clockTrust(), isAhead: isAhead == true, readAt: now)
  }

  package func deletionTime(now: Timestamp) throws -> Timestamp { try connection.clockTrust().deletionTime(now) }

  package nonisolated func clockTrust() async throws -> ClockTrust {
    try await readConcurrently { try $0.clockTrust() }
  }

  package nonisolated func lastClockCorrection() async throws -> ClockCorrection? {
    try await readConcurrently { connection in
      try connection.first(
        "SELECT mended_ms, ahead_ms, since_ms, jobs, slots, early_runs, retries FROM clock_mend"
      ) { row throws(StoreError) in
        ClockCorrection(
          at: row.instant("mended_ms"), ahead: row.instant("ahead_ms"), since: row.optionalInstant("since_ms"),
          jobs: row.number("jobs"), slots: row.number("slots"), early: row.number("early_runs"),
          retries: row.number("retries"))
      }
    }
  }

  package nonisolated func slotsRunEarly(after now: Timestamp) async throws -> [JobID: Set<Timestamp>] {
    try await readConcurrently { connection in
      let found = try connection.rows(
        """
        SELECT job_id, slot_ms FROM runs
        WHERE slot_ms > ? AND cause = 'schedule' AND (attempts > 0 OR reason = 'skipped-by-hand') LIMIT ?
        """, .at(now), .integer(Limits.rowsPerAnswer)
      ) { row throws(StoreError) in (JobID(row.integer(0)), row.instant(1)) }
      return Dictionary(grouping: found, by: \.0).mapValues { Set($0.map(\.1)) }
    }
  }

  package nonisolated func newestCursor() async throws -> Timestamp {
    try await readConcurrently { connection in
      try connection.first("SELECT coalesce(max(cursor_ms), 0) FROM jobs") { row throws(StoreError) in row.instant(0) }
        ?? Timestamp(milliseconds: 0)
    }
  }

  package func settled(_ jobs: [JobRecord], asOf now: Timestamp) throws -> [JobRecord] {
    guard jobs.contains(where: { $0.cursor > now }) else { return jobs }
    let floor = try connection.newestForgottenSlot()
    return try jobs.map { job in
      guard job.cursor > now else { return job }
      let newest = try connection.newestSettled(job.id, now: now)
      return job.with(cursor: min(job.cursor, max(newest, floor)))
    }
  }

  package func rollBack(now: Timestamp, from last: Timestamp? = nil) throws -> ClockCorrection? {
    try connection.transaction {
      let newest = max(try connection.newestInstant(), last ?? now)
      guard newest > now else { return nil }
      let since = try connection.lastSeenBefore(now, epoch: epoch)
      let (jobs, slots) = try connection.rollBackVerdicts(now: now, since: since)
      let early = try connection.noteEarlyRuns(now: now)
      let retries = try connection.rollBackWaits(now: now, wasAhead: since != nil)
      try connection.rollBackHolds(now: now)
      try connection.rollBackEpochs(now: now, since: since, epoch: epoch)
      for tables in connection.trades.stores { try tables.rollBack(now: now, on: connection) }
      // The time of the last operator notice decides when the next one is sent.
      try connection.run(
        "UPDATE notices SET created_ms = ?1 WHERE job_id IS NULL AND created_ms > ?1\(connection.ours("team_id"))",
        .at(now))
      let correction = ClockCorrection(
        at: now, ahead: newest, since: since, jobs: jobs, slots: slots, early: early, retries: retries)
      if correction.isWorthLogging { try connection.remember(correction) }
      return correction
    }
  }
}

extension Connection {
  // MARK: Stored clock state

  func clockTrust() throws(StoreError) -> ClockTrust {
    try first("SELECT clock_confirmed_ms, clock_doubted_ms FROM store") { row throws(StoreError) in
      ClockTrust(confirmed: row.optionalInstant(0), unconfirmedDuration: .milliseconds(row.integer(1)))
    } ?? ClockTrust()
  }

  /// Stores the confirmed time and the doubted duration; nothing if no time is confirmed.
  func remember(_ trust: ClockTrust) throws(StoreError) {
    guard let confirmed = trust.confirmed else { return }
    try run(
      "UPDATE store SET clock_confirmed_ms = ?, clock_doubted_ms = ?", .at(confirmed),
      .integer(trust.unconfirmedDuration.wholeMilliseconds))
  }

  fileprivate func remember(_ correction: ClockCorrection) throws(StoreError) {
    try run(
      """
      INSERT INTO clock_mend (only_row, mended_ms, ahead_ms, since_ms, jobs, slots, early_runs, retries)
      VALUES (1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (only_row) DO UPDATE SET mended_ms = excluded.mended_ms,
        ahead_ms = excluded.ahead_ms, since_ms = excluded.since_ms, jobs = excluded.jobs, slots = excluded.slots,
        early_runs = excluded.early_runs, retries = excluded.retries
      """, .at(correction.at), .at(correction.ahead), .at(correction.since), .integer(correction.jobs),
      .integer(correction.slots),
      .integer(correction.early), .integer(correction.retries))
  }

  /// The newest slot whose run was deleted by pruning. No cursor goes back before it, because nothing else shows that earlier
  /// slots have run.
  func newestForgottenSlot() throws(StoreError) -> Timestamp {
    try first("SELECT forgotten_slot_ms FROM store") { row throws(StoreError) in row.instant(0) }
      ?? Timestamp(milliseconds: 0)
  }

  // MARK: A clock that was ahead

  /// The newest instant that a daemon has stored as seen or settled.
  fileprivate func newestInstant() throws(StoreError) -> Timestamp {
    try first(
      """
      SELECT max(coalesce((SELECT max(max(started_ms, seen_ms, coalesce(ended_ms, 0))) FROM epochs WHERE ?1 = 0), 0),
        coalesce((SELECT max(cursor_ms) FROM jobs WHERE ?1 >= 0\(ours("team_id"))), 0))
      """, .flag(isClusterNode)
    ) { row throws(StoreError) in row.instant(0) } ?? Timestamp(milliseconds: 0)
  }

  /// The last time read before the clock was set ahead, by this process or an earlier one; nil if the clock was only set back.
  fileprivate func lastSeenBefore(_ now: Timestamp, epoch: Int64) throws(StoreError) -> Timestamp? {
    let jumped = try first(
      "SELECT max(from_ms) FROM absences WHERE kind = ?1 AND to_ms > ?2 AND from_ms <= ?2 AND (?3 = 0 OR epoch = ?4)",
      .text(Downtime.Kind.clockSetForwards.rawValue), .at(now), .flag(isClusterNode), .integer(epoch)
    ) { row throws(StoreError) in row.optionalInstant(0) }
    if let jumped = jumped ?? nil { return jumped }
    if isClusterNode { return nil }
    // An earlier epoch that began after `now`: take the end of the epoch before it.
    return try first(
      """
      SELECT max(coalesce(before.ended_ms, before.seen_ms)) FROM epochs JOIN epochs AS before
        ON before.epoch = epochs.epoch - 1
      WHERE epochs.epoch < ?1 AND epochs.started_ms > ?2 AND coalesce(before.ended_ms, before.seen_ms) <= ?2
      """, .integer(epoch), .at(now)
    ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
  }

  /// The newest slot of a job that was settled while the clock read at most `now`: by a run, a verdict, a range of missed
  /// slots, or the start of its rule.
  fileprivate func newestSettled(_ job: JobID, now: Timestamp) throws(StoreError) -> Timestamp {
    try first(
      """
      SELECT max(
        coalesce((SELECT slot_ms FROM runs WHERE job_id = ?1 AND slot_ms <= ?2 AND cause = 'schedule'
          AND coalesce(started_ms, finished_ms, 0) <= ?2 ORDER BY slot_ms DESC LIMIT 1), 0),
        coalesce((SELECT max(last_ms) FROM missed_stretches WHERE job_id = ?1 AND recorded_ms <= ?2), 0),
        (SELECT CASE WHEN since_ms <= ?2 THEN since_ms ELSE 0 END FROM jobs WHERE job_id = ?1))
      """, .integer(job.number), .at(now)
    ) { row throws(StoreError) in row.instant(0) } ?? Timestamp(milliseconds: 0)
  }

  /// Rolls back cursors, rule spans and verdicts that were stored while the clock was ahead.
  ///
  /// - Parameter since: the last time read before the clock was set ahead; nil if it was only set back.
  /// - Returns: the number of jobs whose cursor was moved back, and of verdicts removed.
  fileprivate func rollBackVerdicts(
    now: Timestamp, since: Timestamp?
  ) throws(StoreError) -> (jobs: Int, slots: Int) {
    let floor = try newestForgottenSlot()
    // A rule that changed while the clock was ahead counts from the last correct time, so that today's slots are not lost.
    let change = since.map { now.since($0) <= Limits.plausibleClockJump ? $0 : now } ?? now
    var jobs = 0
    var slots = 0
    let all = try rows("SELECT job_id, cursor_ms, since_ms FROM jobs WHERE job_id > 0\(ours("team_id"))") {
      row throws(StoreError) in
      (id: JobID(row.integer(0)), cursor: row.instant(1), since: row.instant(2))
    }
    for job in all {
      let newest = try newestSettled(job.id, now: now)
      let begin = job.since > now ? change : job.since
      let cursor = min(job.cursor, max(newest, begin, floor))
      guard cursor < job.cursor || job.since > now else { continue }
      // Slots up to the cursor are settled, and pruning may have deleted their runs: a rule must not begin before them.
      let start = job.since > now ? max(begin, min(cursor, job.since)) : begin
      // A slot skipped by a person stays skipped; all other verdicts without a run are removed and decided again.
      let open = try run(
        """
        DELETE FROM runs WHERE job_id = ?1 AND slot_ms > ?2 AND cause = 'schedule' AND attempts = 0 AND finished_ms > ?3
          AND coalesce(reason, '') <> 'skipped-by-hand'
        """, .integer(job.id.number), .at(max(newest, floor)), .at(now))
      guard open > 0 || job.cursor > now || job.since > now else { continue }
      slots += open
      if job.cursor > now { jobs += 1 }
      try run(
        "UPDATE jobs SET cursor_ms = ?2, since_ms = ?3 WHERE job_id = ?1", .integer(job.id.number), .at(cursor),
        .at(start))
      try run(
        """
        UPDATE past_rules SET until_ms = ?3, since_ms = min(since_ms, ?3),
          settled_ms = min(settled_ms, max(?2, min(since_ms, ?3)))
        WHERE job_id = ?1 AND until_ms > ?4
        """, .integer(job.id.number), .at(newest), .at(change), .at(now))
    }
    slots += try run("DELETE FROM missed_stretches WHERE recorded_ms > ?\(ours("team_id"))", .at(now))
    return (jobs, slots)
  }

  /// Adds a note to runs whose slot is in the future, which explains why the slot does not run again.
  ///
  /// - Returns: the number of runs noted.
  fileprivate func noteEarlyRuns(now: Timestamp) throws(StoreError) -> Int {
    try run(
      """
      UPDATE runs SET note = coalesce(note || '; ', '') || ?2
      WHERE slot_ms > ?1 AND cause = 'schedule' AND attempts > 0 AND instr(coalesce(note, ''), ?3) = 0\(ours("team_id"))
      """, .at(now), .text("\(Self.ranBeforeClockCorrection) \(now)"), .text(Self.ranBeforeClockCorrection))
  }

  private static let ranBeforeClockCorrection = "it had run when the clock was set back to"

  /// Shortens retry times of runs and outbox entries that were set by the wrong clock.
  ///
  /// - Returns: the number of rows changed.
  fileprivate func rollBackWaits(now: Timestamp, wasAhead: Bool) throws(StoreError) -> Int {
    // A retry keeps its distance from the failure, which the same clock dated.
    var changed = try run(
      """
      UPDATE runs SET next_try_ms = min(next_try_ms, ?1 + max(0, next_try_ms - finished_ms)), finished_ms = ?1
      WHERE outcome IN ('running', 'waiting') AND outcome = 'waiting' AND finished_ms > ?1\(ours("team_id"))
      """, .at(now))
    // After a clock that was ahead, retry at once: one retry too early costs nothing, waiting for days does. After a small
    // correction only impossibly long waits are cut.
    let longest = wasAhead ? now : now.advanced(by: Limits.longestRetry)
    changed += try run(
      """
      UPDATE outbox SET next_try_ms = ?1
      WHERE state IN ('pending', 'staged') AND next_try_ms > CASE attempts WHEN 0 THEN ?1 ELSE ?2 END\(ours("team_id"))
      """, .at(now), .at(longest))
    return changed
  }

  /// Holds that begin or end in the future take effect now.
  fileprivate func rollBackHolds(now: Timestamp) throws(StoreError) {
    try run("UPDATE holds SET from_ms = ?1 WHERE from_ms > ?1\(ours("team_id"))", .at(now))
    try run("UPDATE holds SET ended_ms = ?1 WHERE ended_ms > ?1\(ours("team_id"))", .at(now))
  }

  /// Moves future times of epochs to `now` and removes downtimes that end in the future.
  fileprivate func rollBackEpochs(now: Timestamp, since: Timestamp?, epoch: Int64) throws(StoreError) {
    if isClusterNode { return }
    try run(
      """
      UPDATE epochs SET started_ms = min(started_ms, ?1), seen_ms = min(seen_ms, ?1), ended_ms = CASE WHEN ended_ms > ?1 THEN ?1 ELSE ended_ms END
      WHERE started_ms > ?1 OR seen_ms > ?1 OR ended_ms > ?1
      """, .at(now))
    // A clock that was only set back keeps its recorded downtime.
    guard let since else { return }
    try run("DELETE FROM absences WHERE to_ms > ?", .at(now))
    try run(
      """
      INSERT INTO absences (epoch, from_ms, kind, to_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (epoch, from_ms, kind) DO UPDATE SET to_ms = max(absences.to_ms, excluded.to_ms)
      """, .integer(epoch), .at(since), .text(Downtime.Kind.clockWasAhead.rawValue), .at(now))
  }
}
