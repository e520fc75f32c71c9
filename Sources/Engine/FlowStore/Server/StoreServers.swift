package import FlowModel

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
