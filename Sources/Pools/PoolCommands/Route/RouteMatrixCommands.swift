internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl route matrix import`: replaces estimated driving times by measured ones.
enum RouteMatrixImportCommand: Command {
  static let description = CommandDescription(
    "route matrix import", "import measured driving times between a team's pools from a file",
    operands: [.init("FILE")],
    options: [.init("team", "TEAM", "whose places")],
    details: [
      "FILE is the answer of an OSRM table request (JSON with durations, sources and destinations), or rows "
        + "from_latitude,from_longitude,to_latitude,to_longitude,minutes. Times that the file lacks are estimated from "
        + "the distance; `pfctl route show` shows the source of the times. At most \(Limits.routeTableLocations) locations.",
      "An import replaces the previous one; `pfctl route matrix remove` goes back to estimates.",
    ],
    examples: ["pfctl route matrix import table.json --team desert-blue"])

  static let documents: [JSONDocument] = [.init("route-matrix-import", RoutesCall.ImportTable.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let file = try ImportFile(
      path: arguments.operand(0) ?? "", wanted: "expected an OSRM table answer or rows of times",
      mostBytes: Limits.routeFileBytes)
    let daemon = try session.runningDaemon()
    let upload = try file.send(to: daemon, team: team, console: session.console)
    let reply = try session.askLong(RoutesCall.ImportTable(team: team, upload: upload))
    let console = session.console
    if console.isJSON { return try console.document("route-matrix-import", reply) }
    console.line(
      "\(TextFormat.count(reply.places, "place")), \(TextFormat.grouped(reply.known)) of \(TextFormat.grouped(reply.pairs)) times known"
    )
    console.note("`pfctl route optimise --team \(visible(team)) --day all` computes the best orders with them")
  }
}

/// `pfctl route matrix remove`: returns to estimated driving times.
enum RouteMatrixRemoveCommand: Command {
  static let description = CommandDescription(
    "route matrix remove", "remove a team's measured driving times",
    options: [CommandDescription.team("whose"), Confirmation.option],
    examples: ["pfctl route matrix remove --team desert-blue --yes"])

  static let documents: [JSONDocument] = [.init("route-matrix-remove", RoutesCall.RemoveTable.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    try Confirmation.ask("Remove the measured driving times of \(visible(team))?", arguments, session.console)
    guard let reply = try session.tell(RoutesCall.RemoveTable(team: team), as: "route-matrix-remove") else { return }
    let console = session.console
    console.line(reply.removed ? "forgotten; times are estimated again" : "\(visible(team)) has no measured times")
  }
}
