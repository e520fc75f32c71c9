package import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl events`: lists recent events; with `--follow`, also new ones.
package enum EventsCommand: Command {
  package static let description = CommandDescription(
    "events", "recent events: results of runs, deliveries, sinks, teams, settings",
    options: [
      .init("follow", nil, "keep running and show new events as they happen (also -f)"), CommandDescription.teamOption,
    ],
    examples: ["pfctl events", "pfctl events --team desert-blue --json"])

  package static let documents: [JSONDocument] = [.init("events", EventView.self, isLine: true)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let call = SchedulerCall.Events(team: arguments["team"])
    if arguments.has("follow") {
      try session.runningDaemon().stream(call, deadline: Limits.followDeadline) { reply in
        if reply.lost > 0 { console.words("\(reply.lost) events were lost because they came too fast") }
        for event in reply.events { try show(event, on: console) }
        console.flush()
      }
      return console.words("the daemon has stopped")
    }
    let reply = try session.runningDaemon().ask(call)
    for event in reply.events { try show(event, on: console) }
    if !console.isJSON {
      console.note(reply.events.isEmpty ? "no events yet" : TextFormat.count(reply.events.count, "event"))
    }
  }

  /// One line of text; with `--json` one object, so that programs can read events as they arrive.
  private static func show(_ event: EventView, on console: Console) throws {
    if console.isJSON { return try console.document("events", event) }
    let subject = [event.team, event.job, event.sink].compactMap { $0.map { visible($0) } }.joined(separator: "  ")
    let state = console.paint(event.state.rawValue, style(event))
    let detail = event.detail.isEmpty ? "" : ": \(visible(event.detail))"
    console.line("\(visible(event.local))  \(event.kind.rawValue)  \(subject)  \(state)\(detail)")
  }

  private static func style(_ event: EventView) -> Console.Style? {
    if event.kind == .run { return OutcomeView(rawValue: event.state.rawValue)?.style }
    return switch event.state {
    case .dead, .sick: .red
    case .refused, .degraded: .yellow
    case .sent, .well: .green
    default: nil
    }
  }
}
