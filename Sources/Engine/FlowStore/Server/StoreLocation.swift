package import FlowModel
package import FlowPlatform

/// Location of a store.
package enum StoreLocation: Sendable {
  /// Path of a SQLite file.
  case file(String)
  case server(ServerLocation)
}

extension StoreLocation {
  /// True if there is a store that a daemon has used. Nothing is created.
  ///
  /// - Throws: `StoreError` if the server cannot be queried or the database holds another program's tables.
  package func hasStore() throws(StoreError) -> Bool {
    switch self {
    case .file(let path): return FileKind(at: path) != nil
    case .server(let server): return try server.engine.hasStore(server)
    }
  }
}

extension Connection {
  /// A read-only connection to a store that has already been opened and checked.
  static func reading(_ place: StoreLocation, _ trades: StoreTrades) throws(StoreError) -> Connection {
    let made = try opened(place, .readOnly, trades: trades)
    try made.readOnly()
    return made
  }

  /// A connection to a store that has already been opened and checked.
  package static func opened(
    _ place: StoreLocation, _ mode: Mode, trades: StoreTrades
  ) throws(StoreError) -> Connection {
    switch place {
    case .file(let path): return try Connection(path: path, mode: mode, trades: trades)
    case .server(let server):
      let session = try server.engine.session(server, writes: mode == .readWrite)
      session.noteStoreExists()
      return Connection(session, trades: trades)
    }
  }
}

extension StoreReader {
  /// True if the store is on a server and cannot be copied as a file.
  package nonisolated var isOnServer: Bool { if case .server = place { true } else { false } }

  /// Runs `body` on one consistent snapshot of the live store.
  package func readSnapshot<Value: Sendable>(_ body: @Sendable (StoreSnapshot) throws -> Value) throws -> Value {
    try read { try body(StoreSnapshot(reading: $0)) }
  }
}

/// A store on a database server: a connection string and the daemon's role. Passwords belong in a password file, a service file
/// or a credential, not in the connection string; messages contain none.
package struct ServerLocation: Sendable {
  /// The code for this kind of server.
  package let engine: any ServerEngine
  /// Such as `service=poolflow`, or `host=db1,db2 dbname=poolflow target_session_attrs=read-write`.
  package let connection: String
  /// True if the session takes the writer's lock, as the daemon does. Tests set false to open a second store beside the first.
  package let isExclusive: Bool
  /// Application name in the server's list of sessions.
  package let application: String
  /// Directory of staged photos; nil if no photos are imported.
  package let photos: String?
  /// Identity of this node; nil for a single daemon.
  package let node: NodeIdentity?
  /// Partitions that the node acquires at start.
  package let partitions: PartitionSet
  /// True to retry while a server is away, and then to pause the retries. Tests without real time set false.
  package let retriesWhileAway: Bool

  package init(
    _ engine: any ServerEngine, connection: String, photos: String?, isExclusive: Bool = true,
    application: String = "poolflowd", node: NodeIdentity? = nil, partitions: PartitionSet = .none,
    retriesWhileAway: Bool = true
  ) {
    self.engine = engine
    self.connection = connection
    self.photos = photos
    self.isExclusive = isExclusive
    self.application = application
    self.node = node
    self.partitions = partitions
    self.retriesWhileAway = retriesWhileAway
  }

  /// Name for messages before a session is open.
  package var name: String { engine.databaseName }

  /// A watch on all nodes that use this store.
  ///
  /// - Parameters:
  ///   - isTold: takes the text of a notification; returns true if it was a message for its receiver, which needs no `look`.
  ///   - heard: called on another thread for any other notification and when the session ends; must return at once. It is
  ///     only a hint: without it, the next `look` finds the change.
  /// - Throws: `StoreError` if the client library is missing or rejects the connection string.
  package func watch(
    own: NodeIdentity, version: String, schema: Int, clock: any WallClock,
    isTold: @escaping @Sendable (String) -> Bool = { _ in false }, heard: @escaping @Sendable () -> Void = {}
  ) throws(StoreError) -> any ClusterWatch {
    try engine.watch(
      self, own: own, version: version, schema: schema, clock: clock, isTold: isTold, heard: heard)
  }
}
