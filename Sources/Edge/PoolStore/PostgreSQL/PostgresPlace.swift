import CPostgres
package import PoolModel
import Synchronization

/// Where a server keeps a store: a connection string as libpq takes it. Passwords stand in a password file, a service file or
/// a credential, never here in plain sight; what is said of the server names none.
package struct PostgresPlace: Hashable, Sendable {
  /// Such as `service=poolflow`, or `host=db1,db2 dbname=poolflow target_session_attrs=read-write`.
  package let connection: String
  /// Whether one alone may write: the daemon. A test opens a second store as the next process would, while the first is
  /// still there.
  package let isExclusive: Bool
  /// What the server's own lists call us.
  package let application: String
  /// The folder in which photos wait that are to be taken in; nil where none come.
  package let photos: String?
  /// Which of several daemons of this store asks; nil where it is alone.
  package let node: NodeIdentity?
  /// What such a one takes when it begins.
  package let shares: ShareSet
  /// Whether a server that is away is waited for a moment, and then left alone for one. A test in which no time passes does
  /// neither.
  package let isPatient: Bool

  package init(
    connection: String, photos: String? = nil, isExclusive: Bool = true, application: String = "poolflowd",
    node: NodeIdentity? = nil, shares: ShareSet = .none, isPatient: Bool = true
  ) {
    self.connection = connection
    self.photos = photos
    self.node = node
    self.shares = shares
    self.isPatient = isPatient
    self.isExclusive = isExclusive
    self.application = application
  }

  /// In a sentence; where the store is, the session knows better.
  var name: String { "the PostgreSQL database" }
}

/// libpq, looked for only where a server is asked for.
enum PostgresLibrary {
  private static let fault: String? = poolflow_pq_open().map { String(cString: $0) }

  /// - Throws: `StoreError.noServer` that says which package brings it.
  static func open() throws(StoreError) {
    // A static is made once, whoever asks first.
    if let fault { throw .refused(by: "PostgreSQL", .noLibrary(fault)) }
  }
}
