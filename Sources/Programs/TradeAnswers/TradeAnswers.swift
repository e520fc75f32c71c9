package import FlowServices
import PoolServices
import StableServices  // Stables

extension DaemonTrades {
  /// All trades of `poolflowd`.
  package static let every = DaemonTrades([
    .poolService,
    .stable,  // Stables
  ])
}
