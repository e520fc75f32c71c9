/// Where a store lies.
package enum StorePlace: Hashable, Sendable {
  /// A file of SQLite's.
  case file(String)
  case server(PostgresPlace)

  /// In a message.
  var name: String {
    switch self {
    case .file(let path): path
    case .server(let server): server.name
    }
  }
}

extension Connection {
  /// A connection that reads a store that somebody else has opened and looked at.
  static func reading(_ place: StorePlace) throws(StoreError) -> Connection {
    let made = try opened(place, .readOnly)
    try made.readOnly()
    return made
  }

  /// A connection to a store that somebody else has opened and looked at.
  package static func opened(_ place: StorePlace, _ mode: Mode) throws(StoreError) -> Connection {
    switch place {
    case .file(let path): return try Connection(path: path, mode: mode)
    case .server(let server):
      let session = try PostgresSession(server, writes: mode == .readWrite)
      session.foundStore()
      return Connection(session)
    }
  }
}
