package import FlowControl
import PoolControl
import StableControl  // Stables

extension InterfaceCatalogue {
  /// The interfaces of the daemon's trades, for tests below the daemon; a test of the daemon compares them with its list.
  package static let every = InterfaceCatalogue([
    .flowControl,
    .poolControl,
    .stableControl,  // Stables
  ])
}
