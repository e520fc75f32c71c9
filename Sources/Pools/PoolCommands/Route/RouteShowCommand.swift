internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl route show`: shows the stops of a day and a map.
enum RouteShowCommand: Command {
  static let description = CommandDescription(
    "route show", "a day's stops in their present order and in the best one",
    options: RouteOptions.days + [
      .init("map", nil, "draw a text map of the day, numbered in the present order"),
      .init("format", "text|svg", "the output format; default: text; svg is a map of one technician's day"),
      .init("output", "FILE", "write to this file instead of standard output; needs --format svg"),
    ],
    examples: [
      "pfctl route show --team desert-blue --day Mon", "pfctl route show --team desert-blue --day Mon --map",
      "pfctl route show --team desert-blue --day Mon --technician maria --format svg --output monday.svg",
    ])

  static let documents: [JSONDocument] = [
    .init("route-show", RoutesCall.Show.Reply.self), .init("report", ReportOutput.Answer.self),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let format = try arguments.choice("format", among: ["text", "svg"])
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let reply = try session.daemon().ask(RoutesCall.Show(team: team, day: day, technician: technician))
    let console = session.console
    if format == "svg" {
      guard reply.routes.count == 1, let route = reply.routes.first else {
        throw CommandFailure.usage(
          "--format svg shows one day of one technician; choose them with --day and --technician")
      }
      return try ReportOutput.show(RoutePicture(route).svg, named: "report", asked: arguments, on: console)
    }
    try ReportOutput.refuseFile(of: arguments)
    if console.isJSON { return try console.document("route-show", reply) }
    for route in reply.routes {
      RouteOptions.show(route, console)
      if arguments.has("map") { for line in RoutePicture(route).lines(width: 76) { console.line(line) } }
    }
  }
}
