package import FlowModel
package import FlowPlatform

/// A kind of database server that can hold a store.
package protocol ServerEngine: Sendable {
  /// The value of the setting `Engine` that chooses this server.
  var kind: StoreEngine { get }
  /// Name of a database for messages, such as `the PostgreSQL database`.
  var databaseName: String { get }

  /// A session, which connects when it is first used.
  ///
  /// - Parameter writes: true to take the writer's lock.
  func session(_ place: ServerLocation, writes: Bool) throws(StoreError) -> any ServerSession

  /// True if there is a store that a daemon has used. Nothing is created.
  ///
  /// - Throws: `StoreError` if the server cannot be queried or the database holds another program's tables.
  func hasStore(_ place: ServerLocation) throws(StoreError) -> Bool

  /// As `ServerLocation.watch`.
  func watch(
    _ place: ServerLocation, own: NodeIdentity, version: String, schema: Int, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool, heard: @escaping @Sendable () -> Void
  ) throws(StoreError) -> any ClusterWatch

  /// Copies a file's store into an empty database, with its photos from the location's staging directory; all or nothing.
  ///
  /// - Throws: `StoreCopy.Refusal` or `StoreError`; the database then holds no rows.
  func copy(
    fromFile path: String, to place: ServerLocation, trades: StoreTrades, progress: (StoreCopy.Table) -> Void
  ) throws -> [StoreCopy.Table]

  /// Copies a database's store into a new file; all or nothing.
  ///
  /// - Throws: `StoreCopy.Refusal` or `StoreError`; no file is left then.
  func copy(
    from place: ServerLocation, toFile path: String, now: Timestamp, trades: StoreTrades,
    progress: (StoreCopy.Table) -> Void
  ) throws -> [StoreCopy.Table]
}

/// An engine that this build does not contain: every use is refused.
package struct MissingServerEngine: ServerEngine {
  package let kind: StoreEngine

  package init(_ kind: StoreEngine) { self.kind = kind }

  package var databaseName: String { kind.name }

  private var refusal: StoreError { .refused(by: kind.name, .notBuilt) }

  package func session(_ place: ServerLocation, writes: Bool) throws(StoreError) -> any ServerSession {
    throw refusal
  }

  package func hasStore(_ place: ServerLocation) throws(StoreError) -> Bool { throw refusal }

  package func watch(
    _ place: ServerLocation, own: NodeIdentity, version: String, schema: Int, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool, heard: @escaping @Sendable () -> Void
  ) throws(StoreError) -> any ClusterWatch { throw refusal }

  package func copy(
    fromFile path: String, to place: ServerLocation, trades: StoreTrades, progress: (StoreCopy.Table) -> Void
  ) throws -> [StoreCopy.Table] { throw refusal }

  package func copy(
    from place: ServerLocation, toFile path: String, now: Timestamp, trades: StoreTrades,
    progress: (StoreCopy.Table) -> Void
  ) throws -> [StoreCopy.Table] { throw refusal }
}

/// The database servers that a build can use, as Programs lists them.
package struct StoreServers: Sendable {
  private let engines: [any ServerEngine]

  package init(_ engines: [any ServerEngine]) { self.engines = engines }

  /// True if the code for this server is part of the build.
  package func contains(_ kind: StoreEngine) -> Bool { engines.contains { $0.kind == kind } }

  /// The code for a server. If the build does not contain it, every use is refused with a sentence that says so.
  package func engine(_ kind: StoreEngine) -> any ServerEngine {
    engines.first { $0.kind == kind } ?? MissingServerEngine(kind)
  }
}
