import PoolPlatform

extension StorePlace {
  /// Whether there is a store already that some daemon has used; nothing is made to find that out.
  ///
  /// - Throws: `StoreError` where the server cannot be asked, or holds what is somebody else's.
  package func hasStore() throws(StoreError) -> Bool {
    switch self {
    case .file(let path): return FileKind(at: path) != nil
    case .server(let server):
      let session = try PostgresSession(server, writes: false)
      guard try session.ask("SELECT to_regclass('\(PostgresSchema.name).epochs')") != nil else { return false }
      // The tables alone are what a copy that was cut off has left.
      return try session.ask("SELECT 1 FROM \(PostgresSchema.name).epochs LIMIT 1") != nil
    }
  }
}

extension StoreReader {
  /// Whether a server keeps it, of which there is no copying as of a file.
  package nonisolated var isOnServer: Bool { if case .server = place { true } else { false } }

  /// A look at the store as its copy would have it: everything that `body` reads is of one moment.
  package func look<Value: Sendable>(_ body: @Sendable (StoreSnapshot) throws -> Value) throws -> Value {
    try read { try body(StoreSnapshot(lookingThrough: $0)) }
  }
}
