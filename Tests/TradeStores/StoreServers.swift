import ClusterStore  // Cluster
package import FlowModel
package import FlowStore

extension StoreServers {
  /// The database servers that this build can use.
  package static let all = StoreServers([
    PostgresEngine()  // Cluster
  ])
}

extension ServerLocation {
  /// A location on a PostgreSQL server.
  package init(
    connection: String, photos: String? = nil, isExclusive: Bool = true, application: String = "poolflowd",
    node: NodeIdentity? = nil, partitions: PartitionSet = .none, retriesWhileAway: Bool = true
  ) {
    self.init(
      StoreServers.all.engine(.postgresql), connection: connection, photos: photos, isExclusive: isExclusive,
      application: application, node: node, partitions: partitions, retriesWhileAway: retriesWhileAway)
  }
}
