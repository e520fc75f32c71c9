internal import PoolControl
internal import PoolModel

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

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let place = arguments["at"] == nil ? nil : try arguments.integer("at", standard: 2, in: 1...Limits.routeStops)
    let call = RoutesCall.Pin(team: arguments.operand(0) ?? "", pool: arguments.operand(1) ?? "", place: place)
    let reply = try session.runningDaemon().ask(call)
    let console = session.console
    if console.isJSON { return try console.document("route-pin", reply) }
    console.line(
      "\(visible(reply.customer)): \(reply.place.map { "pinned to place \($0)" } ?? "free to take any place")")
    console.legend("`pfctl route optimise \(visible(call.team))` works the day out with it")
  }
}
