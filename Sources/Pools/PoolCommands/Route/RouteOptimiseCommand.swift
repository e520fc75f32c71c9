internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl route optimise`: computes the best order now.
enum RouteOptimiseCommand: Command {
  static let description = CommandDescription(
    "route optimise", "compute a day's best order now; the present order stays",
    options: RouteOptions.days,
    details: [
      "The daemon does this every night for every day that has changed. Morning notices use the present order until you "
        + "apply the best one; with route-order=best (`pfctl team set`) the daemon applies it at night. The first stop "
        + "stays first; pinned stops and stops without coordinates keep their positions; arrival windows of the "
        + "customers' profiles are respected if possible."
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
        (isOfNight
          ? "the daemon applies it at night; to apply it now: " : "the present order stays; to apply the better one: ")
          + "`pfctl route apply --team \(visible(team))\(RouteOptions.flags(arguments))`")
    }
  }
}
