import CPostgres
package import FlowModel
import Synchronization

/// A PostgreSQL store: a libpq connection string and the daemon's role. Passwords belong in a password file, a service file or
/// a credential, not in the connection string; messages contain none.
package struct PostgresLocation: Hashable, Sendable {
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
    connection: String, photos: String? = nil, isExclusive: Bool = true, application: String = "poolflowd",
    node: NodeIdentity? = nil, partitions: PartitionSet = .none, retriesWhileAway: Bool = true
  ) {
    self.connection = connection
    self.photos = photos
    self.node = node
    self.partitions = partitions
    self.retriesWhileAway = retriesWhileAway
    self.isExclusive = isExclusive
    self.application = application
  }

  /// Name for messages before the session is open; `PostgresSession.place` is more specific.
  var name: String { "the PostgreSQL database" }
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
