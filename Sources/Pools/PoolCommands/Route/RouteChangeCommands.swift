internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl route apply`: makes the best order the day's order.
enum RouteApplyCommand: Command {
  static let description = CommandDescription(
    "route apply", "use a day's best order; `pfctl route undo` restores the old one",
    options: RouteOptions.days,
    details: [
      "Stops that were moved to the day's next date, or are covered there, get their position on that date only; the order of "
        + "the technician's other stops is also that of later weeks. `pfctl route undo` restores both."
    ], examples: ["pfctl route apply --team desert-blue --day Mon"])

  static let documents: [JSONDocument] = [.init("route-apply", RoutesCall.Apply.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let call = RoutesCall.Apply(team: team, day: day, technician: technician)
    guard let reply = try session.tell(call, deadline: Limits.longCallDeadline, as: "route-apply") else { return }
    let console = session.console
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
    console.note("`pfctl route undo --team \(visible(team))\(RouteOptions.flags(arguments))` restores the old order")
  }
}

/// `pfctl route move`: moves a stop to another position.
enum RouteMoveCommand: Command {
  static let description = CommandDescription(
    "route move", "move a stop to another position in its day", operands: [.init("POOL")],
    options: [
      CommandDescription.team("whose pool"), .init("place", "N", "which one, from 1", isRequired: true),
      RouteOptions.weekday,
    ],
    examples: [
      "pfctl route move 'Steve Baird' --team desert-blue --place 3",
      "pfctl route move 'Steve Baird' --team desert-blue --place 3 --day Mon",
    ])

  static let documents: [JSONDocument] = [.init("route-move", RoutesCall.Move.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    _ = try arguments.required("place", such: "3")
    let place = try arguments.integer("place", standard: 1, in: 1...Limits.routeStops)
    let call = RoutesCall.Move(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", place: place, day: arguments["day"])
    guard let reply = try session.tell(call, as: "route-move") else { return }
    let console = session.console
    RouteOptions.show(reply.route, console)
  }
}

/// `pfctl route pin`: fixes a stop's position in its day.
enum RoutePinCommand: Command {
  static let description = CommandDescription(
    "route pin", "pin a stop to a position in the day; without --place, unpin it",
    operands: [.init("POOL")],
    options: [
      CommandDescription.team("whose pool"),
      .init("place", "N", "the position, from 2: the first stop is where the day begins"),
      RouteOptions.weekday,
    ],
    details: [
      "The app does not know pins: archives store them in an extra file, a restore brings them back, and importing an "
        + "archive of the app keeps the pins of pools that stay. A customer's tag pin:N counts as a pin."
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
    let call = RoutesCall.Pin(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", place: place, day: arguments["day"])
    guard let reply = try session.tell(call, as: "route-pin") else { return }
    let console = session.console
    console.line(
      "\(visible(reply.customer)): \(reply.place.map { "pinned to place \($0)" } ?? "free to take any place")")
    console.note("`pfctl route optimise --team \(visible(call.team))` computes the day's best order with it")
  }
}

/// `pfctl route undo`: restores the order before the last change.
enum RouteUndoCommand: Command {
  static let description = CommandDescription(
    "route undo", "restore the order that a day had before the last apply or move",
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
