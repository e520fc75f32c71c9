import FlowAnswers
import FlowBackup
import FlowControl
import FlowControlServer
import FlowModel
import FlowNodes
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Answers questions about the store while no daemon runs, with the daemon's own methods.
///
/// `pfctl` starts it with a listening socket as descriptor 3 and a pipe as standard input, and it exits when the pipe closes.
/// It takes no lock, creates no file and refuses changes, so a daemon may start beside it at any time.
enum Inspection {
  private static let listeningDescriptor: Int32 = 3

  /// Serves until standard input closes.
  ///
  /// - Throws: `StoreError` and `SystemFailure` with a message for the operator.
  static func run(
    options: DaemonOptions, reading: SettingsReading, environment: [String: String], modules: DaemonModules,
    log: DaemonLog
  ) async throws {
    let paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
    // If the caller named a socket, refuse to answer for a daemon that uses another one.
    var plain = options
    plain.socketPath = nil
    let own = DaemonPaths(options: plain, settings: reading.settings, environment: environment).socket
    if let asked = options.socketPath, options.stateDirectory == nil, asked != own {
      throw SocketMismatch(asked: asked, own: own)
    }
    let node = try ClusterMember.named(
      by: reading.settings.store, paths: paths, environment: environment, modules: modules, log: log)
    await node?.scanWithoutHeartbeat()
    // Open the store first: an error must be reported before a caller connects to the socket.
    let services = try services(
      over: paths, options: options, reading: reading, environment: environment, modules: modules, node: node, log: log)
    let server = try ControlServer(
      listener: try UnixSocketListener(adopting: listeningDescriptor), services: services,
      interfaces: modules.interfaces,
      version: Daemon.version, refusal: { .notRunning })
    try StandardInput.onEnd { server.stop() }
    try await server.run()
  }

  /// The services over a store that this process only reads.
  static func services(
    over paths: DaemonPaths, options: DaemonOptions, reading: SettingsReading, environment: [String: String],
    modules: DaemonModules, node: ClusterMember? = nil, log: DaemonLog
  ) throws -> Services {
    let (clock, zones) = (SystemWallClock(), SystemZones())
    let choice = try StoreChoice(reading.settings.store, paths, modules, environment: environment)
    let store = try Store(reading: choice.place, trades: modules.trades)
    let settings = EffectiveSettings(
      reading: reading, catalogue: modules.trades.jobs.every, configPath: options.configPath, environment: environment,
      now: clock.now())
    let context = ServiceContext(
      store: store, reader: StoreReader(place: choice.place, trades: modules.trades), zones: zones, clock: clock,
      settings: settings,
      events: EventBus(), paths: DaemonPaths(state: paths.state, socket: ""), choice: choice,
      published: node == nil ? PublishedNamesFile(path: paths.publishedNames) : SharedPublishedNames(store: store),
      senders: SenderReports(settings: settings), node: node, log: log)
    let uploads = Uploads(folder: paths.uploads)
    let background = BackgroundServices(
      backups: context.makeBackupKeeper(), notices: context.notices(through: nil), inbox: InboxState(),
      trades: modules.services.services(
        on: context.forTrades(modules.services, dispatcher: nil, uploads: uploads)), running: nil)
    return Services(on: context, background, uploads: uploads, startedAt: clock.now())
  }
}

/// The caller named a socket at which the daemon of these settings would not answer.
struct SocketMismatch: Error, CustomStringConvertible {
  let asked: String
  let own: String

  var description: String {
    "there is no store next to '\(visible(asked))'; the daemon of these settings uses '\(visible(own))': leave --socket "
      + "out to read its store"
  }
}
