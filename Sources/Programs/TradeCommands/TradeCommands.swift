package import FlowCommandKit
import FlowCommands
package import FlowNotices
import PoolCommands
import PoolDigests
import StableCommands  // Stables
import StableDigests  // Stables

extension CommandCatalogue {
  /// All commands of `pfctl`: the engine's, and those of each trade.
  package static let every = CommandCatalogue([
    .engine,
    .pools,
    .stables,  // Stables
  ])
}

extension NoticeDetailTypes {
  /// The details of all trades' notices, for `poolflow-post`, whose memory has no room for the commands.
  package static let ofAllTrades = NoticeDetailTypes([
    PoolNoticeDetails.type(of:),
    BarnNoticeDetails.type(of:),  // Stables
  ])
}
