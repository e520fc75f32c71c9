package import PoolWork

extension JobCatalogue {
  /// The work of pool service. A new kind is a file under `Kinds` and a line here. The refresh comes after the backup, so
  /// that a night's backup holds what people entered and nothing half done.
  package static let pools = JobCatalogue(
    ofTeam: [.morningSummary, .routePreview, .lowStock, .closedDay, .weeklyDigest, .trialReminder],
    ofServer: [.backup, .lsiRefresh, .routePrecompute])
}

/// By its word in the ledger.
extension JobKind: RawRepresentable {
  /// The kind of the catalogue that has this word, or the reminder of that name; nil where none has it.
  package init?(rawValue: String) {
    if let kind = JobCatalogue.pools.kind(named: rawValue) {
      self = kind
    } else if let name = Self.reminderName(in: rawValue) {
      self = .reminder(name)
    } else {
      return nil
    }
  }
}
