import FlowPlatform

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
