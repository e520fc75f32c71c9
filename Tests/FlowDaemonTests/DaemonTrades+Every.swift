import FlowServices
import Trades

extension DaemonTrades {
  /// All trades of `poolflowd`.
  static let every = DaemonModules.all.services
}
