package import FlowBackup
package import FlowControl
package import FlowStore

/// A trade in the daemon: everything that the engine needs of it. Programs lists the trades of a build.
package struct DaemonTrade: Sendable {
  /// Tables, facts and job kinds.
  package let tables: any TradeStore
  package let archives: any TradeArchives
  /// Answers, background tasks and pages.
  package let services: TradeServices
  /// The interfaces of the control protocol that the services answer.
  package let interfaces: [InterfaceDescription]

  package init(
    tables: any TradeStore, archives: any TradeArchives, services: TradeServices, interfaces: [InterfaceDescription]
  ) {
    self.tables = tables
    self.archives = archives
    self.services = services
    self.interfaces = interfaces
  }
}
