package import FlowBackup
package import FlowControl
package import FlowServices
package import FlowStore

/// What a build of the daemon contains besides the engine, as Programs lists it.
package struct DaemonModules: Sendable {
  /// The trades' archives, and their tables and job kinds.
  let backups: BackupTrades
  let servers: StoreServers
  /// The trades' answers and background tasks.
  let services: DaemonTrades
  let interfaces: InterfaceCatalogue

  /// The trades' tables and job kinds.
  var trades: StoreTrades { backups.stores }

  package init(
    backups: BackupTrades, servers: StoreServers, services: DaemonTrades, interfaces: InterfaceCatalogue
  ) {
    self.backups = backups
    self.servers = servers
    self.services = services
    self.interfaces = interfaces
  }
}
