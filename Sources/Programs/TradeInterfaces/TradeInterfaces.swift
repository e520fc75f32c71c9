package import FlowControl
import PoolControl
import StableControl  // Stables

extension InterfaceCatalogue {
  /// All interfaces of the control protocol: the engine's, and those of each trade.
  package static let every = InterfaceCatalogue([
    .flowControl,
    .poolControl,
    .stableControl,  // Stables
  ])
}
