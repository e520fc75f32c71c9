import FlowPlatform

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

extension StoreReader {
  /// True if the store is on a server and cannot be copied as a file.
  package nonisolated var isOnServer: Bool { if case .server = place { true } else { false } }

  /// Runs `body` on one consistent snapshot of the live store.
  package func readSnapshot<Value: Sendable>(_ body: @Sendable (StoreSnapshot) throws -> Value) throws -> Value {
    try read { try body(StoreSnapshot(reading: $0)) }
  }
}
