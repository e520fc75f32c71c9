import Foundation
import Glibc
import PoolModel
import PoolPlatform
import PoolStore
import PoolTestKit

/// A `poolflowd` with a state folder, a clock and a service manager of its own; it is killed with the last reference.
final class Daemon {
  let scratch: Scratch
  let state: String
  let clock: MovedClock
  let manager: NotifySocket
  /// More arguments, for every start.
  var options: [String] = []
  private(set) var program: RunningProgram?
  /// Which poolflowd the next start is of.
  var executable = Checkout.daemon

  /// Where its records are: in the file of its state folder, or in a database of the engine that the tests are about.
  let place: StorePlace
  /// Others begin with its records.
  var keepsRecords = false
  var socket: String { "\(state)/control.sock" }
  /// Where a consumer finds finished files.
  var drop: String { "\(state)/outbox/new" }
  /// The events that wait for a consumer; pages lie beside them.
  var notices: [String] { Files.names(in: drop).filter { $0.hasSuffix(".json") } }
  /// Waits for the event of a job in the drop folder, which is written some time after the run has ended.
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
  ///   - now: what its clock says from here on.
  ///   - empty: without a store; else with the demo's team and pools, as of Sunday 23:00 in Phoenix.
  convenience init(at now: String, empty: Bool = false) throws {
    try self.init(at: now, state: empty ? nil : try DemoStore.state.get())
  }

  /// - Parameter other: the state folder to begin with, of a daemon that has stopped.
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

  /// One more that finds the state of another, which has stopped.
  convenience init(at now: String, like other: Daemon) throws {
    try self.init(at: now, state: other.state)
  }

  /// Starts and does not wait.
  func launch(output: ChildProgram.Opening? = nil, environment: [String: String] = [:]) throws {
    program = nil
    manager.forget()
    let own = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": manager.path, "CONFIGURATION_DIRECTORY": scratch.path]
    program = try RunningProgram(
      executable, ["--state-dir", state] + options,
      environment: own.merging(clock.environment) { $1 }.merging(environment) { $1 },
      output: output ?? .writing(outputFile), errors: errorsFile)
  }

  /// Starts and waits until the daemon says that it is ready.
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

  /// SIGTERM, and the end.
  @discardableResult
  func stop(within limit: Duration = .patience) throws -> RunningProgram.Ending? {
    program?.send(SIGTERM)
    return try program?.end(within: limit)
  }

  /// `kill -9`, and reaped.
  func kill() throws {
    program?.send(SIGKILL)
    try program?.end()
  }

  /// What it has said on stderr in all its lives.
  var log: String {
    // Before the first start there is no file.
    (try? Files.text(errorsFile)) ?? ""
  }

  /// Asks it through `pfctl`, whatever comes of it.
  @discardableResult
  func ask(_ words: String...) throws -> Answer { try ask(words) }

  func ask(_ words: [String]) throws -> Answer {
    try Pfctl.run(words + ["--socket", socket], in: scratch)
  }

  /// Asks it through `pfctl --json`, which must succeed.
  func query<Reply: Decodable>(_ reply: Reply.Type, _ words: String...) throws -> Reply {
    let answer = try Pfctl.run(words + ["--socket", socket, "--json"], in: scratch)
    guard answer.code == 0 else { throw CannotStart(description: "pfctl \(words): \(answer.errors)") }
    return try JSONDecoder().decode(reply, from: Data(answer.output.utf8))
  }

  /// The same, for a change that must succeed.
  func change(_ words: String...) throws {
    let answer = try Pfctl.run(words + ["--socket", socket], in: scratch)
    guard answer.code == 0 else { throw CannotStart(description: "pfctl \(words): \(answer.errors)") }
  }
}

extension ServerStores {
  /// Where the daemon of a state folder keeps its records; on a server its settings say so.
  ///
  /// - Parameter other: a state folder whose records it begins with.
  static func place(for state: String, in scratch: Scratch, like other: String?) throws -> StorePlace {
    guard isChosen else { return .file(state + "/poolflow.db") }
    let place = try other.map { try Self.place(of: state, like: $0) } ?? Self.place(of: state)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/poolflow.conf.d", withIntermediateDirectories: true)
    try scratch.write("poolflow.conf.d/10-store.conf", settings(of: state).utf8)
    return place
  }
}

/// What a program said and how it ended.
struct Answer {
  let code: Int32
  let output: String
  let errors: String
}

enum Pfctl {
  /// Runs `pfctl` to its end.
  ///
  /// - Throws: `TooLate` when it takes longer than any command may.
  static func run(_ words: [String], in scratch: Scratch, environment: [String: String] = [:]) throws -> Answer {
    try Program.run(Checkout.pfctl, words, in: scratch, environment: environment)
  }
}

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

/// A stopped daemon's state folder with the team `desert-blue` in Phoenix and the demo backup, made once and copied.
enum DemoStore {
  /// Sunday 23:00 in Phoenix: the week's digest and the evening's reminder lie behind, Monday's route before it.
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
    // The folder lives as long as somebody refers to it.
    return (daemon.scratch, daemon.state)
  }
}
