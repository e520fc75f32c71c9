import FlowAnswers
import FlowCommandKit
import FlowControl
import FlowControlServer
import FlowDelivery
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowTestKit
import FlowWork
import Foundation

@testable import FlowDaemon

/// A daemon in the tests' process, with a drop folder, a folder of published pages, and its own control socket.
struct RunningToy: Sendable {
  enum Engine: Sendable { case sqlite, postgresql }

  let build: ToyBuild
  let folder: TemporaryFolder
  let client: ToyClient

  private static func state(_ folder: TemporaryFolder) -> String { folder.path + "/state" }

  /// Makes the folders of a daemon that has not run yet.
  static func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try PrivateFiles.makeFolder(state(folder))
    try folder.make("www")
    return folder
  }

  /// Runs the daemon during `body`, then stops it.
  static func run(
    _ build: ToyBuild, on engine: Engine, in folder: TemporaryFolder, _ body: (RunningToy) async throws -> Void
  ) async throws {
    let socket = folder.path + "/socket"
    let server =
      switch engine {
      case .sqlite: ""
      case .postgresql:
        "[Store]\nEngine = postgresql\nConnection = \(try ServerStores.connection(of: state(folder)))\n"
      }
    let reading = SettingsReading(
      text: "[Sink drop]\nType = file-drop\n[Sink web]\nType = publish\nDirectory = \(folder.path)/www\n" + server,
      name: "test.conf", catalogue: build.modules.trades.jobs.every)
    guard reading.problems.isEmpty else { throw SettingsError.mistakes(reading.problems) }
    let options = try DaemonOptions(["--state-dir", state(folder), "--socket", socket])
    let wiring = try await Wiring(
      options: options, reading: reading, environment: [:], modules: build.modules,
      log: DaemonLog(environment: [:]))
    try await wiring.scheduler.prepare()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await wiring.server.run() }
      group.addTask { await wiring.scheduler.run() }
      group.addTask { await wiring.runner.performBackgroundTasks() }
      group.addTask { await wiring.dispatcher.run() }
      defer {
        wiring.context.events.finish()
        group.cancelAll()
        wiring.server.stop()
      }
      try await body(
        RunningToy(build: build, folder: folder, client: try ToyClient(socket: socket, catalogue: build.catalogue)))
    }
    await wiring.dispatcher.drain()
    try await wiring.context.store.endEpoch(at: wiring.context.clock.now())
  }

  /// The names of the files in `new/` of the drop folder that end with `suffix`.
  func delivered(_ suffix: String) -> [String] {
    folder.names("state/outbox/new").filter { $0.hasSuffix(suffix) }
  }

  func text(of file: String) throws -> String { String(decoding: try folder.bytes(file), as: UTF8.self) }
}

/// A connection to the daemon. Its calls block a thread of their own.
actor ToyClient {
  private nonisolated let executor = QueueExecutor(label: "toy-client")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let socket: String
  private let catalogue: CommandCatalogue
  private var connection: DaemonConnection?

  init(socket: String, catalogue: CommandCatalogue) throws { (self.socket, self.catalogue) = (socket, catalogue) }

  private func daemon() throws -> DaemonConnection {
    if let connection { return connection }
    let made = try DaemonConnection(path: socket, deadline: Limits.longCallDeadline)
    connection = made
    return made
  }

  func ask<M: ControlMethod>(_ call: M) throws -> M.Reply {
    try daemon().ask(call, deadline: Limits.longCallDeadline)
  }

  /// The exit code of the call's refusal; nil if it is answered.
  func refusal(of call: some ControlMethod) throws -> Int32? {
    do {
      _ = try ask(call)
      return nil
    } catch let error as ControlError {
      return catalogue.interfaces.exitCode(of: error)
    }
  }

  /// Imports a file of a team.
  func importFile(_ text: String, of team: String) throws -> ImportReportView {
    let upload = try ask(ImportCall.Open(team: team, fileName: "hives.csv", bytes: text.utf8.count)).upload
    _ = try ask(ImportCall.Piece(upload: upload, offset: 0, data: Data(text.utf8).base64EncodedString()))
    return try ask(ImportCall.Apply(upload: upload, dryRun: false)).report
  }

  /// Runs `pfctl`.
  ///
  /// - Returns: its exit code.
  func run(_ words: String...) -> Int32 {
    Pfctl.run(words + ["--socket", socket], environment: [:], catalogue: catalogue)
  }
}
