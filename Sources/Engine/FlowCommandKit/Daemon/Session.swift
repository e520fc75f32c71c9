internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FoundationEssentials
internal import Glibc

/// The context of a running command: its console, and a daemon connection that is opened on first use.
final class Session {
  let console: Console
  /// The exit code of `pfctl` unless an error is thrown.
  var exitCode = ExitCode.done
  /// True if the team comes from $POOLFLOW_TEAM alone.
  var isTeamFromEnvironment = false
  let environment: [String: String]
  let socketPath: String
  /// True if the socket was given explicitly: then offline files of another daemon are no valid answer.
  private let isSocketNamed: Bool
  /// The NAME of `poolflowd@NAME`.
  private let instance: String?
  private var connection: DaemonConnection?
  /// The process that answers read-only calls from the store while the daemon is down.
  private var inspector: Inspector?

  init(
    console: Console, socketPath: String, isSocketNamed: Bool = false, instance: String? = nil,
    environment: [String: String] = [:]
  ) {
    (self.isSocketNamed, self.instance) = (isSocketNamed, instance)
    self.console = console
    self.environment = environment
    self.socketPath = socketPath
  }

  /// True if no daemon is running and answers come from its files.
  var isInspecting: Bool { inspector != nil }

  /// The connection for queries: to the daemon or, if it is down, to an inspector that reads its files; standard error then
  /// says so.
  ///
  /// - Throws: `CommandFailure` if neither is available. The inspector refuses calls that change something.
  func daemon() throws -> DaemonConnection {
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
  func runningDaemon() throws -> DaemonConnection {
    if let connection, inspector == nil { return connection }
    let made = try DaemonConnection(path: socketPath, waiting: waiting)
    connection = made
    return made
  }

  /// The reply to a query, for text output; nil if it was written as the document `pfctl.NAME/1`.
  func ask<M: ControlMethod>(
    _ call: M, deadline: Duration = Limits.controlDeadline, as name: String
  ) throws -> M.Reply? {
    try writeIfJSON(try daemon().ask(call, deadline: deadline), name)
  }

  /// The complete reply of a paged list, for text output; nil if it was written as a document.
  func ask<M: ControlMethod>(_ call: M, as name: String) throws -> M.Reply? where M.Reply: PagedReply {
    try writeIfJSON(try daemon().ask(call), name)
  }

  /// Like `ask`, but only the running daemon may answer, never the inspector.
  func tell<M: ControlMethod>(
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
  var unit: ServiceUnit? {
    isSocketNamed ? nil : ServiceUnit.asked("poolflowd\(instance.map { "@\($0)" } ?? "").service")
  }

  private var waiting: ProgressLine? {
    console.showsProgress ? ProgressLine("waiting for the daemon", console) : nil
  }

  /// Closes the connection; the next call opens a new one.
  func disconnect() {
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
  private var stateArguments: [String] {
    let folder = socketPath.lastIndex(of: "/").map { String(socketPath[..<$0]) } ?? "."
    // A daemon with a PostgreSQL store leaves only the file `life` in its state directory.
    let storeFiles = ["poolflow.db", "life"].map { "\(folder)/\($0)" }
    if storeFiles.contains(where: { FileKind(at: $0) != nil }) { return ["--state-dir", folder] }
    return isSocketNamed ? ["--socket", socketPath] : []
  }

  /// Runs `poolflowd` to copy the store to another engine.
  ///
  /// - Throws: `CommandFailure` with its message and exit code.
  func copyStore(to place: String) throws -> CopiedStoreView {
    guard let program = Inspector.daemonProgram() else {
      throw CommandFailure(
        name: "unavailable", message: "no poolflowd program next to pfctl", exitCode: ExitCode.unavailable)
    }
    let (output, errors) = (try ChildProgram.pipe(), try ChildProgram.pipe())
    defer { for end in [output.reading, errors.reading] { close(end) } }
    let child: ChildProgram
    do {
      defer { for end in [output.writing, errors.writing] { close(end) } }
      child = try ChildProgram(
        program, ["--copy-store", place] + stateArguments, environment: environment,
        [0: .reading("/dev/null"), 1: .descriptor(output.writing), 2: .descriptor(errors.writing)])
    }
    // The document has a few kilobytes and the messages a few lines: neither can fill its pipe while the other is read.
    let (document, words) = (Self.all(of: output.reading), Self.all(of: errors.reading))
    let ending = child.end()
    guard ending == .exit(ExitCode.done) else {
      // If the process was killed there is no message, and the copy is not half done.
      let code = if case .exit(let code) = ending { code } else { ExitCode.tryAgain }
      let name = CommandFailure.names.first { $0.exitCode == code }?.name ?? "internal"
      throw CommandFailure(
        name: name, message: Self.reason(in: String(decoding: words, as: UTF8.self)), exitCode: code)
    }
    return try JSONDecoder().decode(CopiedStoreView.self, from: Data(document))
  }

  private static func all(of descriptor: Int32) -> [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The text of `poolflowd: cannot start: cannot open …` without its prefix.
  private static func reason(in words: String) -> String {
    let line = words.split(separator: "\n").first.map(String.init) ?? "poolflowd --inspect ended without a message"
    let prefix = "poolflowd: cannot start: "
    return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
  }
}
