import FlowModel
import FlowNodes
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore

extension ClusterMember {
  /// Makes the node that the settings name; `%H` stands for the machine's short host name.
  ///
  /// - Returns: nil if the settings name no node, or the store is a SQLite file.
  /// - Throws: `StoreError` if libpq is missing, `Credential.Failure`.
  static func named(
    by settings: Settings.StoreSettings, paths: DaemonPaths, environment: [String: String], modules: DaemonModules,
    log: DaemonLog
  ) throws -> ClusterMember? {
    guard let name = settings.node else { return nil }
    let own = NodeIdentity(name: name == "%H" ? String(MachineName.short.prefix(Limits.nodeNameLength)) : name)
    let choice = try StoreChoice(settings, paths, modules, node: own, environment: environment)
    guard case .server(let place) = choice.place else { return nil }
    return try ClusterMember(own, at: place, schema: modules.trades.schemaVersion, log: log)
  }
}
