internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowWork

/// `pfctl pause`: pauses a job or all jobs of a team.
enum PauseCommand: Command {
  static let description = CommandDescription(
    "pause", "pause a job, or all jobs of a team, until you resume them",
    operands: [.init("JOB", .atMostOne)],
    options: [
      .init("team", "TEAM", "the team; jobs of the server have none"),
      .init("until", "TIME", "when the pause ends by itself, such as 2026-03-09, 'mon 06:00' or +2h"),
      .init("notes", "TEXT", "the reason; shown by `pfctl why` and `pfctl list`"),
    ],
    details: [
      "Slots that fall due during the pause are recorded as paused and do not run later. Without JOB all jobs of a team "
        + "pause; then --team is required, without a default."
    ],
    examples: [
      "pfctl pause low-stock --team desert-blue --until 2026-03-09 --notes recount", "pfctl pause --team desert-blue",
      "pfctl pause backup --until 2026-03-09",
    ])

  static let documents: [JSONDocument] = [.init("pause", SchedulerCall.Pause.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = SchedulerCall.Pause(
      job: arguments.operand(0), team: try session.team(ofJob: arguments.operand(0), arguments),
      until: arguments["until"], note: arguments["notes"])
    guard let reply = try session.tell(call, as: "pause") else { return }
    let console = session.console
    let hold = reply.hold
    console.line("\(subject(hold)): \(words(hold))")
    let job = hold.job.map { " \(visible($0))" } ?? ""
    let team = hold.team.map { " --team \(visible($0))" } ?? ""
    console.note("`pfctl resume\(job)\(team)` ends it")
  }

  /// `low-stock for desert-blue`, or `backup`.
  static func subject(_ hold: HoldView) -> String {
    (hold.job.map { visible($0) } ?? "every job") + (hold.team.map { " for \(visible($0))" } ?? "")
  }

  /// `paused until Mon 2026-03-09 00:00 MST by anna: "recount"`.
  static func words(_ hold: HoldView) -> String {
    var words: String
    switch hold.kind {
    case .pause: words = "paused" + (hold.untilLocal.map { " until \(visible($0))" } ?? "")
    case .skip: words = "skips \(TextFormat.count(hold.skipsLeft ?? 0, "run"))"
    }
    words += " by \(visible(hold.setBy))"
    return hold.note.isEmpty ? words : words + ": \"\(visible(hold.note))\""
  }
}

/// `pfctl resume`: ends a pause or a skip.
enum ResumeCommand: Command {
  static let description = CommandDescription(
    "resume", "end the pause or skip of a job, or the pause of a whole team", operands: [.init("JOB", .atMostOne)],
    options: [.init("team", "TEAM", "the team; jobs of the server have none")],
    examples: [
      "pfctl resume low-stock --team desert-blue", "pfctl resume --team desert-blue", "pfctl resume backup",
    ])

  static let documents: [JSONDocument] = [.init("resume", SchedulerCall.Resume.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(ofJob: arguments.operand(0), arguments)
    let reply = try session.runningDaemon().ask(SchedulerCall.Resume(job: arguments.operand(0), team: team))
    let console = session.console
    if console.isJSON { return try console.document("resume", reply) }
    let subject = arguments.operand(0).map { visible($0) } ?? "the team as a whole"
    let owner = team.map { " for \(visible($0))" } ?? ""
    console.line(reply.ended == 0 ? "\(subject) was not held\(owner)" : "\(subject)\(owner): resumed")
    if reply.ended == 0 { console.note("`pfctl list\(team.map { " --team \(visible($0))" } ?? "")` shows what is") }
  }
}

/// `pfctl skip`: skips the next runs of a job.
enum SkipCommand: Command {
  static let description = CommandDescription(
    "skip", "skip the next runs of a job; then it runs again by itself", operands: [.init("JOB")],
    options: [
      .init("team", "TEAM", "the team; a job of the server has none"),
      .init("count", "N", "how many runs; default: 1"),
    ], examples: ["pfctl skip morning-summary --team desert-blue --count 2", "pfctl skip backup"])

  static let documents: [JSONDocument] = [.init("skip", SchedulerCall.Skip.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = SchedulerCall.Skip(
      job: arguments.operand(0) ?? "", team: try session.team(ofJob: arguments.operand(0), arguments),
      count: try arguments.integer("count", standard: 1, in: 1...Limits.slotsPerSkip))
    guard let reply = try session.tell(call, as: "skip") else { return }
    let console = session.console
    console.line("\(PauseCommand.subject(reply.hold)): \(PauseCommand.words(reply.hold))")
    if let next = reply.next { console.note("it runs again \(visible(next.local))") }
  }
}

extension Session {
  /// The team that owns `job`; nil for a server job, and for an operand that includes its team, such as a run.
  func team(ofJob job: String?, _ arguments: Arguments) throws -> String? {
    if let named = arguments["team"] { return named }
    guard let job, let kind = catalogue.jobs.kind(named: job), !kind.isServerJob else { return nil }
    return try team(arguments)
  }
}
