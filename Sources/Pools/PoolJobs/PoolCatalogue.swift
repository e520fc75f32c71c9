import FlowModel
import PoolModel
package import FlowWork

extension JobCatalogue {
  /// Job kinds of pool service. To add a kind, add a file under `Kinds` and list the kind here. The refresh runs after the
  /// backup, so that each night's backup has complete user data and no half-done refresh.
  package static let pools = JobCatalogue(
    ofTeam: [.morningSummary, .routePreview, .lowStock, .closedDay, .weeklyDigest, .trialReminder],
    ofServer: [.backup, .lsiRefresh, .routePrecompute], subscriptions: [.route, .lowStock], ofTechnicians: [.route])
}
