import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import Glibc

/// A `poolflowd` with its own state directory, clock and service manager; it is killed when the last reference is released.
final class Daemon {
  let scratch: Scratch
  let state: String
  let clock: MovedClock
  let manager: NotifySocket
  /// Further arguments for every start.
  var options: [String] = []
  private(set) var program: RunningProgram?
  /// The poolflowd binary of the next start.
  var executable = Checkout.daemon

  /// The location of its records: the file in its state directory, or a database of the engine under test.
  let place: StoreLocation
  /// Keeps the database after deinit, because other daemons copy it.
  var keepsRecords = false
  var socket: String { "\(state)/control.sock" }
  /// The folder of finished files.
  var drop: String { "\(state)/outbox/new" }
  /// The names of events in the drop folder, without their pages.
  var notices: [String] { Files.names(in: drop).filter { $0.hasSuffix(".json") } }
  /// Waits for the event of a job in the drop folder, which is written some time after the run ends.
  ///
  /// - Returns: the path of its JSON file.
  func notice(of job: String) throws -> String {
    func name() -> String? { notices.first { $0.contains("-\(job)-") } }
    try eventually("the event of \(job)", { name() != nil })
    return "\(drop)/\(name() ?? job)"
  }

  var outputFile: String { "\(scratch.path)/stdout" }
  private var errorsFile: String { "\(scratch.path)/stderr" }

  /// - Parameters:
  ///   - now: the start time of its simulated clock.
  ///   - empty: true for no store; false for the demo's team and pools, as of Sunday 23:00 in Phoenix.
  convenience init(at now: String, empty: Bool = false) throws {
    try self.init(at: now, state: empty ? nil : try DemoStore.state.get())
  }

  /// - Parameter other: the state directory of a stopped daemon, to copy.
  private init(at now: String, state other: String?) throws {
    scratch = try Scratch()
    state = scratch.path + "/state"
    guard let instant = Timestamp(rfc3339: now) else { throw CannotStart(description: "'\(now)' is no time") }
    clock = try MovedClock(in: scratch, at: instant)
    manager = try NotifySocket(path: scratch.path + "/notify")
    if let other { try FileManager.default.copyItem(atPath: other, toPath: state) }
    place = try ServerStores.place(for: state, in: scratch, like: other)
  }

  deinit {
    program = nil
    if !keepsRecords { ServerStores.forget(state) }
  }

  /// A daemon with a copy of the state of another, stopped one.
  convenience init(at now: String, like other: Daemon) throws {
    try self.init(at: now, state: other.state)
  }

  /// A daemon at the machine's time, for tests with a poolflow-post, which has no other clock.
  ///
  /// None of its teams' jobs has a slot before 2099: a notice that falls due during the test would be one more than the test
  /// expects, at one hour of the day.
  static func atMachineTime(empty: Bool = false) throws -> Daemon {
    let daemon = try Daemon(at: Date.now.formatted(.iso8601), empty: empty)
    try FileManager.default.createDirectory(
      atPath: daemon.scratch.path + "/poolflow.conf.d", withIntermediateDirectories: true)
    try daemon.scratch.write(
      "poolflow.conf.d/20-jobs.conf",
      JobCatalogues.all.every.ofTeam.map { "[Job \($0.rawValue)]\nRule = 2099-12-31 00:00\n" }.joined().utf8)
    return daemon
  }

  /// Starts the process without waiting for READY.
  func launch(output: ChildProgram.Opening? = nil, environment: [String: String] = [:]) throws {
    program = nil
    manager.forget()
    let own = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": manager.path, "CONFIGURATION_DIRECTORY": scratch.path]
    program = try RunningProgram(
      executable, ["--state-dir", state] + options,
      environment: own.merging(clock.environment) { $1 }.merging(environment) { $1 },
      output: output ?? .writing(outputFile), errors: errorsFile)
  }

  /// Starts the process and waits until the daemon reports READY.
  @discardableResult
  func start(output: ChildProgram.Opening? = nil, environment: [String: String] = [:]) throws -> Daemon {
    try launch(output: output, environment: environment)
    try ready()
    return self
  }

  func ready(within limit: Duration = .patience) throws {
    guard let program else { throw CannotStart(description: "it was not launched") }
    do {
      try manager.wait(for: "READY=1", from: program, within: limit)
    } catch {
      throw CannotStart(description: "\(error): \(log)")
    }
  }

  /// Sends SIGTERM and waits for the end.
  @discardableResult
  func stop(within limit: Duration = .patience) throws -> RunningProgram.Ending? {
    program?.send(SIGTERM)
    return try program?.end(within: limit)
  }

  /// Sends SIGKILL and reaps the process.
  func kill() throws {
    program?.send(SIGKILL)
    try program?.end()
  }

  /// The standard error of all its processes.
  var log: String {
    // The file does not exist before the first start.
    (try? Files.text(errorsFile)) ?? ""
  }

  /// Runs `pfctl` against this daemon; any exit code is returned.
  @discardableResult
  func ask(_ words: String...) throws -> Answer { try ask(words) }

  func ask(_ words: [String]) throws -> Answer {
    try Pfctl.run(words + ["--socket", socket], in: scratch)
  }

  /// Runs `pfctl --json` against this daemon and decodes the reply.
  ///
  /// - Throws: `CannotStart` if the command fails.
  func query<Reply: Decodable>(_ reply: Reply.Type, _ words: String...) throws -> Reply {
    let answer = try Pfctl.run(words + ["--socket", socket, "--json"], in: scratch)
    guard answer.code == 0 else { throw CannotStart(description: "pfctl \(words): \(answer.errors)") }
    return try JSONDecoder().decode(reply, from: Data(answer.output.utf8))
  }

  /// Runs a command that changes something.
  ///
  /// - Throws: `CannotStart` if the command fails.
  func change(_ words: String...) throws {
    let answer = try Pfctl.run(words + ["--socket", socket], in: scratch)
    guard answer.code == 0 else { throw CannotStart(description: "pfctl \(words): \(answer.errors)") }
  }
}

extension ServerStores {
  /// The location of a daemon's records; for a server also writes the daemon's settings.
  ///
  /// - Parameter other: a state directory whose records are copied.
  static func place(for state: String, in scratch: Scratch, like other: String?) throws -> StoreLocation {
    guard isChosen else { return .file(state + "/poolflow.db") }
    let place = try other.map { try Self.place(of: state, like: $0) } ?? Self.place(of: state)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/poolflow.conf.d", withIntermediateDirectories: true)
    try scratch.write("poolflow.conf.d/10-store.conf", settings(of: state).utf8)
    return place
  }
}

/// A finished program's exit code, standard output and standard error.
struct Answer {
  let code: Int32
  let output: String
  let errors: String
}

/// Runs `pfctl`.
enum Pfctl {
  /// Runs `pfctl` to its end.
  ///
  /// - Throws: `TooLate` if it exceeds the time limit.
  static func run(_ words: [String], in scratch: Scratch, environment: [String: String] = [:]) throws -> Answer {
    try Program.run(Checkout.pfctl, words, in: scratch, environment: environment)
  }
}

/// Runs a program to its end and collects its output.
enum Program {
  static func run(
    _ program: String, _ words: [String], in scratch: Scratch, environment: [String: String] = [:],
    within limit: Duration = .patience
  ) throws -> Answer {
    let name = UUID().uuidString.prefix(8)
    let (output, errors) = ("\(scratch.path)/\(name).out", "\(scratch.path)/\(name).err")
    defer {
      unlink(output)
      unlink(errors)
    }
    let process = try RunningProgram(
      program, words, environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, output: .writing(output),
      errors: errors)
    guard case .exit(let code) = try process.end(within: limit) else {
      throw CannotStart(description: "'\(program)' ended with \(process.ending as Any): \(try Files.text(errors))")
    }
    return Answer(code: code, output: try Files.text(output), errors: try Files.text(errors))
  }
}

/// A stopped daemon's state directory with the team `desert-blue` in Phoenix and the demo backup, made once and copied.
enum DemoStore {
  /// Sunday 23:00 in Phoenix: after the weekly digest and the evening's reminder, before Monday's route.
  static let madeAt = "2026-03-02T06:00:00Z"

  static let state = made.map(\.state)

  private static let made = Result<(scratch: Scratch, state: String), any Error> {
    let daemon = try Daemon(at: madeAt, empty: true)
    try daemon.start(environment: ["TZ": "UTC"])
    try daemon.change("team", "add", "desert-blue", "--zone", "America/Phoenix")
    try daemon.change("team", "plan", "desert-blue", "paid")
    try daemon.change("import", Checkout.backup, "--team", "desert-blue")
    try daemon.stop()
    daemon.keepsRecords = true
    // The returned `Scratch` keeps the folder alive.
    return (daemon.scratch, daemon.state)
  }
}
