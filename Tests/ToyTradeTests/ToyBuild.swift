import FlowCommandKit
import FlowCommands
import FlowDaemon
import FlowModel
import FlowNotices
import FlowServices
import FlowStore
import FlowWork
import PoolCommands
import PoolServices
import PoolStore
import StableCommands  // Stables
import StableServices  // Stables
import Testing
import ToyTrade
import TradeStores

/// A build of the daemon and of `pfctl` with the toy trade.
struct ToyBuild: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let modules: DaemonModules
  let catalogue: CommandCatalogue

  static let all = [
    ToyBuild(
      testDescription: "the trade alone",
      modules: DaemonModules(trades: [.apiary], ownJobs: NoOwnJobs(), servers: .all),
      catalogue: CommandCatalogue([.engine, .apiaries])),
    withOthers,
  ]

  static let withOthers = ToyBuild(
    testDescription: "with the other trades",
    modules: DaemonModules(
      trades: [
        .poolService,
        .stable,  // Stables
        .apiary,
      ], ownJobs: ReminderJobs(), servers: .all),
    catalogue: CommandCatalogue([
      .engine,
      .pools,
      .stables,  // Stables
      .apiaries,
    ]))
}

/// Teams of a build without pool service make no jobs themselves.
private struct NoOwnJobs: OwnJobStore {
  func kind(named word: String) -> JobKind? { nil }
  func plans(of team: TeamID, on connection: Connection) -> [JobPlan] { [] }
  func countNotice(
    of run: ClaimedRun, team: TeamID, now: Timestamp, on connection: Connection
  ) -> SuppressionReason? { nil }
  func unreadable(on connection: Connection) -> [TeamID: String] { [:] }
  func forgetEnded(before: Timestamp, on connection: Connection) {}
}
