/// Location of a store.
package enum StoreLocation: Sendable {
  /// Path of a SQLite file.
  case file(String)
  case server(ServerLocation)
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
