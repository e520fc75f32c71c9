package import FlowModel

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
