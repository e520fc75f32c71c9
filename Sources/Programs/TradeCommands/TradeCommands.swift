package import FlowCommandKit
import FlowCommands
import PoolCommands
import StableCommands

extension CommandCatalogue {
  /// All commands of `pfctl`: the engine's, and those of each trade.
  package static let every = CommandCatalogue([.engine, .pools, .stables])
}
