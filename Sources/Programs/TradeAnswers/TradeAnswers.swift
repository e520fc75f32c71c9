package import FlowServices
import PoolServices
import StableServices

extension DaemonTrades {
  /// All trades of `poolflowd`.
  package static let every = DaemonTrades([.poolService, .stable])
}
