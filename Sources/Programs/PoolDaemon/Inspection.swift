import PoolBackup
import PoolControl
import PoolDelivery
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolSettings
import PoolStore

/// Answers questions about the store of a daemon that does not run, by the daemon's own verbs.
///
/// `pfctl` starts it with a listening socket as descriptor 3 and a pipe as standard input, whose end is its end. It takes
/// no lock, makes no file and refuses whatever changes something, so a daemon may start beside it at any time.
enum Inspection {
  private static let listeningDescriptor: Int32 = 3

  /// - Throws: `StoreError` and `SystemFailure` in words for a person.
  static func run(
    options: DaemonOptions, reading: SettingsReading, environment: [String: String], log: DaemonLog
  ) async throws {
    let paths = RuntimePaths(environment: environment, uid: ProcessIdentity.user)
    let statePath = options.stateDirectory ?? reading.settings.stateDirectory ?? paths.stateDirectory
    // Asked for the daemon of one socket, it tells of no other's.
    let ownSocket = reading.settings.socketPath ?? paths.socketPath
    if let asked = options.socketPath, options.stateDirectory == nil, asked != ownSocket {
      throw OtherSocket(asked: asked, own: ownSocket)
    }
    let backend = try backend(
      over: statePath + "/poolflow.db", statePath: statePath, options: options, reading: reading,
      environment: environment, log: log)
    let server = try ControlServer(
      listener: try UnixSocketListener(adopting: listeningDescriptor), backend: backend, version: Daemon.version,
      readOnly: true)
    try StandardInput.whenEnded { server.stop() }
    try await server.run()
  }

  private static func backend(
    over path: String, statePath: String, options: DaemonOptions, reading: SettingsReading,
    environment: [String: String], log: DaemonLog
  ) throws -> Backend {
    let (clock, zones) = (SystemWallClock(), SystemZones())
    let store = try Store(reading: path)
    let dispatcher = Dispatcher(store: store, sinks: [], wallClock: clock)
    let runner = JobRunner(store: store, zones: zones, clock: clock, routes: []) { _ in }
    let scheduler = Scheduler(
      store: store, runner: runner, zones: zones, clock: clock, timer: try WakeTimer(), report: { log.warning($0) })
    return Backend(
      store: store, reader: StoreReader(path: path), scheduler: scheduler, runner: runner, dispatcher: dispatcher,
      zones: zones, clock: clock, uploads: Uploads(folder: statePath + "/uploads"),
      importer: Importer(store: store, photoFolder: statePath + "/photos", clock: clock),
      photos: PhotoShelf(folder: statePath + "/photos"),
      backups: BackupKeeper(
        store: store,
        source: BackupMaker.Source(
          reader: StoreReader(path: path), photoFolder: statePath + "/photos", install: store.install,
          version: Daemon.version), folder: BackupFolder(path: statePath + "/backups"), zones: zones, clock: clock),
      planner: RoutePlanner(store: store, clock: clock), inbox: InboxDesk(), newBeginning: NewBeginning(), log: log,
      facts: Backend.DaemonFacts(
        version: Daemon.version, startedAt: clock.now(), stateDirectory: statePath, socketPath: ""),
      settings: SettingsInForce(
        reading: reading, options: options, environment: environment, folders: [:], now: clock.now(),
        make: { _ in ([], [:]) }, apply: { _, _ in }, spread: { _ in }, plan: { _ in }), events: EventBus())
  }
}

/// Whoever asks names a socket at which the daemon of these settings would not answer.
struct OtherSocket: Error, CustomStringConvertible {
  let asked: String
  let own: String

  var description: String {
    "no store lies beside '\(visible(asked))', and the daemon of these settings answers at '\(visible(own))'; leave --socket "
      + "out to read what that one left"
  }
}
