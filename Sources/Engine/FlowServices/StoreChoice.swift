import FlowBackup
package import FlowModel
package import FlowPlatform
package import FlowSettings
package import FlowStore

/// The store that the settings choose, and its name for people.
package struct StoreChoice: Sendable {
  package let engine: StoreEngine
  package let place: StoreLocation
  package let modules: DaemonModules
  /// A path, or `PostgreSQL, poolflow on db.example.net`; never contains a secret.
  package let name: String

  /// Reads the choice from the settings.
  ///
  /// - Throws: `Credential.Failure` if the credential with the password is missing.
  package init(
    _ settings: Settings.StoreSettings, _ paths: DaemonPaths, _ modules: DaemonModules, node: NodeIdentity? = nil,
    environment: [String: String]
  ) throws(Credential.Failure) {
    self.modules = modules
    engine = settings.engine
    // The settings require a connection with this engine.
    guard engine == .postgresql, let connection = settings.connection else {
      (place, name) = (.file(paths.store), paths.store)
      return
    }
    place = .server(
      ServerLocation(
        modules.servers.engine(engine), connection: try Self.connectionText(of: connection, settings, environment),
        photos: paths.photos, node: node))
    name = "\(engine.name), \(connection.place)"
  }

  /// The libpq connection string. A password from a credential is only held in memory.
  package static func connectionText(
    of connection: ConnectionString, _ settings: Settings.StoreSettings, _ environment: [String: String]
  ) throws(Credential.Failure) -> String {
    guard let credential = settings.credential else { return connection.text }
    return connection.adding(password: try Credential.text(credential, environment: environment))
  }

  package var isOnServer: Bool { engine != .sqlite }

  /// Refuses an empty database if the state folder shows that records existed, in a file or under an earlier daemon.
  ///
  /// - Throws: `EmptyDatabase`; `StoreError` if the server cannot be queried.
  package func refuseLostRecords(_ paths: DaemonPaths) throws {
    guard isOnServer, !(try place.hasStore()) else { return }
    let isFileThere = FileFacts.exists(paths.store)
    guard isFileThere || FileFacts.exists(paths.epochMark) else { return }
    throw EmptyDatabase(name: name, file: isFileThere ? paths.store : nil, mark: paths.epochMark)
  }

  /// Refuses an operation on the store's file.
  ///
  /// - Throws: `RecordsOnServer` if the records are on a server, where this file operation does not apply.
  package func refuse(_ what: String, instead: String) throws(RecordsOnServer) {
    if isOnServer { throw RecordsOnServer(what: what, name: name, instead: instead) }
  }
}

/// The database is empty, but the state folder shows that records existed.
package struct EmptyDatabase: Error, CustomStringConvertible {
  let name: String
  let file: String?
  let mark: String

  package var description: String {
    let begin = "the database (\(name)) holds no store yet, and "
    guard let file else {
      return begin
        + "'\(mark)' shows that it had one: restore a copy (pg_restore, pgBackRest), or, to start with an empty store, "
        + "remove that file"
    }
    return begin
      + "'\(file)' holds records: copy them with `pfctl store copy --to`, or, to start empty, move that file and "
      + "'\(mark)' away"
  }
}

/// The operation works on a store's file, but the records are in a server's database.
package struct RecordsOnServer: Error, CustomStringConvertible {
  let what: String
  let name: String
  let instead: String

  package var description: String {
    "the records are in a database (\(name)): \(what) is a task of its server; \(instead)"
  }
}
