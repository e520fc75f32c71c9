import CPostgres
package import FlowModel
package import FlowPlatform
package import FlowStore

/// PostgreSQL as the server of a store.
package struct PostgresEngine: ServerEngine {
  package init() {}

  package var kind: StoreEngine { .postgresql }

  package var databaseName: String { "the PostgreSQL database" }

  package func session(_ place: ServerLocation, writes: Bool) throws(StoreError) -> any ServerSession {
    try PostgresSession(place, writes: writes)
  }

  package func hasStore(_ place: ServerLocation) throws(StoreError) -> Bool {
    let session = try PostgresSession(place, writes: false)
    guard try session.ask("SELECT to_regclass('\(PostgresSchema.name).epochs')") != nil else { return false }
    // An interrupted copy leaves tables without epochs.
    return try session.ask("SELECT 1 FROM \(PostgresSchema.name).epochs LIMIT 1") != nil
  }

  package func watch(
    _ place: ServerLocation, own: NodeIdentity, version: String, schema: Int, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool, heard: @escaping @Sendable () -> Void
  ) throws(StoreError) -> any ClusterWatch {
    try NodeWatch(place, own: own, version: version, schema: schema, clock: clock, isTold: isTold, heard: heard)
  }
}

/// Loads libpq, only if a server is used.
enum PostgresLibrary {
  private static let fault: String? = poolflow_pq_open().map { String(cString: $0) }

  /// - Throws: `StoreError.refused` with `noLibrary`, which names the missing package.
  static func open() throws(StoreError) {
    // Swift initialises a static once, so the library is opened once.
    if let fault { throw .refused(by: "PostgreSQL", .noLibrary(fault)) }
  }
}
