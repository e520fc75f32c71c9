internal import PoolControl
internal import PoolModel

/// `pfctl route move`: a stop's place, by hand.
enum RouteMoveCommand: Command {
  static let description = CommandDescription(
    "route move", "give a stop another place in its day", operands: [.init("TEAM"), .init("POOL")],
    options: [.init("to", "N", "the place, from 1", isRequired: true)],
    examples: ["pfctl route move desert-blue 'Steve Baird' --to 3"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    _ = try arguments.required("to", such: "3")
    let place = try arguments.integer("to", standard: 1, in: 1...Limits.routeStops)
    let call = RoutesCall.Move(team: arguments.operand(0) ?? "", pool: arguments.operand(1) ?? "", place: place)
    let reply = try session.runningDaemon().ask(call)
    let console = session.console
    if console.isJSON { return try console.document("route-move", reply) }
    RouteOptions.show(reply.route, console)
  }
}
