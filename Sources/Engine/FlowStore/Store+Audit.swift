package import FlowModel

/// An entry of the audit log: a change and the user who requested it.
package struct AuditRecord: Hashable, Sendable {
  package let entry: Int64
  package let at: Timestamp
  package let uid: UInt32
  /// Nil if the system has no name for the uid.
  package let userName: String?
  /// The equivalent `pfctl` command, without secrets.
  package let command: String
  /// `done`, or the error's name; nil while the change runs or if the daemon ended during it.
  package let result: String?
  package let finishedAt: Timestamp?
}

extension Store {
  package func beginAudit(uid: UInt32, userName: String?, command: String, at now: Timestamp) throws -> Int64 {
    try connection.transaction {
      let entry =
        try connection.first(
          "INSERT INTO audit (at_ms, uid, user_name, command) VALUES (?, ?, ?, ?) RETURNING entry", .at(now),
          .integer(Int(uid)), .optional(userName), .text(TextRule.auditCommand.truncated(command))
        ) { row throws(StoreError) in row.integer(0) } ?? 0
      try connection.run("DELETE FROM audit WHERE entry <= ?", .integer(entry - Int64(Limits.auditEntries)))
      return entry
    }
  }

  package func endAudit(_ entry: Int64, result: String, at now: Timestamp) throws {
    try connection.run(
      "UPDATE audit SET result = ?, finished_ms = ? WHERE entry = ?", .text(result), .at(now), .integer(entry))
  }

  package func audit(since start: Timestamp?, limit: Int) throws -> [AuditRecord] {
    try connection.rows(
      """
      SELECT entry, at_ms, uid, user_name, command, result, finished_ms FROM audit
      WHERE at_ms >= ? ORDER BY entry DESC LIMIT ?
      """, .at(start ?? Timestamp(milliseconds: 0)), .integer(limit)
    ) { row throws(StoreError) in
      AuditRecord(
        entry: row.integer("entry"), at: row.instant("at_ms"), uid: UInt32(clamping: row.integer("uid")),
        userName: row.optionalText("user_name"), command: row.text("command"), result: row.optionalText("result"),
        finishedAt: row.optionalInstant("finished_ms"))
    }
  }
}
