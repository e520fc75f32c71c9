internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl route progress`: shows how many of today's stops are done.
enum RouteProgressCommand: Command {
  static let description = CommandDescription(
    "route progress", "show how many of today's stops were visited",
    options: [CommandDescription.team("whose day"), .init("technician", "TECHNICIAN", "only this technician's")],
    examples: ["pfctl route progress --team desert-blue"])

  static let documents: [JSONDocument] = [.init("route-progress", RoutesCall.Progress.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = RoutesCall.Progress(team: try session.team(arguments), technician: arguments["technician"])
    guard let reply = try session.ask(call, as: "route-progress") else { return }
    let console = session.console
    for day in reply.progress {
      let fraction = day.stops == 0 ? 0 : Double(day.serviced) / Double(day.stops)
      let filled = Int(fraction * 20)
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
      let state = day.complete ? console.paint("complete", .green) : "\(day.stops - day.serviced) to go"
      console.line(
        "\(day.day), \(visible(day.technician))  [\(bar)]  \(day.serviced) of \(day.stops), \(state)")
      if !day.complete, let next = day.missing.first { console.note("next: \(visible(next))") }
    }
  }
}
