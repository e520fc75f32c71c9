import ClusterStore
package import FlowModel
package import FlowStore

// The database servers that this build supports, and their locations.

extension ServerLocation {
  /// The list of all engines on a server.
  private static let engines: [StoreEngine: any ServerEngine] = [
    .postgresql: PostgresEngine()
  ]

  /// A location on a server of the list; an engine that is missing there refuses every use.
  package init(
    connection: String, photos: String? = nil, isExclusive: Bool = true, application: String = "poolflowd",
    node: NodeIdentity? = nil, partitions: PartitionSet = .none, retriesWhileAway: Bool = true
  ) {
    self.init(
      Self.engines[.postgresql] ?? MissingServerEngine(.postgresql), connection: connection, photos: photos,
      isExclusive: isExclusive, application: application, node: node, partitions: partitions,
      retriesWhileAway: retriesWhileAway)
  }
}
