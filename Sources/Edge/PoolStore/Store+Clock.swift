package import PoolModel
package import PoolWork

extension Store {
  /// What earlier lives knew of the clock, and whether any of them wrote down an instant that has not come yet.
  package func clockMemory(now: Timestamp) throws -> ClockMemory {
    // Of several daemons each has a clock of its own: another's life is no word about this one's.
    let isAhead = try connection.first(
      """
      SELECT EXISTS (SELECT 1 FROM epochs
          WHERE epoch < ?2 AND max(started_ms, seen_ms, coalesce(ended_ms, 0)) > ?1 AND ?3 = 0)
        OR EXISTS (SELECT 1 FROM jobs WHERE cursor_ms > ?1\(connection.ours("team_id")))
      """, .at(now), .integer(epoch), .flag(connection.isOneOfMany)
    ) { row throws(StoreError) in row.flag(0) }
    return ClockMemory(trust: try connection.clockTrust(), isAhead: isAhead == true, asked: now)
  }

  package func deletionTime(now: Timestamp) throws -> Timestamp { try connection.clockTrust().deletionTime(now) }

  package nonisolated func clockTrust() async throws -> ClockTrust { try await beside { try $0.clockTrust() } }

  package nonisolated func lastClockMend() async throws -> ClockMend? {
    try await beside { connection in
      try connection.first(
        "SELECT mended_ms, ahead_ms, since_ms, jobs, slots, early_runs, retries FROM clock_mend"
      ) { row throws(StoreError) in
        ClockMend(
          at: row.instant("mended_ms"), ahead: row.instant("ahead_ms"), since: row.optionalInstant("since_ms"),
          jobs: row.number("jobs"), slots: row.number("slots"), early: row.number("early_runs"),
          retries: row.number("retries"))
      }
    }
  }

  package nonisolated func slotsRunEarly(after now: Timestamp) async throws -> [JobID: Set<Timestamp>] {
    try await beside { connection in
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
    try await beside { connection in
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

  package func takeBack(now: Timestamp, from last: Timestamp? = nil) throws -> ClockMend? {
    try connection.transaction {
      let newest = max(try connection.newestInstant(), last ?? now)
      guard newest > now else { return nil }
      let since = try connection.lastSeenBefore(now, epoch: epoch)
      let (jobs, slots) = try connection.takeBackVerdicts(now: now, since: since)
      let early = try connection.noteEarlyRuns(now: now)
      let retries = try connection.takeBackWaits(now: now, wasAhead: since != nil)
      try connection.takeBackHolds(now: now)
      try connection.takeBackLives(now: now, since: since, epoch: epoch)
      // Of several at one pool that come to the same instant the last stays.
      try connection.run(
        """
        DELETE FROM water_crossings WHERE at_ms >= ?1\(connection.ours("team_id")) AND EXISTS (SELECT 1 FROM water_crossings AS later
          WHERE later.team_id = water_crossings.team_id AND later.pool_id = water_crossings.pool_id
            AND later.at_ms > water_crossings.at_ms)
        """, .at(now))
      try connection.run(
        "UPDATE water_crossings SET at_ms = ?1 WHERE at_ms > ?1\(connection.ours("team_id"))", .at(now))
      // When the operator was told last decides when he is told again.
      try connection.run(
        "UPDATE notices SET created_ms = ?1 WHERE job_id IS NULL AND created_ms > ?1\(connection.ours("team_id"))",
        .at(now))
      let mend = ClockMend(
        at: now, ahead: newest, since: since, jobs: jobs, slots: slots, early: early, retries: retries)
      if mend.isWorthTelling { try connection.remember(mend) }
      return mend
    }
  }
}

extension Connection {
  // MARK: What is remembered

  func clockTrust() throws(StoreError) -> ClockTrust {
    try first("SELECT clock_confirmed_ms, clock_doubted_ms FROM store") { row throws(StoreError) in
      ClockTrust(confirmed: row.optionalInstant(0), doubted: .milliseconds(row.integer(1)))
    } ?? ClockTrust()
  }

  func remember(_ trust: ClockTrust) throws(StoreError) {
    guard let confirmed = trust.confirmed else { return }
    try run(
      "UPDATE store SET clock_confirmed_ms = ?, clock_doubted_ms = ?", .at(confirmed),
      .integer(trust.doubted.wholeMilliseconds))
  }

  fileprivate func remember(_ mend: ClockMend) throws(StoreError) {
    try run(
      """
      INSERT INTO clock_mend (only_row, mended_ms, ahead_ms, since_ms, jobs, slots, early_runs, retries)
      VALUES (1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (only_row) DO UPDATE SET mended_ms = excluded.mended_ms,
        ahead_ms = excluded.ahead_ms, since_ms = excluded.since_ms, jobs = excluded.jobs, slots = excluded.slots,
        early_runs = excluded.early_runs, retries = excluded.retries
      """, .at(mend.at), .at(mend.ahead), .at(mend.since), .integer(mend.jobs), .integer(mend.slots),
      .integer(mend.early), .integer(mend.retries))
  }

  /// Of the runs that pruning has forgotten: no cursor goes back before it, since nothing else says that the slots there
  /// have run.
  func newestForgottenSlot() throws(StoreError) -> Timestamp {
    try first("SELECT forgotten_slot_ms FROM store") { row throws(StoreError) in row.instant(0) }
      ?? Timestamp(milliseconds: 0)
  }

  // MARK: The clock that stood ahead

  /// The newest instant that any daemon has seen or settled.
  fileprivate func newestInstant() throws(StoreError) -> Timestamp {
    try first(
      """
      SELECT max(coalesce((SELECT max(max(started_ms, seen_ms, coalesce(ended_ms, 0))) FROM epochs WHERE ?1 = 0), 0),
        coalesce((SELECT max(cursor_ms) FROM jobs WHERE ?1 >= 0\(ours("team_id"))), 0))
      """, .flag(isOneOfMany)
    ) { row throws(StoreError) in row.instant(0) } ?? Timestamp(milliseconds: 0)
  }

  /// When the clock was seen last before somebody set it ahead, in this life or before it; nil where it was only set back.
  fileprivate func lastSeenBefore(_ now: Timestamp, epoch: Int64) throws(StoreError) -> Timestamp? {
    let jumped = try first(
      "SELECT max(from_ms) FROM absences WHERE kind = ?1 AND to_ms > ?2 AND from_ms <= ?2 AND (?3 = 0 OR epoch = ?4)",
      .text(Absence.Kind.clockSetForwards.rawValue), .at(now), .flag(isOneOfMany), .integer(epoch)
    ) { row throws(StoreError) in row.optionalInstant(0) }
    if let jumped = jumped ?? nil { return jumped }
    if isOneOfMany { return nil }
    // An earlier life that began ahead of now, and the end of the one before it.
    return try first(
      """
      SELECT max(coalesce(before.ended_ms, before.seen_ms)) FROM epochs JOIN epochs AS before
        ON before.epoch = epochs.epoch - 1
      WHERE epochs.epoch < ?1 AND epochs.started_ms > ?2 AND coalesce(before.ended_ms, before.seen_ms) <= ?2
      """, .integer(epoch), .at(now)
    ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
  }

  /// The newest slot of a job that was settled when the clock said no more than now: by a run, a verdict, a stretch, or
  /// the beginning of its rule.
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

  fileprivate func takeBackVerdicts(
    now: Timestamp, since: Timestamp?
  ) throws(StoreError) -> (jobs: Int, slots: Int) {
    let floor = try newestForgottenSlot()
    // A rule that was changed meanwhile is in force since the clock was seen last: its slots of today are not lost.
    let change = since.map { now.since($0) <= Limits.believableJump ? $0 : now } ?? now
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
      // What lies before the cursor is settled, and where pruning forgot the runs nothing else says so: a rule never begins
      // before a time that nobody will look at again.
      let start = job.since > now ? max(begin, min(cursor, job.since)) : begin
      // A slot that a person skipped stays skipped; every other verdict that nobody ran for is given anew.
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

  /// Says in the ledger why a slot that comes does not run: it has run.
  fileprivate func noteEarlyRuns(now: Timestamp) throws(StoreError) -> Int {
    try run(
      """
      UPDATE runs SET note = coalesce(note || '; ', '') || ?2
      WHERE slot_ms > ?1 AND cause = 'schedule' AND attempts > 0 AND instr(coalesce(note, ''), ?3) = 0\(ours("team_id"))
      """, .at(now), .text("\(Self.hadRun) \(now)"), .text(Self.hadRun))
  }

  private static let hadRun = "it had run when the clock was set back to"

  fileprivate func takeBackWaits(now: Timestamp, wasAhead: Bool) throws(StoreError) -> Int {
    // A failed run was settled by the same clock that says when it is tried again.
    var changed = try run(
      """
      UPDATE runs SET next_try_ms = min(next_try_ms, ?1 + max(0, next_try_ms - finished_ms)), finished_ms = ?1
      WHERE outcome IN ('running', 'waiting') AND outcome = 'waiting' AND finished_ms > ?1\(ours("team_id"))
      """, .at(now))
    // One try sooner than the ladder says costs nothing where days would be waited; a clock that was only corrected by a
    // little shortens no wait.
    let longest = wasAhead ? now : now.advanced(by: Limits.longestRetry)
    changed += try run(
      """
      UPDATE outbox SET next_try_ms = ?1
      WHERE state IN ('pending', 'staged') AND next_try_ms > CASE attempts WHEN 0 THEN ?1 ELSE ?2 END\(ours("team_id"))
      """, .at(now), .at(longest))
    return changed
  }

  /// What a person held or let go is so from now on, not from a day to come.
  fileprivate func takeBackHolds(now: Timestamp) throws(StoreError) {
    try run("UPDATE holds SET from_ms = ?1 WHERE from_ms > ?1\(ours("team_id"))", .at(now))
    try run("UPDATE holds SET ended_ms = ?1 WHERE ended_ms > ?1\(ours("team_id"))", .at(now))
  }

  /// Nobody was away until an instant that has not come.
  fileprivate func takeBackLives(now: Timestamp, since: Timestamp?, epoch: Int64) throws(StoreError) {
    if isOneOfMany { return }
    try run(
      """
      UPDATE epochs SET started_ms = min(started_ms, ?1), seen_ms = min(seen_ms, ?1), ended_ms = CASE WHEN ended_ms > ?1 THEN ?1 ELSE ended_ms END
      WHERE started_ms > ?1 OR seen_ms > ?1 OR ended_ms > ?1
      """, .at(now))
    // A time that comes twice, because the clock was only set back, is told as such.
    guard let since else { return }
    try run("DELETE FROM absences WHERE to_ms > ?", .at(now))
    try run(
      """
      INSERT INTO absences (epoch, from_ms, kind, to_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (epoch, from_ms, kind) DO UPDATE SET to_ms = max(absences.to_ms, excluded.to_ms)
      """, .integer(epoch), .at(since), .text(Absence.Kind.clockWasAhead.rawValue), .at(now))
  }
}
