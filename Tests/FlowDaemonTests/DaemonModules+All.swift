import TradeStores

@testable import FlowDaemon

extension DaemonModules {
  static let all = DaemonModules(trades: .all, servers: .all)
}
