internal import PoolControl
internal import PoolModel

/// `pfctl route apply`: the best order becomes the order.
enum RouteApplyCommand: Command {
  static let description = CommandDescription(
    "route apply", "give a day its best order; `pfctl route undo` takes it back", operands: [.init("TEAM")],
    options: RouteOptions.days, examples: ["pfctl route apply desert-blue --day Mon"])

  static let documents: [JSONDocument] = [.init("route-apply", RoutesCall.Apply.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = RouteOptions.selection(arguments)
    let call = RoutesCall.Apply(team: team, day: day, technician: technician)
    guard let reply = try session.tell(call, deadline: Limits.longCallDeadline, as: "route-apply") else { return }
    let console = session.console
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
    console.legend("`pfctl route undo \(visible(team))\(RouteOptions.flags(arguments))` takes it back")
  }
}

/// `pfctl route move`: a stop's place, by hand.
enum RouteMoveCommand: Command {
  static let description = CommandDescription(
    "route move", "give a stop another place in its day", operands: [.init("TEAM"), .init("POOL")],
    options: [.init("to", "N", "the place, from 1", isRequired: true)],
    examples: ["pfctl route move desert-blue 'Steve Baird' --to 3"])

  static let documents: [JSONDocument] = [.init("route-move", RoutesCall.Move.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    _ = try arguments.required("to", such: "3")
    let place = try arguments.integer("to", standard: 1, in: 1...Limits.routeStops)
    let call = RoutesCall.Move(team: arguments.operand(0) ?? "", pool: arguments.operand(1) ?? "", place: place)
    guard let reply = try session.tell(call, as: "route-move") else { return }
    let console = session.console
    RouteOptions.show(reply.route, console)
  }
}

/// `pfctl route pin`: a place in the day that stays a stop's.
enum RoutePinCommand: Command {
  static let description = CommandDescription(
    "route pin", "keep a place in the day for a stop, whatever the best order; without --at set it free",
    operands: [.init("TEAM"), .init("POOL")], options: [.init("at", "N", "the place, from 2")],
    details: [
      "The pin is the tag pin:N of the customer's profile, so that it goes into archives and comes back from them."
    ],
    examples: [
      "pfctl route pin desert-blue 'Steve Baird' --at 3", "pfctl route pin desert-blue 'Steve Baird'",
    ])

  static let documents: [JSONDocument] = [.init("route-pin", RoutesCall.Pin.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let place = arguments["at"] == nil ? nil : try arguments.integer("at", standard: 2, in: 1...Limits.routeStops)
    let call = RoutesCall.Pin(team: arguments.operand(0) ?? "", pool: arguments.operand(1) ?? "", place: place)
    guard let reply = try session.tell(call, as: "route-pin") else { return }
    let console = session.console
    console.line(
      "\(visible(reply.customer)): \(reply.place.map { "pinned to place \($0)" } ?? "free to take any place")")
    console.legend("`pfctl route optimise \(visible(call.team))` works the day out with it")
  }
}

/// `pfctl route undo`: the order before the last change.
enum RouteUndoCommand: Command {
  static let description = CommandDescription(
    "route undo", "give a day the order back that it had before the last apply or move", operands: [.init("TEAM")],
    options: RouteOptions.days, examples: ["pfctl route undo desert-blue --day Mon"])

  static let documents: [JSONDocument] = [.init("route-undo", RoutesCall.Undo.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = RouteOptions.selection(arguments)
    let reply = try session.runningDaemon().ask(RoutesCall.Undo(team: team, day: day, technician: technician))
    let console = session.console
    if console.isJSON { return try console.document("route-undo", reply) }
    for route in reply.routes { console.line(RouteOptions.heading(route)) }
  }
}
