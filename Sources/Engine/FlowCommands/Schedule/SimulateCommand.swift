internal import FlowCommandKit
internal import FlowOperations
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FlowSettings
import FlowWork

/// `pfctl simulate`: shows the coming days, computed by the real planner and the real jobs; sends nothing.
enum SimulateCommand: Command {
  static let description = CommandDescription(
    "simulate", "show what would run and be sent in the coming days; send nothing",
    options: [
      .init("days", "N", "how many days; default: 7"), CommandDescription.teamOption,
      .init("from", "TIME", "begin there instead of now; past slots are decided again"),
      .init("until", "TIME", "end there, whatever --days says"),
      .init("job", "JOB", "try another rule for this job; needs --rule"),
      .init("rule", "RULE", "the rule to try, such as 'Fri 16:00'"),
      .init("config", "FILE", "simulate with these settings"),
      .init("diff", nil, "show only what those settings change: - as it is, + as it would be"),
      .init("replay", nil, "decide all slots from --from until --until again, also future ones"),
    ],
    examples: [
      "pfctl simulate --days 7", "pfctl simulate --days 1 --team desert-blue --from 2026-03-02T00:00:00Z",
      "pfctl simulate --from -7d --until now --team desert-blue",
      "pfctl simulate --job weekly-digest --rule 'Fri 16:00' --team desert-blue",
    ])

  static let documents: [JSONDocument] = [
    .init("simulate", SchedulerCall.Simulate.Reply.self), .init("simulate-diff", Difference.self),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let days = try arguments.integer("days", standard: 7, in: 1...Limits.simulatedDays)
    let replays = arguments.has("replay")
    if replays, arguments["from"] == nil {
      throw CommandFailure.usage("--replay needs --from, such as --from -7d")
    }
    let config = try arguments["config"].map { path in
      // A call's frame can hold a text of this size.
      let most = Limits.controlFrameBytes / 2
      guard let text = SmallFile.text(path, limit: most) else {
        if let size = FileFacts.bytes(of: path), size > most {
          throw CommandFailure.badData(
            "the settings '\(visible(path))' are too large: \(sizeText(size)), at most \(sizeText(most)) are allowed")
        }
        throw CommandFailure.noInput("cannot read the settings '\(visible(path))': not a text file")
      }
      // Check the file here, so that mistakes are shown with the lines of the caller's own file.
      try ConfigFiles.refuseMistakes(
        of: SettingsReading(text: text, name: path, catalogue: session.catalogue.jobs.every), session.console)
      return text
    }
    func call(_ config: String?) -> SchedulerCall.Simulate {
      SchedulerCall.Simulate(
        days: days, team: arguments["team"], from: arguments["from"], to: arguments["until"], config: config,
        replay: replays ? true : nil, job: arguments["job"], rule: arguments["rule"])
    }
    if arguments.has("diff") {
      guard let config else { throw CommandFailure.usage("--diff needs --config FILE to compare with") }
      return try compare(call(nil), call(config), session)
    }
    try printEvents(call(config), session)
  }

  private static func printEvents(_ call: SchedulerCall.Simulate, _ session: Session) throws {
    let console = session.console
    var collected: [SimulatedEventView] = []
    var summary: SimulationView?
    let line = ProgressLine("simulating", console)
    var count = 0
    try session.daemon().stream(call, deadline: Limits.longCallDeadline, meanwhile: { line.tick() }) { reply in
      summary = reply.summary ?? summary
      if console.isJSON { return collected += reply.events }
      if console.outputIsTerminal {
        line.end()
      } else if let last = reply.events.last {
        count += reply.events.count
        line.report("simulated until \(last.local)", done: count, of: 0)
      }
      for event in reply.events { show(event, on: console) }
      // Print each day as soon as it is computed.
      console.flush()
    }
    line.end()
    if console.isJSON {
      return try console.document("simulate", SchedulerCall.Simulate.Reply(events: collected, summary: summary))
    }
    guard let summary else { return }
    let runs = TextFormat.count(summary.runs, "run")
    let notices = TextFormat.count(summary.notices, "notice")
    let time = call.to == nil ? "in \(TextFormat.count(call.days, "day"))" : "until \(visible(summary.to))"
    console.note("\(runs) and \(notices) \(time); nothing was sent")
  }

  // MARK: Two configurations

  /// The events that differ between two configurations for the same days.
  private struct Difference: Codable {
    let removed: [SimulatedEventView]
    let added: [SimulatedEventView]
  }

  private static func compare(
    _ first: SchedulerCall.Simulate, _ second: SchedulerCall.Simulate, _ session: Session
  ) throws {
    let line = ProgressLine("simulating", session.console)
    defer { line.end() }
    func events(_ call: SchedulerCall.Simulate) throws -> [SimulatedEventView] {
      var collected: [SimulatedEventView] = []
      try session.daemon().stream(call, deadline: Limits.longCallDeadline, meanwhile: { line.tick() }) { reply in
        collected += reply.events
        if let last = reply.events.last { line.report("simulated until \(last.local)", done: collected.count, of: 0) }
      }
      return collected
    }
    let (before, after) = (try events(first), try events(second))
    let (old, new) = (Set(before), Set(after))
    let difference = Difference(removed: before.filter { !new.contains($0) }, added: after.filter { !old.contains($0) })
    let console = session.console
    if console.isJSON { return try console.document("simulate-diff", difference) }
    let lines = difference.removed.map { ("-", $0) } + difference.added.map { ("+", $0) }
    let ordered = lines.sorted { left, right in
      (left.1.at, left.1.team ?? "", left.1.job, left.0) < (right.1.at, right.1.team ?? "", right.1.job, right.0)
    }
    for (sign, event) in ordered {
      let team = event.team.map { "  \(visible($0))" } ?? ""
      let sinks = event.sinks.isEmpty ? "" : " to \(event.sinks.map { visible($0) }.joined(separator: ", "))"
      let begins = event.begins == event.at ? "" : ", begun \(visible(event.begins))"
      let text =
        "\(sign) \(visible(event.local))\(team)  \(visible(event.job))  \(event.outcome.rawValue)\(sinks)\(begins)"
      console.line(console.paint(text, sign == "-" ? .red : .green))
    }
    console.note(
      ordered.isEmpty
        ? "no difference in \(TextFormat.count(before.count, "run"))"
        : "\(difference.removed.count) as it is, \(difference.added.count) as it would be; nothing was sent")
  }

  private static func show(_ event: SimulatedEventView, on console: Console) {
    let team = event.team.map { "  \(visible($0))" } ?? ""
    let outcome = console.paint(event.outcome.rawValue, event.outcome.style)
    let was = event.was.map { " (was: \($0.rawValue))" } ?? ""
    let why = event.title == nil && !event.detail.isEmpty ? ": \(visible(event.detail))" : ""
    console.line("\(visible(event.local))\(team)  \(visible(event.job))  \(outcome)\(was)\(why)")
    if let title = event.title { console.line("    \(console.paint(visible(title), .bold))") }
    for text in [event.body ?? ""] + event.lines where !text.isEmpty {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        console.line(line.isEmpty ? "" : "    \(visible(String(line)))")
      }
    }
  }
}
