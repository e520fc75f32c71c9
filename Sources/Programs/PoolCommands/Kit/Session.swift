internal import FoundationEssentials
internal import Glibc
internal import PoolControl
internal import PoolModel
internal import PoolPlatform

/// What a command works with: the console, and the daemon once it is asked for.
final class Session {
  let console: Console
  /// What pfctl exits with where nothing is thrown.
  var exitCode = ExitCode.done
  /// Nobody named the team but $POOLFLOW_TEAM.
  var teamIsUsual = false
  let environment: [String: String]
  let socketPath: String
  /// Somebody named the socket: what another daemon left is no answer.
  private let isSocketNamed: Bool
  /// Of `poolflowd@NAME`.
  private let instance: String?
  private var connection: DaemonConnection?
  /// Answers in the daemon's place while it does not run.
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

  /// No daemon runs: what was read is what it left.
  var isInspecting: Bool { inspector != nil }

  /// Who answers questions: the daemon, or where it does not run a reader of what it left, and standard error says so.
  ///
  /// - Throws: `CommandFailure` where neither is to be had. The reader refuses calls that change something.
  func daemon() throws -> DaemonConnection {
    if let connection { return connection }
    do {
      return try runningDaemon()
    } catch let failure as CommandFailure where failure.nobodyAnswers {
      let made = try inspect(insteadOf: failure)
      connection = made
      return made
    }
  }

  /// The daemon itself; connects at the first use.
  func runningDaemon() throws -> DaemonConnection {
    if let connection, inspector == nil { return connection }
    let made = try DaemonConnection(path: socketPath, waiting: waiting)
    connection = made
    return made
  }

  /// The answer to a question, to be put into words; nil where it went out as the document `pfctl.NAME/1` and says it all.
  func ask<M: ControlMethod>(
    _ call: M, deadline: Duration = Limits.controlDeadline, as name: String
  ) throws -> M.Reply? {
    try unlessJSON(try daemon().ask(call, deadline: deadline), name)
  }

  /// The same for a list, which comes in pages.
  func ask<M: ControlMethod>(_ call: M, as name: String) throws -> M.Reply? where M.Reply: PagedReply {
    try unlessJSON(try daemon().ask(call), name)
  }

  /// The same of the daemon itself, for what nobody can do in its place.
  func tell<M: ControlMethod>(
    _ call: M, deadline: Duration = Limits.controlDeadline, as name: String
  ) throws -> M.Reply? {
    try unlessJSON(try runningDaemon().ask(call, deadline: deadline), name)
  }

  private func unlessJSON<Reply: Codable>(_ reply: Reply, _ name: String) throws -> Reply? {
    guard console.isJSON else { return reply }
    try console.document(name, reply)
    return nil
  }

  /// The unit of the daemon that is asked, as the service manager sees it; nil where there is none.
  var unit: ServiceUnit? {
    isSocketNamed ? nil : ServiceUnit.asked("poolflowd\(instance.map { "@\($0)" } ?? "").service")
  }

  private var waiting: ProgressLine? {
    console.showsProgress ? ProgressLine("waiting for the daemon", console) : nil
  }

  /// Ends the connection; the next question makes another.
  func hangUp() {
    connection = nil
  }

  private func inspect(insteadOf failure: CommandFailure) throws -> DaemonConnection {
    guard let program = Inspector.daemonProgram() else { throw failure }
    let inspector: Inspector
    do {
      inspector = try Inspector(program: program, arguments: stateArguments, environment: environment)
    } catch {
      throw failure.adding(line: "what it left cannot be read either: \(error)")
    }
    let connection: DaemonConnection
    do {
      // One that refuses to begin may be gone before it is connected to, or before it answers.
      connection = try DaemonConnection(path: inspector.socketPath, waiting: waiting)
      let status = try connection.ask(SchedulerCall.Status(), deadline: Limits.longCallDeadline)
      let why = unit.flatMap(\.failure).map { " (\($0.words); \($0.remedy))" } ?? ""
      console.words(
        "\(Instance.unit(at: socketPath)) is not running\(why); this is what it left in '\(visible(status.stateDir))'")
    } catch let refusal as CommandFailure where refusal.name == "unavailable" {
      throw failure.adding(line: "what it left cannot be read either: \(Self.reason(in: inspector.words))")
    }
    self.inspector = inspector
    return connection
  }

  /// A socket in a state directory means that directory. Any other leaves the choice to the settings, and one that was named
  /// must be the one at which the daemon of those settings answers.
  private var stateArguments: [String] {
    let folder = socketPath.lastIndex(of: "/").map { String(socketPath[..<$0]) } ?? "."
    // A daemon whose records are on a server leaves the mark of its life alone.
    let marks = ["poolflow.db", "life"].map { "\(folder)/\($0)" }
    if marks.contains(where: { FileKind(at: $0) != nil }) { return ["--state-dir", folder] }
    return isSocketNamed ? ["--socket", socketPath] : []
  }

  /// Has `poolflowd`, which knows stores, bring one to another engine.
  ///
  /// - Throws: `CommandFailure` with what it said, and its exit code.
  func copyStore(to place: String) throws -> CopiedStoreView {
    guard let program = Inspector.daemonProgram() else {
      throw CommandFailure(
        name: "unavailable", message: "there is no poolflowd beside pfctl", exitCode: ExitCode.unavailable)
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
    // A document of a few kilobytes, and then a few lines at most: neither fills its pipe while the other is read.
    let (document, words) = (Self.all(of: output.reading), Self.all(of: errors.reading))
    let ending = child.end()
    guard ending == .exit(ExitCode.done) else {
      // A kill from outside leaves no word, and nothing half done.
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

  /// `poolflowd: cannot start: cannot open …` without its beginning.
  private static func reason(in words: String) -> String {
    let line = words.split(separator: "\n").first.map(String.init) ?? "poolflowd --inspect ended without a word"
    let prefix = "poolflowd: cannot start: "
    return line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line
  }
}
