import ClusterStore  // Cluster
package import FlowServices
import FlowStore
import PoolServices
import PoolStore
import StableServices  // Stables

extension DaemonModules {
  /// All trades of `poolflowd`, and the database servers that it can use.
  package static let all = DaemonModules(
    trades: [
      .poolService,
      .stable,  // Stables
    ], ownJobs: ReminderJobs(),
    servers: StoreServers([
      PostgresEngine()  // Cluster
    ]))
}
