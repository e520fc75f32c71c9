package import FlowModel
package import FlowNotices

/// Repairs of outbox entries by the operator. Each is one transaction; with `dryRun` it only counts.
extension Store {
  package func reviveDead(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) throws -> RepairCount {
    let alive = "notice_id IN (SELECT notice_id FROM notices WHERE expires_ms IS NULL OR expires_ms > ?5)"
    return try connection.transaction {
      let all = try connection.countEntries("state = 'dead'", selection, now)
      let changed = try connection.countEntries("state = 'dead' AND \(alive)", selection, now)
      if !dryRun {
        try connection.updateEntries(
          "state = 'pending', attempts = 0, next_try_ms = ?5, last_error = NULL", "state = 'dead' AND \(alive)",
          selection, now)
      }
      return RepairCount(changed: changed, left: all - changed)
    }
  }

  package func unexpiredDead(now: Timestamp) throws -> [OutboxEntry] {
    try connection.entries(
      "WHERE outbox.state = 'dead' AND notices.expires_ms > ?1 ORDER BY outbox.sequence LIMIT ?2", .at(now),
      .integer(Limits.rowsPerAnswer))
  }

  package func revive(_ sequences: [Int64], now: Timestamp) throws -> Set<String> {
    try connection.transaction {
      var sinks: Set<String> = []
      for sequence in sequences {
        sinks.formUnion(
          try connection.rows(
            """
            UPDATE outbox SET state = 'pending', attempts = 0, next_try_ms = ?, last_error = NULL
            WHERE sequence = ? AND state = 'dead' RETURNING sink
            """, .at(now), .integer(sequence)
          ) { row throws(StoreError) in row.text(0) })
      }
      return sinks
    }
  }

  package func retryNow(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) throws -> RepairCount {
    try repair("next_try_ms = min(next_try_ms, ?5)", "state IN ('pending', 'staged')", selection, now, dryRun)
  }

  package func release(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) throws -> RepairCount {
    try repair("state = 'pending', attempts = 0, next_try_ms = ?5", "state = 'held'", selection, now, dryRun)
  }

  package func discard(
    _ selection: EntrySelection, reason: String, now: Timestamp, dryRun: Bool
  ) throws -> RepairCount {
    try connection.transaction {
      let staged = try connection.countEntries("state = 'staged'", selection, now)
      let changed = try connection.countEntries("state IN ('pending', 'held')", selection, now)
      if !dryRun {
        try connection.updateEntries(
          "state = 'dead', last_error = ?6", "state IN ('pending', 'held')", selection, now, .text(reason))
      }
      return RepairCount(changed: changed, left: staged)
    }
  }

  package func purgeDead(_ selection: EntrySelection, dryRun: Bool) throws -> RepairCount {
    try connection.transaction {
      let changed = try connection.countEntries("state = 'dead'", selection, nil)
      if !dryRun { try connection.deleteEntries("state = 'dead'", selection) }
      return RepairCount(changed: changed, left: 0)
    }
  }

  package func holdUndelivered() throws -> Int {
    try connection.run("UPDATE outbox SET state = 'held' WHERE state IN ('pending', 'staged')")
  }

  /// Applies a change to all selected entries that meet the condition; with `dryRun` it only counts them.
  private func repair(
    _ change: String, _ condition: String, _ selection: EntrySelection, _ now: Timestamp, _ dryRun: Bool
  ) throws -> RepairCount {
    try connection.transaction {
      let changed = try connection.countEntries(condition, selection, now)
      if !dryRun { try connection.updateEntries(change, condition, selection, now) }
      return RepairCount(changed: changed, left: 0)
    }
  }
}

/// Conditions and changes are SQL constants, in which `?5` is the current time and `?6` one more value. Values from callers
/// are bound.
extension Connection {
  private static let selected = """
    (?1 IS NULL OR notice_id = ?1) AND (?2 IS NULL OR sink = ?2) AND (?3 IS NULL OR team_id = ?3)
      AND (?4 IS NULL OR notice_id IN (SELECT notice_id FROM notices WHERE created_ms >= ?4))
    """

  private func values(_ selection: EntrySelection, _ now: Timestamp?) -> [SQLValue] {
    [
      .optional(selection.noticeID), .optional(selection.sink), .optional(selection.team?.number),
      .at(selection.since), .at(now),
    ]
  }

  /// Binds only as many values as the statement has placeholders.
  private func values(
    for sql: String, _ selection: EntrySelection, _ now: Timestamp?, _ more: SQLValue?
  ) -> [SQLValue] {
    var values = values(selection, now)
    if let more { values.append(more) }
    let places = sql.contains("?6") ? 6 : sql.contains("?5") ? 5 : 4
    return Array(values.prefix(places))
  }

  fileprivate func countEntries(
    _ condition: String, _ selection: EntrySelection, _ now: Timestamp?
  ) throws(StoreError) -> Int {
    let sql = "SELECT count(*) FROM outbox WHERE \(condition) AND \(Self.selected)"
    return try rows(sql, values(for: sql, selection, now, nil)) { row throws(StoreError) in row.number(0) }.first ?? 0
  }

  fileprivate func updateEntries(
    _ change: String, _ condition: String, _ selection: EntrySelection, _ now: Timestamp, _ more: SQLValue? = nil
  ) throws(StoreError) {
    let sql = "UPDATE outbox SET \(change) WHERE \(condition) AND \(Self.selected)"
    try run(sql, values(for: sql, selection, now, more))
  }

  fileprivate func deleteEntries(_ condition: String, _ selection: EntrySelection) throws(StoreError) {
    let sql = "DELETE FROM outbox WHERE \(condition) AND \(Self.selected)"
    try run(sql, values(for: sql, selection, nil, nil))
  }
}
