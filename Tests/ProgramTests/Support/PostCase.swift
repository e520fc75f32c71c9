import FlowPlatform
import Foundation
import Glibc
import Testing

/// A `poolflow-post` with its own drop folder and state, and scripted mail and web servers (Fixtures/post-servers.py).
final class PostCase {
  let scratch: Scratch
  let drop: String
  let state: String
  let faults: FaultPoints
  private let servers: RunningProgram
  private(set) var program: RunningProgram?
  let mailPort: String
  let webPort: String

  /// The channels' credentials by name; `WEB` in them becomes the web server's address.
  private var credentials: [String: String] = [:]

  init() throws {
    scratch = try Scratch()
    drop = try scratch.folder("drop")
    _ = try scratch.folder("drop/new")
    state = try scratch.folder("state")
    _ = try scratch.folder("cred")
    let seen = try scratch.folder("seen")
    faults = try FaultPoints(in: scratch)
    let script = Bundle.module.bundleURL.appendingPathComponent("Fixtures/post-servers.py").path
    servers = try RunningProgram(
      "/usr/bin/env", ["python3", script, seen],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
      output: .writing(scratch.path + "/servers.out"), errors: scratch.path + "/servers.err")
    let file = seen + "/ports"
    try eventually("the servers' ports", { Files.exists(file) })
    let ports = try Files.text(file).split(separator: " ").map(String.init)
    (mailPort, webPort) = (ports[0], ports[1])
  }

  /// Writes post.conf; `MAIL` and `WEB` become the servers' addresses.
  func settings(_ text: String, credentials: [String: String] = [:], timeout seconds: Int = 2) throws {
    let head = "[Post]\nFolder = \(drop)\nStateDirectory = \(state)\nTimeout = \(seconds)s\n"
    try scratch.write("post.conf", (head + filled(text) + "\n").utf8)
    for (name, secret) in credentials { try scratch.write("cred/\(name)", filled(secret).utf8) }
  }

  private func filled(_ text: String) -> String {
    text.replacingOccurrences(of: "MAIL", with: "127.0.0.1:\(mailPort)")
      .replacingOccurrences(of: "WEB", with: "127.0.0.1:\(webPort)")
  }

  @discardableResult
  func start(environment: [String: String] = [:]) throws -> PostCase {
    let own = ["PATH": "/usr/bin:/bin", "CREDENTIALS_DIRECTORY": scratch.path + "/cred", "TZ": "UTC"]
    readiesBefore = readies
    program = try RunningProgram(
      Checkout.post, ["--config", scratch.path + "/post.conf"], environment: own.merging(environment) { $1 },
      output: .writing(scratch.path + "/out"), errors: scratch.path + "/err")
    return self
  }

  /// Sends SIGKILL and reaps the process.
  func kill() throws {
    program?.send(SIGKILL)
    try program?.end()
  }

  func stop() throws {
    // Before it is ready, it has no signal handler and SIGTERM would just kill it.
    try eventually("a poster that is ready", { readies > readiesBefore || program?.wait(by: Deadline(.zero)) != nil })
    program?.send(SIGTERM)
    #expect(try program?.end() == .exit(0), "\(log)")
  }

  /// The number of READY lines in the log, which all starts share; and their number before this start.
  private var readies: Int { log.components(separatedBy: "poolflow-post: ready: ").count }
  private var readiesBefore = 0

  /// The standard error of all starts; empty before the first one.
  var log: String { (try? Files.text(scratch.path + "/err")) ?? "" }

  // MARK: What comes

  private static let event = Result { () throws -> Data in
    let path = Checkout.root + "/Tests/FlowPostTests/Fixtures/team.json"
    return try Data(contentsOf: URL(filePath: path))
  }

  /// The details of the fixture's morning digest, to be changed and passed to `put`.
  func details() throws -> [String: Any] {
    let event = try JSONSerialization.jsonObject(with: Self.event.get()) as? [String: Any]
    return try #require((event?["data"] as? [String: Any])?["details"] as? [String: Any])
  }

  /// Puts a morning digest into the drop folder as the daemon does, by a rename. Without addresses it is the team's event,
  /// without a recipient.
  func put(
    _ id: String, to addresses: [(channel: String, address: String)]?, changing changes: [String: Any] = [:],
    lasting seconds: Double = 86_400, calendar: String? = nil
  ) throws {
    var changes = changes
    if let addresses {
      changes["recipient"] = [
        "key": "t-\(id)", "name": "María", "technician": "maria", "language": "es",
        "addresses": addresses.map { ["channel": $0.channel, "address": $0.address] },
      ]
    }
    try put(id, try Self.event.get(), changing: changes, lasting: seconds, calendar: calendar)
  }

  /// Puts another event into the drop folder.
  func put(
    _ id: String, _ bytes: Data, changing changes: [String: Any], lasting seconds: Double = 86_400,
    calendar: String? = nil
  ) throws {
    var event = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let data = try #require(event["data"] as? [String: Any])
    event["data"] = data.merging(changes) { $1 }
    event["id"] = id
    event["time"] = Date.now.formatted(.iso8601)
    event["expirytime"] = Date(timeIntervalSinceNow: seconds).formatted(.iso8601)
    if let calendar { try scratch.write("drop/new/\(id).ics", calendar.utf8) }
    try scratch.write("drop/\(id)", try JSONSerialization.data(withJSONObject: event))
    try FileManager.default.moveItem(atPath: "\(drop)/\(id)", toPath: "\(drop)/new/\(id).json")
  }

  // MARK: What has become of it

  /// A receipt that poolflow-post wrote.
  struct Receipt: Decodable {
    let event, channel, kind, recipient, verdict, words: String
    let tries: Int
  }

  func receipts() throws -> [Receipt] {
    try Files.names(in: state + "/receipts").filter { !$0.hasPrefix(".") }.map(receipt)
  }

  /// The names of receipts that the daemon has not yet read.
  var unread: [String] { Files.names(in: drop + "/receipts").filter { $0.hasSuffix(".json") } }

  func receipt(_ name: String) throws -> Receipt {
    try JSONDecoder().decode(Receipt.self, from: Data(try Files.bytes("\(state)/receipts/\(name)")))
  }

  func receipts(_ count: Int, within limit: Duration = .patience) throws -> [Receipt] {
    let folder = state + "/receipts"
    func isThere() -> Bool { Files.names(in: folder).count { !$0.hasPrefix(".") } >= count }
    do { try eventually("\(count) receipts", within: limit, isThere) } catch {
      throw TooLate(description: "\(error): \(try receipts().count) are there; \(log.suffix(3_000))")
    }
    return try receipts()
  }

  /// A request that the fake web server received.
  struct Request: Decodable {
    let method, path, body: String
    let headers: [String: String]

    var bytes: Data { Data(base64Encoded: body) ?? Data() }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// A mail that the fake mail server received.
  struct Mail: Codable {
    let from, to, data: String
  }

  func requests() throws -> [Request] { try lines("requests.jsonl") }
  func mails() throws -> [Mail] { try lines("mails.jsonl") }

  private func lines<Line: Decodable>(_ name: String) throws -> [Line] {
    try Files.wholeLines("\(scratch.path)/seen/\(name)").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }
}

extension String {
  /// A mail's header, unfolded; nil if it has none of that name.
  func mailHeader(_ name: String) -> Substring? {
    replacingOccurrences(of: "\r\n ", with: " ").split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
  }
}
