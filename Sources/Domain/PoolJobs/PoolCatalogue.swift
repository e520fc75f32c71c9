package import PoolWork

extension JobCatalogue {
  /// The work of pool service. A new kind is a file under `Kinds` and a line here. The refresh comes after the backup, so
  /// that a night's backup holds what people entered and nothing half done.
  package static let pools = JobCatalogue(
    ofTeam: [.morningSummary, .routePreview, .lowStock, .closedDay, .weeklyDigest, .trialReminder],
    ofServer: [.backup, .lsiRefresh, .routePrecompute])
}
