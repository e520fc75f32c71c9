package import FlowModel
package import FlowNotices

extension Store {
  package func dueEntries(sink: String, now: Timestamp, limit: Int) throws -> [OutboxEntry] {
    var found: [OutboxEntry] = []
    // One query per state, so that an index provides the order; a backlog need not be sorted for each batch.
    for state in [EntryState.staged, .pending] where found.count < limit {
      found += try connection.entries(
        """
        WHERE outbox.sink = ?1 AND outbox.state IN ('pending', 'staged') AND outbox.state = ?2
          AND outbox.next_try_ms <= ?3\(connection.ours("outbox.team_id"))
        ORDER BY outbox.sequence LIMIT ?4
        """, .text(sink), .text(state.rawValue), .at(now), .integer(limit - found.count))
    }
    return found
  }

  package func nextDue(sink: String) throws -> Timestamp? {
    try connection.first(
      """
      SELECT min(next_try_ms) FROM outbox
      WHERE sink = ? AND state IN ('pending', 'staged')\(connection.ours("team_id"))
      """, .text(sink)
    ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
  }

  package func markStaged(_ sequences: [Int64], at now: Timestamp) throws {
    try connection.transaction {
      if let session = connection.server { return try session.markStaged(sequences, on: connection) }
      for sequence in sequences { try connection.markStaged(sequence) }
    }
  }

  package func markSent(_ sequences: [Int64], at now: Timestamp) throws {
    try connection.transaction {
      if let session = connection.server { return try session.markSent(sequences, at: now, on: connection) }
      for sequence in sequences { try connection.markSent(sequence, at: now) }
    }
  }

  package func markRefused(_ refusals: [EntryRefusal], at now: Timestamp) throws {
    try connection.transaction {
      for refusal in refusals {
        let next: Timestamp? = if case .tryAgain(let at) = refusal.next { at } else { nil }
        try connection.run(
          """
          UPDATE outbox SET attempts = attempts + 1, last_error = ?, next_try_ms = coalesce(?, next_try_ms),
            state = CASE WHEN ? IS NULL THEN 'dead' ELSE state END
          WHERE sequence = ? AND state IN ('pending', 'staged')
          """, .text(refusal.error), .at(next), .at(next), .integer(refusal.sequence))
      }
    }
  }

  package func outbox(_ query: OutboxQuery) throws -> [OutboxEntry] {
    try connection.entries(
      """
      WHERE (?1 IS NULL OR outbox.team_id = ?1) AND (?2 IS NULL OR outbox.sink = ?2)
        AND (?3 IS NULL OR outbox.state = ?3) AND (?4 IS NULL OR outbox.notice_id = ?4)
      ORDER BY outbox.sequence DESC LIMIT ?5
      """, .optional(query.team?.number), .optional(query.sink), .optional(query.state?.rawValue),
      .optional(query.noticeID), .integer(query.limit))
  }

  package func noticeIDs(beginning text: String, like pattern: String?, limit: Int) throws -> [String] {
    // Ids are ASCII without a tilde, so `~` sorts after all of them.
    try connection.rows(
      """
      SELECT notice_id FROM notices WHERE notice_id >= ?1 AND notice_id < ?1 || '~' AND (?2 IS NULL OR notice_id GLOB ?2)
      ORDER BY notice_id LIMIT ?3
      """, .text(text), .optional(pattern), .integer(limit)
    ) { row throws(StoreError) in row.text(0) }
  }

  package func entries(of job: JobID, slot: Timestamp) throws -> [OutboxEntry] {
    try connection.entries(
      """
      WHERE outbox.notice_id IN (SELECT notice_id FROM notices WHERE job_id = ? AND slot_ms = ?) ORDER BY outbox.sequence
      """, .integer(job.number), .at(slot))
  }

  package nonisolated func outboxDepth() async throws -> [EntryState: Int] {
    try await readConcurrently { connection in
      // Sent entries may number a hundred thousand: their count is the total minus the others, which have partial indexes.
      let counts = try connection.first(
        """
        SELECT (SELECT count(*) FROM outbox),
          (SELECT count(*) FROM outbox WHERE state IN ('pending', 'staged') AND state = 'pending'),
          (SELECT count(*) FROM outbox WHERE state IN ('pending', 'staged') AND state = 'staged'),
          (SELECT count(*) FROM outbox WHERE state IN ('dead', 'held') AND state = 'dead'),
          (SELECT count(*) FROM outbox WHERE state IN ('dead', 'held') AND state = 'held')
        """
      ) { row throws(StoreError) in (0..<5).map { row.number(Int32($0)) } }
      guard let counts else { return [:] }
      var depth: [EntryState: Int] = [.sent: counts[0] - counts[1...].reduce(0, +)]
      for (state, count) in zip([EntryState.pending, .staged, .dead, .held], counts.dropFirst()) {
        depth[state] = count
      }
      return depth.filter { $0.value > 0 }
    }
  }

  package nonisolated func oldestUndelivered() async throws -> Timestamp? {
    try await readConcurrently { connection in
      // The entry with the lowest sequence number is the oldest; no other notice is read.
      try connection.first(
        """
        SELECT created_ms FROM notices WHERE notice_id =
          (SELECT notice_id FROM outbox WHERE state IN ('pending', 'staged') ORDER BY sequence LIMIT 1)
        """
      ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
    }
  }

  package func stagedNoticeIDs(sink: String) throws -> Set<String> {
    Set(
      try connection.rows(
        "SELECT notice_id FROM outbox WHERE sink = ? AND state = 'staged'", .text(sink)
      ) { row throws(StoreError) in row.text(0) })
  }
}

extension Connection {
  /// Inserts a notice, with an entry for each sink whose route takes it. A notice that exists already stays unchanged.
  func insertNotice(_ notice: Notice, routes: [SinkRoute], now: Timestamp) throws(StoreError) {
    let inserted = try run(
      """
      INSERT INTO notices (notice_id, team_id, job_id, slot_ms, identifier, title, body, lines, data, late_ms,
        created_ms, expires_ms, severity, person)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (notice_id) DO NOTHING
      """, .text(notice.id), .optional(notice.teamID?.number), .optional(notice.jobID?.number), .at(notice.slot),
      .text(notice.identifier), .text(notice.title), .text(notice.body), .text(notice.lines.joined(separator: "\n")),
      .text(notice.dataJSON), .integer(notice.lateness.wholeMilliseconds), .at(notice.createdAt),
      .at(notice.expiresAt), .text(notice.severity.rawValue), .optional(notice.person?.text))
    guard inserted == 1 else { return }
    for route in routes where route.takes(notice) {
      try run(
        """
        INSERT INTO outbox (notice_id, team_id, sink, state, attempts, next_try_ms) VALUES (?, ?, ?, 'pending', 0, ?)
        ON CONFLICT (notice_id, sink) DO NOTHING
        """, .text(notice.id), .optional(notice.teamID?.number), .text(route.sink), .at(now))
    }
  }

  /// Reads outbox entries with their notices; a damaged row becomes an entry with `damage` set.
  func entries(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [OutboxEntry] {
    let sql = """
      SELECT outbox.sequence, outbox.sink, outbox.state, outbox.attempts, outbox.next_try_ms, outbox.last_error,
        outbox.sent_ms, notices.notice_id, notices.team_id, teams.name AS team_name, notices.job_id, jobs.kind, notices.slot_ms,
        notices.identifier, notices.title, notices.body, notices.lines, notices.data, notices.late_ms,
        notices.created_ms, notices.expires_ms, notices.severity, notices.person
      FROM outbox JOIN notices ON notices.notice_id = outbox.notice_id
        LEFT JOIN teams ON teams.team_id = notices.team_id LEFT JOIN jobs ON jobs.job_id = notices.job_id
      \(condition)
      """
    return try rows(sql, values) { row throws(StoreError) in
      do throws(StoreError) {
        let entry = Self.entry(row, try Self.notice(row), try row.word("state", table: "outbox"), damage: nil)
        if let damage = row.damage() { throw damage }
        return entry
      } catch {
        guard error.isAboutData else { throw error }
        // A damaged entry does not block others: its lane dead-letters it with the reason.
        let state: EntryState = (try? row.word("state", table: "outbox")) ?? .held
        let entry = Self.entry(row, Self.unreadableNotice(row, error), state, damage: error.description)
        _ = row.damage()
        return entry
      }
    }
  }

  private static func entry(
    _ row: Statement, _ notice: Notice, _ state: EntryState, damage: String?
  ) -> OutboxEntry {
    OutboxEntry(
      sequence: row.integer("sequence"), sink: row.text("sink"), notice: notice, state: state,
      attempts: row.number("attempts"), nextTryAt: row.instant("next_try_ms"),
      lastError: row.optionalText("last_error") ?? damage, sentAt: row.optionalInstant("sent_ms"), damage: damage)
  }

  /// A notice with the ids and times of a damaged row, without its text.
  private static func unreadableNotice(_ row: Statement, _ error: StoreError) -> Notice {
    Notice(
      id: row.text("notice_id"), teamID: row.optionalInteger("team_id").map { TeamID($0) },
      teamName: row.text("team_name"), jobID: row.optionalInteger("job_id").map { JobID($0) },
      job: row.optionalText("kind") ?? OperatorNotice.job, slot: row.instant("slot_ms"),
      identifier: row.text("identifier"), title: "A notice that cannot be read", body: error.description, lines: [],
      dataJSON: "", lateness: .zero, createdAt: row.instant("created_ms"), expiresAt: nil)
  }

  private static func notice(_ row: Statement) throws(StoreError) -> Notice {
    let lines = row.text("lines")
    let person = row.optionalText("person")
    let key = person.flatMap { PersonKey($0) }
    // Without this check, a notice for one person would go to the whole team.
    guard (person == nil) == (key == nil) else {
      throw .damaged(table: "notices", column: "person", value: person ?? "")
    }
    return Notice(
      id: row.text("notice_id"), teamID: row.optionalInteger("team_id").map { TeamID($0) },
      teamName: row.text("team_name"), jobID: row.optionalInteger("job_id").map { JobID($0) },
      job: row.optionalText("kind") ?? OperatorNotice.job, slot: row.instant("slot_ms"),
      identifier: row.text("identifier"), title: row.text("title"), body: row.text("body"),
      lines: lines.isEmpty ? [] : lines.split(separator: "\n").map(String.init), dataJSON: row.text("data"),
      lateness: .milliseconds(row.integer("late_ms")), createdAt: row.instant("created_ms"),
      expiresAt: row.optionalInstant("expires_ms"), severity: try row.word("severity", table: "notices"),
      person: key)
  }
}
