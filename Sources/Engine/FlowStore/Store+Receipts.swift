package import FlowModel
package import FlowNotices

extension Store: Receipts {
  package func keep(_ receipts: [Receipt], from sink: String, now: Timestamp) throws -> Int {
    try connection.transaction {
      var unknownCount = 0
      for receipt in receipts where try !connection.keep(receipt, from: sink, now: now) { unknownCount += 1 }
      return unknownCount
    }
  }

  package func receipts(of notices: [String]) throws -> [String: [Receipt]] {
    var found: [String: [Receipt]] = [:]
    for notice in notices {
      let own = try connection.receipts(
        "WHERE receipts.notice_id = ? \(Connection.lossesFirst) LIMIT ?", .text(notice),
        .integer(Limits.receiptsPerNotice))
      if !own.isEmpty { found[notice] = own }
    }
    return found
  }

  package func receipts(of job: JobID, slot: Timestamp, limit: Int) throws -> [Receipt] {
    try connection.receipts(
      """
      WHERE receipts.notice_id IN (SELECT notice_id FROM notices WHERE job_id = ? AND slot_ms = ?)
      \(Connection.lossesFirst) LIMIT ?
      """, .integer(job.number), .at(slot), .integer(limit))
  }

  package nonisolated func receiptCounts(since start: Timestamp) async throws -> [Receipt.Outcome: Int] {
    try await readConcurrently { connection in
      let rows = try connection.rows(
        "SELECT outcome, count(*) FROM receipts WHERE known_ms >= ? GROUP BY outcome", .at(start)
      ) { row throws(StoreError) in
        (try row.word(0, table: "receipts", name: "outcome") as Receipt.Outcome, row.number(1))
      }
      return Dictionary(rows, uniquingKeysWith: +)
    }
  }

  package func unreportedLosses(limit: Int) throws -> [DeliveryLoss] {
    try connection.readableRows(
      """
      SELECT \(Connection.receiptColumns), receipts.known_ms, notices.team_id, notices.job_id, jobs.kind AS job_kind,
        notices.slot_ms, notices.title
      FROM receipts JOIN notices ON notices.notice_id = receipts.notice_id JOIN jobs ON jobs.job_id = notices.job_id
      WHERE receipts.told_ms IS NULL AND receipts.outcome <> 'delivered' AND receipts.outcome <> 'waiting'
        AND receipts.outcome <> 'replaced'
        AND receipts.recipient GLOB 't*' AND notices.team_id IS NOT NULL\(connection.ours("notices.team_id"))
      ORDER BY receipts.known_ms LIMIT ?
      """, [.integer(limit)]
    ) { row throws(StoreError) in
      DeliveryLoss(
        receipt: try Connection.receipt(row), team: TeamID(row.integer("team_id")), job: JobID(row.integer("job_id")),
        work: row.text("job_kind"), slot: row.instant("slot_ms"), title: row.text("title"),
        knownAt: row.instant("known_ms"))
    }
  }

  package func lossReportTimes(to teams: Set<TeamID>) throws -> [TeamID: Timestamp] {
    var told: [TeamID: Timestamp] = [:]
    for team in teams {
      told[team] =
        try connection.first(
          "SELECT max(told_ms) FROM receipts WHERE team_id = ? AND told_ms IS NOT NULL", .integer(team.number)
        ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
    }
    return told
  }

  package func notify(
    _ notice: Notice, of losses: [DeliveryLoss], routes: [SinkRoute], now: Timestamp
  ) throws -> [String] {
    try connection.transaction {
      for loss in losses {
        try connection.run(
          "UPDATE receipts SET told_ms = ? WHERE notice_id = ? AND delivery = ? AND told_ms IS NULL", .at(now),
          .text(loss.receipt.notice), .text(loss.receipt.delivery))
      }
      // If no sink takes the notice, the losses count as reported; the history shows them.
      return try connection.notify(notice, routes: routes, now: now)
    }
  }
}

extension Connection {
  fileprivate static let receiptColumns = """
    receipts.notice_id, receipts.delivery, receipts.recipient, receipts.channel, receipts.kind, receipts.outcome,
    receipts.words, receipts.code, receipts.tries, receipts.at_ms, receipts.sink
    """
  fileprivate static let lossesFirst = """
    ORDER BY CASE receipts.outcome WHEN 'delivered' THEN 3 WHEN 'replaced' THEN 2 WHEN 'waiting' THEN 1 ELSE 0 END, receipts.recipient,
      receipts.channel, receipts.delivery
    """

  /// Stores a receipt, or updates it if it is newer than the stored one.
  ///
  /// - Returns: false if this sink never got the notice, or if the notice has too many receipts.
  fileprivate func keep(_ receipt: Receipt, from sink: String, now: Timestamp) throws(StoreError) -> Bool {
    let isKnown = try first(
      """
      SELECT (SELECT count(*) FROM receipts WHERE notice_id = ?1 AND delivery <> ?2) < ?4 AS has_room
      FROM outbox WHERE notice_id = ?1 AND sink = ?3
      """, .text(receipt.notice), .text(receipt.delivery), .text(sink), .integer(Limits.receiptsPerNotice)
    ) { row throws(StoreError) in row.flag("has_room") }
    guard isKnown == true else { return false }
    try run(
      """
      INSERT INTO receipts (notice_id, delivery, sink, team_id, recipient, channel, kind, outcome, words, code, tries, at_ms,
        known_ms)
      VALUES (?1, ?2, ?3, (SELECT team_id FROM notices WHERE notice_id = ?1), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      ON CONFLICT (notice_id, delivery) DO UPDATE SET outcome = excluded.outcome, words = excluded.words,
        code = excluded.code, tries = excluded.tries, at_ms = excluded.at_ms, known_ms = excluded.known_ms
      WHERE excluded.tries > receipts.tries OR (excluded.tries = receipts.tries AND (
        (receipts.outcome = 'waiting' AND excluded.outcome <> 'waiting')
        OR ((receipts.outcome = 'waiting') = (excluded.outcome = 'waiting') AND excluded.at_ms > receipts.at_ms)))
      """, .text(receipt.notice), .text(receipt.delivery), .text(sink), .text(receipt.recipient),
      .text(receipt.channel), .text(receipt.kind), .text(receipt.outcome.rawValue), .text(receipt.words),
      .optional(receipt.code.map(Int64.init)),
      .integer(receipt.tries), .at(receipt.at), .at(now))
    return true
  }

  fileprivate func receipts(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [Receipt] {
    try readableRows("SELECT \(Self.receiptColumns) FROM receipts \(condition)", values) { row throws(StoreError) in
      try Self.receipt(row)
    }
  }

  fileprivate static func receipt(_ row: Statement) throws(StoreError) -> Receipt {
    Receipt(
      notice: row.text("notice_id"), delivery: row.text("delivery"), recipient: row.text("recipient"),
      channel: row.text("channel"), kind: row.text("kind"), outcome: try row.word("outcome", table: "receipts"),
      words: row.text("words"), code: row.optionalInteger("code").map { Int($0) }, tries: row.number("tries"),
      at: row.instant("at_ms"), sink: row.text("sink"))
  }
}
