internal import PoolControl
internal import PoolModel

/// `pfctl route show`: the stops of a day, with a map.
enum RouteShowCommand: Command {
  static let description = CommandDescription(
    "route show", "a day's stops in their order, beside the best one", operands: [.init("TEAM")],
    options: RouteOptions.days + [
      .init("map", nil, "a map of the day, numbered in the order of now"),
      .init("svg", "FILE", "the map as a picture, to a file; of one technician's day"),
    ],
    examples: [
      "pfctl route show desert-blue --day Mon", "pfctl route show desert-blue --day Mon --map",
      "pfctl route show desert-blue --day Mon --svg monday.svg",
    ])

  static let documents: [JSONDocument] = [.init("route-show", RoutesCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = RouteOptions.selection(arguments)
    let reply = try session.daemon().ask(RoutesCall.Show(team: team, day: day, technician: technician))
    let console = session.console
    if let path = arguments["svg"] {
      guard reply.routes.count == 1, let route = reply.routes.first else {
        throw CommandFailure.usage(
          "--svg is a picture of one day of one technician; name them with --day and --technician")
      }
      try OutputFile.write(RoutePicture(route).svg, to: path)
      console.legend("written to '\(visible(path))'")
    }
    if console.isJSON { return try console.document("route-show", reply) }
    for route in reply.routes {
      RouteOptions.show(route, console)
      if arguments.has("map") { for line in RoutePicture(route).lines(width: 76) { console.line(line) } }
    }
  }
}
