package import FlowStore

/// What a build of the daemon contains besides the engine, as Programs lists it.
package struct DaemonModules: Sendable {
  let trades: StoreTrades
  let servers: StoreServers

  package init(trades: StoreTrades, servers: StoreServers) {
    self.trades = trades
    self.servers = servers
  }
}
