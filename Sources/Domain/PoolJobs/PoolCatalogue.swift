package import PoolWork

extension JobCatalogue {
  /// The work of pool service. A new kind is a file under `Kinds` and a line here. The refresh comes after the backup, so
  /// that a night's backup holds what people entered and nothing half done.
  package static let pools = JobCatalogue(
    ofTeam: [.morningSummary, .lowStock, .weeklyDigest, .trialReminder],
    ofServer: [.backup, .lsiRefresh, .routePrecompute])
}

/// By its word in the ledger.
extension JobKind: RawRepresentable {
  /// The kind of the catalogue that has this word; nil where none has it.
  package init?(rawValue: String) {
    guard let kind = JobCatalogue.pools.kind(named: rawValue) else { return nil }
    self = kind
  }
}
