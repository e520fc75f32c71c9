import FlowServices
import TradeAnswers
import TradeInterfaces
import TradeStores
import TradeBackups

@testable import FlowDaemon

extension DaemonModules {
  static let all = DaemonModules(backups: .all, servers: .all, services: .every, interfaces: .every)
}
