import FlowModel
import FlowNotices
import FlowStore
import FlowWork

// Writes of many rows as lists, one query per table.

extension PostgresSession: ServerBatches {
  /// Runs `sql`, which returns pairs of numbers such as job and slot.
  private func pairs(
    _ sql: String, _ values: [SQLValue], on connection: Connection
  ) throws(StoreError) -> Set<[Int64]> {
    Set(try connection.rows(sql, values) { row throws(StoreError) in [row.integer(0), row.integer(1)] })
  }

  func moveCursors(_ ticks: [JobTick], on connection: Connection) throws(StoreError) -> [Bool] {
    guard !ticks.isEmpty else { return [] }
    let known = try pairs(
      """
      UPDATE jobs SET cursor_ms = max(jobs.cursor_ms, look.cursor)
      FROM unnest(?1, ?2, ?3) AS look (job, generation, cursor)
      WHERE jobs.job_id = look.job AND jobs.generation = look.generation\(connection.ours("jobs.team_id"))
      RETURNING jobs.job_id, jobs.generation
      """,
      [
        .integers(ticks.map(\.jobID.number)), .integers(ticks.map(\.generation)),
        .integers(ticks.map(\.cursor.milliseconds)),
      ], on: connection)
    return ticks.map { known.contains([$0.jobID.number, $0.generation]) }
  }

  func insert(
    _ passed: [(slot: SkippedSlot, team: TeamID?)], epoch: Int64, now: Timestamp, on connection: Connection
  ) throws(StoreError) {
    guard !passed.isEmpty else { return }
    let slots = passed.map(\.slot)
    let recorded = try pairs(
      """
      INSERT INTO runs (job_id, slot_ms, team_id, cause, outcome, reason, detail, epoch, attempts, as_of_ms, finished_ms,
        late_ms)
      SELECT job, slot, team, 'schedule', outcome, reason, detail, ?7, 0, slot, ?8, max(0, ?8 - slot)
      FROM unnest(?1, ?2, ?3, ?4, ?5, ?6) AS passed (job, slot, team, outcome, reason, detail)
      ON CONFLICT (job_id, slot_ms) DO NOTHING RETURNING job_id, slot_ms
      """,
      [
        .integers(slots.map(\.jobID.number)), .integers(slots.map(\.slot.milliseconds)),
        .integers(passed.map { $0.team?.number }), .texts(slots.map(\.outcome.rawValue)), .texts(slots.map(\.reason)),
        .texts(slots.map(\.detail)), .integer(epoch), .at(now),
      ], on: connection)
    for slot in slots where slot.outcome == .skipped && recorded.contains([slot.jobID.number, slot.slot.milliseconds]) {
      if let hold = slot.holdID { try connection.useSkip(of: hold) }
    }
  }

  func claim(
    _ requests: [ClaimRequest], epoch: Int64, now: Timestamp, on connection: Connection
  ) throws(StoreError) -> [ClaimedRun] {
    guard !requests.isEmpty else { return [] }
    let claims = requests.map { ClaimedRun($0, startedAt: now) }
    var granted = try pairs(
      """
      INSERT INTO runs (job_id, slot_ms, team_id, cause, outcome, epoch, attempts, as_of_ms, started_ms, late_ms, note)
      SELECT job, slot, team, cause, 'running', ?8, 1, as_of, ?9, late, note
      FROM unnest(?1, ?2, ?3, ?4, ?5, ?6, ?7) AS claim (job, slot, team, cause, as_of, late, note)
      ON CONFLICT (job_id, slot_ms) DO NOTHING RETURNING job_id, slot_ms
      """,
      [
        .integers(claims.map(\.jobID.number)), .integers(claims.map(\.slot.milliseconds)),
        .integers(claims.map { $0.teamID?.number }), .texts(claims.map(\.cause.rawValue)),
        .integers(claims.map(\.asOf.milliseconds)), .integers(claims.map(\.lateness.wholeMilliseconds)),
        .texts(requests.map(\.note)), .integer(epoch), .at(now),
      ], on: connection)
    // If a request occurs twice, it is granted once.
    return claims.filter { granted.remove([$0.jobID.number, $0.slot.milliseconds]) != nil }
  }

  func end(_ settlements: [RunSettlement], epoch: Int64, on connection: Connection) throws(StoreError) -> [Bool] {
    guard !settlements.isEmpty else { return [] }
    var ended = try pairs(
      """
      UPDATE runs SET outcome = ended.result, reason = ended.why, detail = ended.words, inputs = ended.looked,
        finished_ms = ended.finished, next_try_ms = ended.next
      FROM unnest(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) AS ended (job, slot, result, why, words, looked, finished, next)
      WHERE runs.job_id = ended.job AND runs.slot_ms = ended.slot AND runs.outcome = 'running' AND runs.epoch = ?9
      RETURNING runs.job_id, runs.slot_ms
      """,
      [
        .integers(settlements.map(\.run.jobID.number)), .integers(settlements.map(\.run.slot.milliseconds)),
        .texts(settlements.map(\.outcome.result.rawValue)), .texts(settlements.map(\.outcome.reason)),
        .texts(settlements.map(\.outcome.detail)), .texts(settlements.map { $0.outcome.account?.words }),
        .integers(settlements.map(\.finishedAt.milliseconds)),
        .integers(settlements.map { $0.nextTryAt?.milliseconds }),
        .integer(epoch),
      ], on: connection)
    return settlements.map { ended.remove([$0.run.jobID.number, $0.run.slot.milliseconds]) != nil }
  }

  func insert(
    _ all: [(notice: Notice, at: Timestamp)], routes: [SinkRoute], on connection: Connection
  ) throws(StoreError) {
    guard !all.isEmpty else { return }
    let notices = all.map(\.notice)
    var inserted = Set(
      try connection.rows(
        """
        INSERT INTO notices (notice_id, team_id, job_id, slot_ms, identifier, title, body, lines, data, late_ms,
          created_ms, expires_ms, severity, person)
        SELECT * FROM unnest(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
        ON CONFLICT (notice_id) DO NOTHING RETURNING notice_id
        """,
        [
          .texts(notices.map(\.id)), .integers(notices.map { $0.teamID?.number }),
          .integers(notices.map { $0.jobID?.number }), .integers(notices.map(\.slot.milliseconds)),
          .texts(notices.map(\.identifier)), .texts(notices.map(\.title)), .texts(notices.map(\.body)),
          .texts(notices.map { $0.lines.joined(separator: "\n") }), .texts(notices.map(\.dataJSON)),
          .integers(notices.map(\.lateness.wholeMilliseconds)), .integers(notices.map(\.createdAt.milliseconds)),
          .integers(notices.map { $0.expiresAt?.milliseconds }), .texts(notices.map(\.severity.rawValue)),
          .texts(notices.map { $0.person?.text }),
        ]
      ) { row throws(StoreError) in row.text(0) })
    let entries = all.filter { inserted.remove($0.notice.id) != nil }.flatMap { notice, at in
      routes.filter { $0.takes(notice) }.map { (notice: notice, sink: $0.sink, at: at) }
    }
    guard !entries.isEmpty else { return }
    // The sequence numbers follow the order of the list.
    try connection.run(
      """
      INSERT INTO outbox (notice_id, team_id, sink, state, attempts, next_try_ms)
      SELECT notice, team, sink, 'pending', 0, at FROM unnest(?1, ?2, ?3, ?4)
        WITH ORDINALITY AS entry (notice, team, sink, at, place) ORDER BY place
      ON CONFLICT (notice_id, sink) DO NOTHING
      """,
      [
        .texts(entries.map(\.notice.id)), .integers(entries.map { $0.notice.teamID?.number }),
        .texts(entries.map(\.sink)), .integers(entries.map(\.at.milliseconds)),
      ])
  }

  func markStaged(_ sequences: [Int64], on connection: Connection) throws(StoreError) {
    try connection.run(
      "UPDATE outbox SET state = 'staged' WHERE sequence = ANY (?) AND state = 'pending'", .integers(sequences))
  }

  func markSent(_ sequences: [Int64], at now: Timestamp, on connection: Connection) throws(StoreError) {
    try connection.run(
      """
      UPDATE outbox SET state = 'sent', sent_ms = ?, last_error = NULL WHERE sequence = ANY (?) AND state <> 'sent'
      """, .at(now), .integers(sequences))
  }
}
