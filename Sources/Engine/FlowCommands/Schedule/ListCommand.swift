internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl list`: lists every job with its next and its last run.
enum ListCommand: Command {
  static let description = CommandDescription(
    "list", "every job with its next and last run", options: [CommandDescription.teamOption],
    examples: ["pfctl list", "pfctl list --team desert-blue --json"])

  static let documents: [JSONDocument] = [.init("list", SchedulerCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(SchedulerCall.List(team: arguments["team"]), as: "list") else { return }
    let console = session.console
    var table = Table([
      .init(""), .init("NEXT", minWidth: 14, isKey: true), .init("LEFT", rank: 2),
      .init("LAST", minWidth: 14, rank: 3, isKey: true),
      .init("RESULT", minWidth: 8), .init("LATE", rank: 3), .init("JOB", isKey: true), .init("TEAM", isKey: true),
      .init("RULE", minWidth: 16, rank: 4, isKey: true),
    ])
    for job in reply.jobs {
      let (mark, result) = result(of: job)
      let left = job.next.flatMap { TextFormat.secondsUntil($0) }.map {
        $0 > 0 ? TextFormat.duration(seconds: $0) : "now"
      }
      table.add([
        mark, .init(job.nextLocal ?? job.next ?? "-"), .init(left ?? "-"), .init(job.lastLocal ?? job.last ?? "-"),
        result, .init(late(job)), .init(job.job), .init(job.team ?? "-"), .init(job.rule),
      ])
    }
    console.table(table)
    let notes = reply.jobs.compactMap { job -> String? in
      let words = [job.hold.map { PauseCommand.words($0) }, job.note.map { visible($0) }].compactMap { $0 }
      let subject = "\(visible(job.job))\(job.team.map { " for \(visible($0))" } ?? "")"
      return words.isEmpty ? nil : "\(subject): \(words.joined(separator: "; "))"
    }
    for note in notes.prefix(5) { console.note(note) }
    if notes.count > 5 { console.note("… and \(notes.count - 5) more notes: `pfctl next JOB --team TEAM`") }
    let failing = reply.jobs.count { $0.lastResult == .failed }
    let paused = reply.jobs.count { $0.state == .paused }
    let words =
      (failing > 0 ? ", \(failing) failing: `pfctl history --failed`" : "") + (paused > 0 ? ", \(paused) held" : "")
    console.note("\(TextFormat.count(reply.jobs.count, "job"))\(words)")
    if let failedJob = reply.jobs.first(where: { $0.lastResult == .failed || $0.lastResult == .missed }) {
      let team = failedJob.team.map { " --team \(visible($0))" } ?? ""
      console.note("Next: `pfctl why \(visible(failedJob.job))\(team)`")
    }
  }

  /// The delay of the last run's start; a dash if the slot did not run or was on time.
  private static func late(_ job: JobView) -> String {
    guard let late = job.lastLateS, late >= 1 else { return "-" }
    switch job.lastResult {
    case .missed, .paused, .coalesced, nil: return "-"
    case .running, .waiting, .done, .notified, .skipped, .failed: return TextFormat.duration(seconds: late)
    }
  }

  private static func result(of job: JobView) -> (mark: Table.Cell, result: Table.Cell) {
    let words = job.lastResult?.rawValue ?? "-"
    switch job.state {
    case .running: return (.init("▶", .green), .init("running", .green))
    case .paused: return (.init("‖", .yellow), .init(words, .dim))
    case .disabled: return (.init("-", .dim), .init(words, .dim))
    case .scheduled, .never: break
    }
    return switch job.lastResult {
    case .failed: (.init("✗", .red), .init(words, .red))
    case .missed: (.init("!", .yellow), .init(words, .yellow))
    case .waiting: (.init("!", .yellow), .init(words, .yellow))
    case .running, .done, .notified, .skipped, .coalesced, .paused, nil: ("", .init(words))
    }
  }
}
