internal import PoolControl
internal import PoolModel

/// `pfctl simulate`: the coming days, decided by the real planner and the real jobs, nothing sent.
enum SimulateCommand: Command {
  static let description = CommandDescription(
    "simulate", "what would run and be sent in the coming days; nothing is sent",
    options: [
      .init("days", "N", "how many days, 7 without it"), CommandDescription.teamOption,
      .init("from", "TIME", "begin there instead of now: 2026-03-02T00:00:00Z"),
    ],
    examples: ["pfctl simulate --days 7", "pfctl simulate --days 1 --team desert-blue --from 2026-03-02T00:00:00Z"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let days = try arguments.integer("days", standard: 7, in: 1...Limits.simulatedDays)
    if let from = arguments["from"], Timestamp(rfc3339: from) == nil {
      throw CommandFailure.usage("--from takes a time such as 2026-03-02T00:00:00Z, not '\(visible(from))'")
    }
    let call = SchedulerCall.Simulate(days: days, team: arguments["team"], from: arguments["from"])
    let console = session.console
    var kept: [SimulatedEventView] = []
    var summary: SimulationView?
    try session.daemon().stream(call, deadline: Limits.longCallDeadline) { reply in
      summary = reply.summary ?? summary
      if console.isJSON { return kept += reply.events }
      for event in reply.events { show(event, on: console) }
      // The days appear as they are decided.
      console.flush()
    }
    if console.isJSON {
      return try console.document("simulate", SchedulerCall.Simulate.Reply(events: kept, summary: summary))
    }
    guard let summary else { return }
    let runs = Wording.count(summary.runs, "run")
    let notices = Wording.count(summary.notices, "notice")
    console.legend("\(runs) and \(notices) in \(Wording.count(days, "day")); nothing was sent")
  }

  private static func show(_ event: SimulatedEventView, on console: Console) {
    let team = event.team.map { "  \(visible($0))" } ?? ""
    let outcome = console.paint(event.outcome.rawValue, HistoryCommand.style(event.outcome))
    let why = event.title == nil && !event.detail.isEmpty ? ": \(visible(event.detail))" : ""
    console.line("\(visible(event.local))\(team)  \(visible(event.job))  \(outcome)\(why)")
    if let title = event.title { console.line("    \(console.paint(visible(title), .bold))") }
    for text in [event.body ?? ""] + event.lines where !text.isEmpty {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        console.line(line.isEmpty ? "" : "    \(visible(String(line)))")
      }
    }
  }
}
