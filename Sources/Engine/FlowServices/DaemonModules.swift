package import FlowBackup
package import FlowControl
package import FlowStore

/// What a build of the daemon contains besides the engine, as Programs lists it.
package struct DaemonModules: Sendable {
  /// The trades' archives, and their tables and job kinds.
  package let backups: BackupTrades
  package let servers: StoreServers
  /// The trades' answers, background tasks and pages.
  package let services: DaemonTrades
  package let interfaces: InterfaceCatalogue

  /// The trades' tables and job kinds.
  package var trades: StoreTrades { backups.stores }

  /// - Parameters:
  ///   - trades: the trades that the daemon serves.
  ///   - ownJobs: the jobs that teams made themselves.
  ///   - servers: the database servers that it can use.
  package init(trades: [DaemonTrade], ownJobs: any OwnJobStore, servers: StoreServers) {
    backups = BackupTrades(
      stores: StoreTrades(trades.map(\.tables), ownJobs: ownJobs), archives: trades.map(\.archives))
    self.servers = servers
    services = DaemonTrades(trades.map(\.services))
    interfaces = InterfaceCatalogue([.flowControl] + trades.map(\.interfaces))
  }
}
