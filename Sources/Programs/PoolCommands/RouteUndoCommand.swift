internal import PoolControl

/// `pfctl route undo`: the order before the last change.
enum RouteUndoCommand: Command {
  static let description = CommandDescription(
    "route undo", "give a day the order back that it had before the last apply or move", operands: [.init("TEAM")],
    options: RouteOptions.days, examples: ["pfctl route undo desert-blue --day Mon"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = RouteOptions.selection(arguments)
    let reply = try session.runningDaemon().ask(RoutesCall.Undo(team: team, day: day, technician: technician))
    let console = session.console
    if console.isJSON { return try console.document("route-undo", reply) }
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
  }
}
