internal import PoolControl
internal import PoolModel

/// `pfctl route optimise`: computes the best order now.
enum RouteOptimiseCommand: Command {
  static let description = CommandDescription(
    "route optimise", "work a day's best order out now, beside the order of now",
    options: RouteOptions.days,
    details: [
      "The night does this for every day that has changed. The order of now stays, and is what mornings tell, until you "
        + "apply another; with route-order=best (`pfctl team set`) the night does. The first stop stays first; stops without coordinates and pinned "
        + "ones keep their places; arrival windows of the customers' profiles are kept where that can be."
    ],
    examples: [
      "pfctl route optimise --team desert-blue --day Mon", "pfctl route optimise --team desert-blue --day all",
    ])

  static let documents: [JSONDocument] = [.init("route-optimise", RoutesCall.Optimise.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let call = RoutesCall.Optimise(team: team, day: day, technician: technician)
    guard let reply = try session.tell(call, deadline: Limits.longCallDeadline, as: "route-optimise") else { return }
    let console = session.console
    for route in reply.routes { RouteOptions.show(route, console) }
    if reply.routes.contains(where: { ($0.savedMinutes ?? 0) > 0 || ($0.lateMinutes ?? 0) > ($0.bestLateMinutes ?? 0) })
    {
      let isOfNight = reply.routes.contains { $0.appliedByNight == true }
      console.note(
        (isOfNight ? "the night takes it over; now: " : "the order of now stays; to take the better one: ")
          + "`pfctl route apply --team \(visible(team))\(RouteOptions.flags(arguments))`")
    }
  }
}
