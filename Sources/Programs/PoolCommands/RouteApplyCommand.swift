internal import PoolControl
internal import PoolModel

/// `pfctl route apply`: the best order becomes the order.
enum RouteApplyCommand: Command {
  static let description = CommandDescription(
    "route apply", "give a day its best order; `pfctl route undo` takes it back", operands: [.init("TEAM")],
    options: RouteOptions.days, examples: ["pfctl route apply desert-blue --day Mon"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = RouteOptions.selection(arguments)
    let call = RoutesCall.Apply(team: team, day: day, technician: technician)
    let reply = try session.runningDaemon().ask(call, deadline: Limits.longCallDeadline)
    let console = session.console
    if console.isJSON { return try console.document("route-apply", reply) }
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
    console.legend("`pfctl route undo \(visible(team))\(day.map { " --day \(visible($0))" } ?? "")` takes it back")
  }
}
