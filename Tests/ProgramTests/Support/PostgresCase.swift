import FlowControl
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc

/// A daemon with its records in a database of a scratch PostgreSQL server.
final class PostgresCase {
  let server: PostgresServer
  let database: String
  let daemon: Daemon
  let proxy: CuttingProxy?

  /// A database with the demo's records, made once and copied by the server.
  private static let demo = Result<(server: PostgresServer, database: String), any Error> {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let daemon = try Daemon(at: DemoStore.madeAt)
    let answer = try copy(of: daemon, to: server.connection(to: database))
    guard answer.code == 0 else { throw CannotStart(description: "store copy: \(answer.errors)") }
    return (server, database)
  }

  /// Copies a stopped daemon's file to a server with `pfctl store copy`.
  static func copy(of daemon: Daemon, to place: String, _ words: String...) throws -> Answer {
    try Pfctl.run(
      ["store", "copy", "--to", place, "--socket", daemon.socket] + words, in: daemon.scratch,
      environment: ["CONFIGURATION_DIRECTORY": daemon.scratch.path])
  }

  /// - Parameters:
  ///   - ownServer: a server of its own, which the test may stop.
  ///   - isCut: connects through a proxy that can cut connections.
  ///   - more: settings after the store's.
  init(
    at now: String, ownServer: Bool = false, isCut: Bool = false, listens: Bool = false, empty: Bool = false,
    more: String = ""
  ) throws {
    let shared = try Self.demo.get()
    daemon = try Daemon(at: now, empty: true)
    if ownServer {
      let own = try PostgresServer(listens: listens)
      server = own
      database = try own.newDatabase()
      if !empty {
        let source = try Daemon(at: now)
        let answer = try Self.copy(of: source, to: own.connection(to: database))
        guard answer.code == 0 else { throw CannotStart(description: "store copy: \(answer.errors)") }
      }
    } else {
      server = shared.server
      database = try server.newDatabase(like: empty ? "template0" : shared.database)
    }
    if !empty {
      // The state directory of a daemon that had these records, without the SQLite file.
      try FileManager.default.copyItem(atPath: try DemoStore.state.get(), toPath: daemon.state)
      for name in Files.names(in: daemon.state) where name.hasPrefix("poolflow.db") {
        try FileManager.default.removeItem(atPath: "\(daemon.state)/\(name)")
      }
    }
    proxy =
      isCut
      ? try CuttingProxy(to: server.socketFolder, port: server.port, in: daemon.scratch.path + "/proxy") : nil
    try settings(more)
  }

  deinit { if server.isRunning { try? server.drop(database) } }

  /// The daemon's connection string.
  var connection: String { server.connection(to: database, host: proxy?.socketFolder) }

  func settings(_ more: String = "", connection: String? = nil) throws {
    let text = "[Store]\nEngine = postgresql\nConnection = \(connection ?? self.connection)\n\(more)"
    try daemon.scratch.write("poolflow.conf", text.utf8)
  }

  func query(_ sql: String) throws -> String { try server.query(sql, in: database) }

  /// Runs `pfctl` with the daemon's settings while no daemon runs.
  func ask(_ words: String...) throws -> Answer {
    try Pfctl.run(
      words + ["--socket", daemon.socket], in: daemon.scratch,
      environment: ["CONFIGURATION_DIRECTORY": daemon.scratch.path])
  }

  /// Starts a daemon that must refuse to start.
  func failedStart() throws -> (ending: RunningProgram.Ending?, words: String) {
    let before = daemon.log.count
    try daemon.launch()
    let ending = try daemon.program?.end()
    return (ending, String(daemon.log.dropFirst(before)))
  }
}
