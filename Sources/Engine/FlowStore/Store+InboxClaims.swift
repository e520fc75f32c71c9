extension Store {
  package func inboxReport(of claim: String) throws -> String? {
    try connection.first("SELECT report FROM inbox_claims WHERE claim = ?", .text(claim)) { row throws(StoreError) in
      row.text(0)
    }
  }

  package func forgetInboxClaim(_ claim: String) throws {
    try connection.run("DELETE FROM inbox_claims WHERE claim = ?", .text(claim))
  }
}
