package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FoundationEssentials
internal import Glibc

/// `pfctl bugreport`: writes an archive for support, without personal data.
package enum BugreportCommand: Command {
  package static let description = CommandDescription(
    "bugreport", "write an archive for support, without names, addresses, phones or gate codes",
    options: [.init("output", "FILE", "which file; poolflow-bugreport.zip without it")],
    details: [
      "FILE must not exist yet. Teams, technicians and users become team-1,",
      "technician-1, user-1; of notices only the delivery to sinks is included. Check the archive before you send it.",
    ], examples: ["pfctl bugreport", "pfctl bugreport --output report.zip"])

  /// The JSON document of `pfctl bugreport`.
  private struct Answer: Codable {
    let file: String
    let entries: [String]
  }

  package static let documents: [JSONDocument] = [.init("bugreport", Answer.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let path = arguments["output"] ?? "poolflow-bugreport.zip"
    var parts: [(String, [UInt8])] = []
    var redaction = Redaction(session.catalogue)
    func add(_ name: String, _ value: some Encodable) throws {
      parts.append((name, Array("\(try redaction.document(value).text())\n".utf8)))
    }
    redaction.learn(environment: session.environment)
    do {
      let daemon = try session.runningDaemon()
      try redaction.learn(from: daemon, session.catalogue)
      try add("status.json", try daemon.ask(SchedulerCall.Status()))
      try add("jobs.json", try daemon.ask(SchedulerCall.List()))
      try add("history.json", try daemon.ask(SchedulerCall.History(limit: 500, failed: false)).runs.map(RunLine.init))
      try add("outbox.json", try daemon.ask(OutboxCall.List(limit: 500)).entries.map(OutboxLine.init))
      try add("audit.json", try daemon.ask(DaemonCall.Audit(limit: 200)))
      try add("settings.json", try daemon.ask(DaemonCall.Settings()))
    } catch let error as CommandFailure {
      // Without a daemon, the report includes the connection error.
      parts.append(("no-daemon.txt", Array((redaction.sentence(error.message) + "\n").utf8)))
    }
    try add("doctor.json", DoctorCommand.findings(session))
    try add("version.json", ["pfctl": ProductVersion.text])
    try write(parts, to: path)
    let console = session.console
    if console.isJSON { return try console.document("bugreport", Answer(file: path, entries: parts.map(\.0))) }
    console.line(visible(path))
    console.note("it holds \(parts.map(\.0).joined(separator: ", ")); check the archive before you send it")
  }

  /// An outbox entry without its title, which may name a customer.
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

  /// A run without its notice and the note of a pause, which may name a customer. Its error is kept.
  private struct RunLine: Encodable {
    let id: String
    let job: String
    let team: String?
    let slot: String
    let slotLocal: String
    let zone: String
    let trigger: TriggerView
    let outcome: OutcomeView
    let reason: String
    let detail: String?
    /// The clock corrections that affected the slot.
    let clocks: String?
    /// The inputs of the decision: numbers and flags.
    let inputs: String?
    let nextTryAt: String?
    let lateS: Double
    let startedAt: String?
    let finishedAt: String?
    let attempts: Int
    let noticeId: String?
    let deliveries: [DeliveryView]?

    init(_ run: RunView) {
      id = run.id
      job = run.job
      team = run.team
      slot = run.slot
      slotLocal = run.slotLocal
      zone = run.zone
      trigger = run.trigger
      outcome = run.outcome
      reason = run.reason
      detail =
        switch run.outcome {
        case .failed, .waiting, .missed, .coalesced: run.detail
        case .running, .done, .notified, .skipped, .paused: nil
        }
      clocks = run.note
      inputs = run.inputs
      nextTryAt = run.nextTryAt
      lateS = run.lateS
      startedAt = run.startedAt
      finishedAt = run.finishedAt
      attempts = run.attempts
      noticeId = run.noticeId
      deliveries = run.deliveries
    }
  }

  private static func write(_ parts: [(String, [UInt8])], to path: String) throws {
    // Readable by the owner only; never overwrites a file.
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
