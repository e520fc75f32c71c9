internal import PoolControl
internal import PoolModel

/// `pfctl route apply`: makes the best order the day's order.
enum RouteApplyCommand: Command {
  static let description = CommandDescription(
    "route apply", "give a day its best order; `pfctl route undo` takes it back",
    options: RouteOptions.days, examples: ["pfctl route apply --team desert-blue --day Mon"])

  static let documents: [JSONDocument] = [.init("route-apply", RoutesCall.Apply.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let call = RoutesCall.Apply(team: team, day: day, technician: technician)
    guard let reply = try session.tell(call, deadline: Limits.longCallDeadline, as: "route-apply") else { return }
    let console = session.console
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
    console.note("`pfctl route undo --team \(visible(team))\(RouteOptions.flags(arguments))` takes it back")
  }
}

/// `pfctl route move`: moves a stop to another position.
enum RouteMoveCommand: Command {
  static let description = CommandDescription(
    "route move", "give a stop another place in its day", operands: [.init("POOL")],
    options: [CommandDescription.team("whose pool"), .init("place", "N", "which one, from 1", isRequired: true)],
    examples: ["pfctl route move 'Steve Baird' --team desert-blue --place 3"])

  static let documents: [JSONDocument] = [.init("route-move", RoutesCall.Move.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    _ = try arguments.required("place", such: "3")
    let place = try arguments.integer("place", standard: 1, in: 1...Limits.routeStops)
    let call = RoutesCall.Move(team: try session.team(arguments), pool: arguments.operand(0) ?? "", place: place)
    guard let reply = try session.tell(call, as: "route-move") else { return }
    let console = session.console
    RouteOptions.show(reply.route, console)
  }
}

/// `pfctl route pin`: fixes a stop's position in its day.
enum RoutePinCommand: Command {
  static let description = CommandDescription(
    "route pin", "keep a place in the day for a stop, whatever the best order; without --place set it free",
    operands: [.init("POOL")],
    options: [
      CommandDescription.team("whose pool"),
      .init("place", "N", "which one, from 2: the first stop is where the day begins"),
    ],
    details: [
      "A pin is poolflow's own: archives hold it in a file beside the app's, it comes back with a restore, and an archive of "
        + "the app that is imported leaves it where the pool stays. A tag pin:N of a customer is taken as one."
    ],
    examples: [
      "pfctl route pin 'Steve Baird' --team desert-blue --place 3", "pfctl route pin 'Steve Baird' --team desert-blue",
    ])

  static let documents: [JSONDocument] = [.init("route-pin", RoutesCall.Pin.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    // The daemon refuses position 1, with the reason.
    let place =
      switch arguments["place"] {
      case nil: Int?.none
      case "1": 1
      default: try arguments.integer("place", standard: 2, in: 2...Limits.routeStops)
      }
    let call = RoutesCall.Pin(team: try session.team(arguments), pool: arguments.operand(0) ?? "", place: place)
    guard let reply = try session.tell(call, as: "route-pin") else { return }
    let console = session.console
    console.line(
      "\(visible(reply.customer)): \(reply.place.map { "pinned to place \($0)" } ?? "free to take any place")")
    console.note("`pfctl route optimise --team \(visible(call.team))` works the day out with it")
  }
}

/// `pfctl route undo`: restores the order before the last change.
enum RouteUndoCommand: Command {
  static let description = CommandDescription(
    "route undo", "give a day the order back that it had before the last apply or move",
    options: RouteOptions.days, examples: ["pfctl route undo --team desert-blue --day Mon"])

  static let documents: [JSONDocument] = [.init("route-undo", RoutesCall.Undo.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let reply = try session.runningDaemon().ask(RoutesCall.Undo(team: team, day: day, technician: technician))
    let console = session.console
    if console.isJSON { return try console.document("route-undo", reply) }
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
  }
}
