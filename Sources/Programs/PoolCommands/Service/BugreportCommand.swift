internal import FoundationEssentials
internal import Glibc
internal import PoolControl
internal import PoolModel
internal import PoolPlatform

/// `pfctl bugreport`: an archive for whoever helps, without anybody's data.
enum BugreportCommand: Command {
  static let description = CommandDescription(
    "bugreport", "write an archive for whoever helps: no names, addresses, phones or gate codes in it",
    options: [.init("output", "FILE", "which file; poolflow-bugreport.zip without it")],
    details: [
      "FILE must not be there yet. Teams, technicians and users become team-1,",
      "technician-1, user-1; notices are left out but for their way to the sinks. Look into it before you send it.",
    ], examples: ["pfctl bugreport", "pfctl bugreport --output report.zip"])

  private struct Answer: Codable {
    let file: String
    let entries: [String]
  }

  static let documents: [JSONDocument] = [.init("bugreport", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let path = arguments["output"] ?? "poolflow-bugreport.zip"
    var parts: [(String, [UInt8])] = []
    var redaction = Redaction()
    func add(_ name: String, _ value: some Encodable) throws {
      let text = String(decoding: try Envelope.encode(value, pretty: true), as: UTF8.self)
      parts.append((name, Array((redaction.redacted(text) + "\n").utf8)))
    }
    do {
      let daemon = try session.runningDaemon()
      redaction = try Redaction(of: daemon)
      try add("status.json", try daemon.ask(SchedulerCall.Status()))
      try add("jobs.json", try daemon.ask(SchedulerCall.List()))
      try add("history.json", try daemon.ask(SchedulerCall.History(limit: 500, failed: false)))
      try add("outbox.json", try daemon.ask(OutboxCall.List(limit: 500)).entries.map(OutboxLine.init))
      try add("audit.json", try daemon.ask(DaemonCall.Audit(limit: 200)))
      try add("settings.json", try daemon.ask(DaemonCall.Settings()))
    } catch let error as CommandFailure {
      // Without a daemon the report says at least why.
      parts.append(("no-daemon.txt", Array((error.message + "\n").utf8)))
    }
    try add("doctor.json", DoctorCommand.findings(session))
    try add("version.json", ["pfctl": ProductVersion.text])
    try write(parts, to: path)
    let console = session.console
    if console.isJSON { return try console.document("bugreport", Answer(file: path, entries: parts.map(\.0))) }
    console.line(visible(path))
    console.legend("it holds \(parts.map(\.0).joined(separator: ", ")); look into it before you send it")
  }

  /// An entry without its title, which may tell of a customer.
  private struct OutboxLine: Encodable {
    let sequence: Int
    let sink: String
    let state: String
    let attempts: Int
    let nextTryAt: String?
    let lastError: String?
    let createdAt: String
    let sentAt: String?

    init(_ entry: EntryView) {
      sequence = Int(entry.sequence)
      sink = entry.sink
      state = entry.state.rawValue
      attempts = entry.attempts
      nextTryAt = entry.nextTryAt
      lastError = entry.lastError
      createdAt = entry.createdAt
      sentAt = entry.sentAt
    }
  }

  private static func write(_ parts: [(String, [UInt8])], to path: String) throws {
    // Private, and never over somebody's file.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      let failure = SystemFailure("cannot make '\(path)'", code: code)
      if code == EEXIST {
        throw CommandFailure(
          name: "cannot-create", message: "\(failure); name another file", exitCode: ExitCode.cannotCreate)
      }
      throw CommandFailure.inputOutput("\(failure)")
    }
    defer { close(descriptor) }
    let archive = ZIPWriter(modified: .current) { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw CommandFailure.inputOutput("\(SystemFailure("cannot write '\(path)'"))") }
        rest = rest.dropFirst(count)
      }
    }
    for (name, bytes) in parts { try archive.add("poolflow-bugreport/\(name)", bytes) }
    try archive.finish()
  }
}

/// Names replaced by numbers, everywhere and always by the same.
struct Redaction {
  private var names: [(name: String, word: String)] = []

  init() {}

  /// Learns every name that the daemon knows.
  init(of daemon: DaemonConnection) throws {
    var words: [String: String] = [:]
    func learn(_ name: String, _ kind: String) {
      guard name.count > 1, words[name] == nil else { return }
      words[name] = "\(kind)-\(words.count + 1)"
    }
    for team in try daemon.ask(TeamsCall.List()).teams {
      learn(team.name, "team")
      for technician in team.technicians { learn(technician.name, "technician") }
      guard team.trade != Trade.stable.rawValue else {
        for horse in try daemon.ask(HorsesCall.List(team: team.name)).horses {
          learn(horse.name, "horse")
          learn(horse.owner, "owner")
        }
        continue
      }
      for pool in try daemon.ask(PoolsCall.List(team: team.name)).pools {
        learn(pool.customer, "customer")
        learn(pool.address, "address")
      }
    }
    for entry in try daemon.ask(DaemonCall.Audit(limit: 200)).entries {
      guard let user = entry.user, user != "root", user != "poolflow" else { continue }
      learn(user, "user")
    }
    self.init(words.map { ($0.key, $0.value) })
  }

  /// - Parameter names: what to replace, and by what.
  init(_ names: [(String, String)]) {
    // Longer ones first: a name may begin with another.
    self.names = names.map { (name: $0.0, word: $0.1) }.inOrder { ($1.name.count, $0.name) < ($0.name.count, $1.name) }
  }

  func redacted(_ text: String) -> String {
    var result = text
    for (name, word) in names where result.contains(name) { result = result.replacing(name, with: word) }
    return Self.withoutContacts(result)
  }

  /// E-mail addresses, and ten digits or more with the marks of a phone number, become a word.
  static func withoutContacts(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        let trimmed = word.drop { "\"'(<".contains($0) }
        if let at = trimmed.firstIndex(of: "@"), at != trimmed.startIndex, trimmed[at...].contains(".") {
          return "[e-mail]"
        }
        let isDialled = word.allSatisfy { $0.isNumber || "+-().\",".contains($0) }
        let isPhone =
          isDialled && word.filter(\.isNumber).count >= 10 && word.contains { "+-()".contains($0) }
        return isPhone ? "[phone]" : String(word)
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
