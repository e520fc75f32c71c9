package import FlowCommandKit
import FlowCommands
import PoolCommands
import StableCommands  // Stables

extension CommandCatalogue {
  /// All commands of `pfctl`: the engine's, and those of each trade.
  package static let every = CommandCatalogue([
    .engine,
    .pools,
    .stables,  // Stables
  ])
}
