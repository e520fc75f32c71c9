import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FoundationEssentials

/// `poolflowd --copy-store`, for `pfctl store copy`: copies the records from the file to a server or back while no daemon uses
/// either, prints the row counts as JSON and exits.
enum StoreCopyCommand {
  /// Copies photos into the folder. They come before the records, because photos without a record do no harm.
  private static func copyPhotos(from server: ServerLocation, to folder: String, _ modules: DaemonModules) throws {
    guard try StoreLocation.server(server).hasStore() else { return }
    let snapshot = try StoreSnapshot(reading: .server(server), trades: modules.trades)
    let photos = PhotoStore(folder: folder)
    for team in try snapshot.teams() { try photos.copyPhotos(of: team.id, from: snapshot) }
  }

  /// Copies all records, and photos where needed.
  ///
  /// - Parameter place: `postgresql` for the server of the settings, `sqlite` to copy from it into the file, or a libpq
  ///   connection string.
  /// - Returns: the row counts of all tables as JSON.
  /// - Throws: `StateDirectory.Failure` if a daemon runs; `StoreCopy.Refusal`, `StoreError` and `NoServerNamed` with a message
  ///   for the operator.
  static func run(
    to place: String, options: DaemonOptions, reading: SettingsReading, environment: [String: String],
    modules: DaemonModules
  ) throws -> String {
    let paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
    let settings = reading.settings.store
    let named = StoreEngine(rawValue: place)
    guard let connection = named == nil ? try ConnectionString(place) : settings.connection else {
      throw NoServerNamed()
    }
    // A password in a credential belongs to the settings' own server only.
    let connectionText =
      named == nil ? connection.text : try StoreChoice.connectionText(of: connection, settings, environment)
    let server = ServerLocation(
      modules.servers.engine(.postgresql), connection: connectionText, photos: paths.photos,
      application: "pfctl store copy")
    let database = "\(StoreEngine.postgresql.name), \(connection.place)"
    // Locks out other processes; the lock is released at the end of this function.
    let owner = ServiceAccount.owner(of: paths.state)
    let state = try StateDirectory(path: paths.state)
    defer { withExtendedLifetime(state) {} }
    // Whatever the result, root leaves no file that the service cannot open.
    defer { try? owner?.adopt(state: paths.state) }
    let tables: [StoreCopy.Table]
    if named == .sqlite {
      try copyPhotos(from: server, to: paths.photos, modules)
      tables = try server.engine.copy(
        from: server, toFile: paths.store, now: SystemWallClock().now(), trades: modules.trades, progress: { _ in })
    } else {
      tables = try server.engine.copy(
        fromFile: paths.store, to: server, trades: modules.trades, progress: { _ in })
    }
    let (from, to) = named == .sqlite ? (database, paths.store) : (paths.store, database)
    let copied = CopiedStoreView(
      from: from, to: to, tables: tables.map { CopiedTableView(table: $0.name, rows: $0.rows) })
    return String(decoding: try JSONEncoder().encode(copied), as: UTF8.self)
  }
}

/// Neither the command nor the settings name a server.
struct NoServerNamed: Error, CustomStringConvertible {
  let description =
    "the settings name no server: set Connection = in [Store], or give --to 'service=NAME'"
}
