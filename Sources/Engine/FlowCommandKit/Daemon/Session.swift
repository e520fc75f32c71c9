package import FlowControl
internal import FlowModel
package import FlowPlatform
internal import FoundationEssentials
internal import Glibc

/// The context of a running command: its console, and a daemon connection that is opened on first use.
package final class Session {
  package let console: Console
  /// The exit code of `pfctl` unless an error is thrown.
  package var exitCode = ExitCode.done
  /// True if the team comes from $POOLFLOW_TEAM alone.
  var isTeamFromEnvironment = false
  package let environment: [String: String]
  package let socketPath: String
  /// True if the socket was given explicitly: then offline files of another daemon are no valid answer.
  private let isSocketNamed: Bool
  /// The NAME of `poolflowd@NAME`.
  private let instance: String?
  /// All commands, for those that show or run others.
  package let catalogue: CommandCatalogue
  private var connection: DaemonConnection?
  /// The process that answers read-only calls from the store while the daemon is down.
  private var inspector: Inspector?

  package init(
    console: Console, socketPath: String, isSocketNamed: Bool = false, instance: String? = nil,
    environment: [String: String] = [:], catalogue: CommandCatalogue
  ) {
    self.catalogue = catalogue
    (self.isSocketNamed, self.instance) = (isSocketNamed, instance)
    self.console = console
    self.environment = environment
    self.socketPath = socketPath
  }

  /// True if no daemon is running and answers come from its files.
  package var isInspecting: Bool { inspector != nil }

  /// The connection for queries: to the daemon or, if it is down, to an inspector that reads its files; standard error then
  /// says so.
  ///
  /// - Throws: `CommandFailure` if neither is available. The inspector refuses calls that change something.
  package func daemon() throws -> DaemonConnection {
    if let connection { return connection }
    do {
      return try runningDaemon()
    } catch let failure as CommandFailure where failure.noDaemonAnswers {
      let made = try inspect(insteadOf: failure)
      connection = made
      return made
    }
  }

  /// A connection to the daemon itself, opened on first use.
  package func runningDaemon() throws -> DaemonConnection {
    if let connection, inspector == nil { return connection }
    let made = try DaemonConnection(path: socketPath, waiting: waiting)
    connection = made
    return made
  }

  /// The reply to a query, for text output; nil if it was written as the document `pfctl.NAME/1`.
  package func ask<M: ControlMethod>(
    _ call: M, deadline: Duration = Limits.controlDeadline, as name: String
  ) throws -> M.Reply? {
    try writeIfJSON(try daemon().ask(call, deadline: deadline), name)
  }

  /// The complete reply of a paged list, for text output; nil if it was written as a document.
  package func ask<M: ControlMethod>(_ call: M, as name: String) throws -> M.Reply? where M.Reply: PagedReply {
    try writeIfJSON(try daemon().ask(call), name)
  }

  /// Like `ask`, but only the running daemon may answer, never the inspector.
  package func tell<M: ControlMethod>(
    _ call: M, deadline: Duration = Limits.controlDeadline, as name: String
  ) throws -> M.Reply? {
    try writeIfJSON(try runningDaemon().ask(call, deadline: deadline), name)
  }

  private func writeIfJSON<Reply: Codable>(_ reply: Reply, _ name: String) throws -> Reply? {
    guard console.isJSON else { return reply }
    try console.document(name, reply)
    return nil
  }

  /// The systemd unit of the daemon; nil if there is none.
  package var unit: ServiceUnit? { unitName.flatMap { ServiceUnit.asked($0) } }

  /// The systemd unit of the daemon once it neither starts nor stops, see `ServiceUnit.settled`.
  var settledUnit: ServiceUnit? { unitName.flatMap { ServiceUnit.settled($0) } }

  private var unitName: String? {
    isSocketNamed ? nil : "poolflowd\(instance.map { "@\($0)" } ?? "").service"
  }

  private var waiting: ProgressLine? {
    console.showsProgress ? ProgressLine("waiting for the daemon", console) : nil
  }

  /// Closes the connection; the next call opens a new one.
  package func disconnect() {
    connection = nil
  }

  private func inspect(insteadOf failure: CommandFailure) throws -> DaemonConnection {
    guard let program = Inspector.daemonProgram() else { throw failure }
    let inspector: Inspector
    do {
      inspector = try Inspector(program: program, arguments: stateArguments, environment: environment)
    } catch {
      throw failure.adding(line: "its files cannot be read either: \(error)")
    }
    let connection: DaemonConnection
    do {
      // An inspector that cannot start may exit before it accepts the connection or answers.
      connection = try DaemonConnection(path: inspector.socketPath, waiting: waiting)
      let status = try connection.ask(SchedulerCall.Status(), deadline: Limits.longCallDeadline)
      let why = unit.flatMap(\.failure).map { " (\($0.words); \($0.remedy))" } ?? ""
      console.words(
        "\(DaemonInstance.unit(at: socketPath)) is not running\(why); this is its last state, read from "
          + "'\(visible(status.stateDir))'")
    } catch let refusal as CommandFailure where refusal.name == "unavailable" {
      throw failure.adding(line: "its files cannot be read either: \(Self.reason(in: inspector.words))")
    }
    self.inspector = inspector
    return connection
  }

  /// The arguments that tell the inspector which store to read. A socket in a state directory means that directory; with any
  /// other socket the settings decide, and an explicit socket must be the one of those settings.
  package var stateArguments: [String] {
    let folder = socketPath.lastIndex(of: "/").map { String(socketPath[..<$0]) } ?? "."
    // A daemon with a PostgreSQL store leaves only the file `life` in its state directory.
    let storeFiles = ["poolflow.db", "life"].map { "\(folder)/\($0)" }
    if storeFiles.contains(where: { FileKind(at: $0) != nil }) { return ["--state-dir", folder] }
    return isSocketNamed ? ["--socket", socketPath] : []
  }

  /// The text of `poolflowd: cannot start: cannot open …` without its prefix.
  package static func reason(in words: String) -> String {
    let line = words.split(separator: "\n").first.map(String.init) ?? "poolflowd --inspect ended without a message"
    let prefix = "poolflowd: cannot start: "
    return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
  }
}
