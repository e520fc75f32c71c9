import ClusterStore
package import FlowModel
package import FlowStore

/// The database servers that this build can use.
package enum StoreServers {
  private static let all: [any ServerEngine] = [
    PostgresEngine()
  ]

  /// True if the code for this server is part of the build.
  package static func contains(_ kind: StoreEngine) -> Bool { all.contains { $0.kind == kind } }

  /// The code for a server. If the build does not contain it, every use is refused with a sentence that says so.
  fileprivate static func engine(_ kind: StoreEngine) -> any ServerEngine {
    all.first { $0.kind == kind } ?? MissingServerEngine(kind)
  }
}

extension ServerLocation {
  /// A location on a PostgreSQL server.
  package init(
    connection: String, photos: String? = nil, isExclusive: Bool = true, application: String = "poolflowd",
    node: NodeIdentity? = nil, partitions: PartitionSet = .none, retriesWhileAway: Bool = true
  ) {
    self.init(
      StoreServers.engine(.postgresql), connection: connection, photos: photos, isExclusive: isExclusive,
      application: application, node: node, partitions: partitions, retriesWhileAway: retriesWhileAway)
  }
}
