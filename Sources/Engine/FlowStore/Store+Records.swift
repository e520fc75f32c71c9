package import FlowModel

/// The result of removing a team's records, or of a dry run of it.
package struct ClearedRecords: Hashable, Sendable {
  package let before: RecordCounts
  package let after: RecordCounts
  /// Number of undelivered notices that are now on hold.
  package let held: Int

  package init(before: RecordCounts, after: RecordCounts, held: Int) {
    self.before = before
    self.after = after
    self.held = held
  }
}

extension Store {
  /// Removes a team's records and the addresses of its people in one transaction, and puts its undelivered notices on hold.
  ///
  /// - Parameters:
  ///   - dryRun: true for a dry run: all is done, counted and rolled back.
  ///   - change: the photo change that the photo folder's mark names; nil if no photos are replaced.
  ///   - changed: throws if the team differs from what the caller has seen.
  ///   - remove: removes the records of the team's trade.
  package func clear(
    _ name: String, dryRun: Bool, change: PhotoChange?, unless changed: (RecordCounts) throws -> Void,
    remove: (TeamID) throws -> Void
  ) throws -> ClearedRecords {
    try connection.transaction(dryRun: dryRun) {
      let team = try connection.team(named: name).id
      try connection.recordChange(change, of: team)
      let before = try connection.counts(of: team)
      try changed(before)
      try remove(team)
      // Personal data: a team without records sends no notices.
      try connection.run("DELETE FROM people WHERE team_id = ?", .integer(team.number))
      let held = try connection.holdUndelivered(of: team)
      return ClearedRecords(before: before, after: try connection.counts(of: team), held: held)
    }
  }

  package func counts(of team: TeamID) throws -> RecordCounts { try connection.counts(of: team) }
}

extension StoreSnapshot {
  package func counts(of team: TeamID) throws(StoreError) -> RecordCounts { try connection.counts(of: team) }
}

extension Connection {
  /// Puts a team's undelivered notices on hold, because they were decided with other records.
  ///
  /// - Returns: the number of notices.
  @discardableResult
  package func holdUndelivered(of team: TeamID) throws(StoreError) -> Int {
    try run("UPDATE outbox SET state = 'held' WHERE team_id = ? AND state = 'pending'", .integer(team.number))
  }
}

/// The inbox file of an import; both are stored in one transaction.
package struct ImportClaim<Effect: Sendable>: Sendable {
  package let id: String
  /// Builds the stored report of the import.
  package let report: @Sendable (Effect) throws -> String

  package init(id: String, report: @escaping @Sendable (Effect) throws -> String) {
    self.id = id
    self.report = report
  }
}

extension Store {
  package func inboxReport(of claim: String) throws -> String? {
    try connection.first("SELECT report FROM inbox_claims WHERE claim = ?", .text(claim)) { row throws(StoreError) in
      row.text(0)
    }
  }

  package func forgetInboxClaim(_ claim: String) throws {
    try connection.run("DELETE FROM inbox_claims WHERE claim = ?", .text(claim))
  }

  /// Runs an import in one transaction that also stores the claim of its inbox file.
  package func importInTransaction<Effect: Sendable>(
    _ team: String, _ claim: ImportClaim<Effect>?, now: Timestamp, dryRun: Bool, _ body: () throws -> Effect
  ) throws -> Effect {
    try connection.transaction(of: [connection.team(named: team).id], dryRun: dryRun) {
      let effect = try body()
      if let claim, !dryRun {
        try connection.run(
          "INSERT INTO inbox_claims (claim, team_id, at_ms, report) VALUES (?, ?, ?, ?)", .text(claim.id),
          .integer(try connection.team(named: team).id.number), .at(now), .text(try claim.report(effect)))
      }
      return effect
    }
  }
}
