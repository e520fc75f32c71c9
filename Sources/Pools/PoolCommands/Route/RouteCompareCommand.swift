internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl route compare`: compares the current order, the app's order and the best one.
enum RouteCompareCommand: Command {
  static let description = CommandDescription(
    "route compare", "minutes and miles of the present order, the app's order and the best order",
    options: RouteOptions.days, examples: ["pfctl route compare --team desert-blue --day all"])

  static let documents: [JSONDocument] = [.init("route-compare", RoutesCall.Compare.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let (team, day, technician) = try RouteOptions.selection(arguments, session)
    let call = RoutesCall.Compare(team: team, day: day, technician: technician)
    guard let reply = try session.ask(call, deadline: Limits.longCallDeadline, as: "route-compare") else { return }
    let console = session.console
    var table = Table([
      .init("DAY"), .init("TECHNICIAN", isKey: true), .init("STOPS", isNumber: true),
      .init("NOW", minWidth: 8, isKey: true),
      .init("APP", minWidth: 8, isKey: true), .init("BEST", minWidth: 8, isKey: true), .init("SAVED", isNumber: true),
      .init("TIMES", rank: 2),
    ])
    for day in reply.comparisons {
      table.add([
        .init(day.day.rawValue), .init(day.technician), .init("\(day.stops)"),
        .init(RouteOptions.figures(day.now.minutes, day.now.miles)),
        .init(RouteOptions.figures(day.app.minutes, day.app.miles)),
        .init(RouteOptions.figures(day.best.minutes, day.best.miles), .green),
        .init(RouteOptions.saved(from: day.now.minutes, to: day.best.minutes)), .init(day.provider),
      ])
    }
    console.table(table)
    console.note("BEST respects pins and arrival windows; NOW and APP ignore them")
    let unresolved = reply.comparisons.reduce(0) { $0 + $1.unresolved }
    if unresolved > 0 {
      console.note("\(TextFormat.count(unresolved, "stop")) without coordinates, not included in the figures")
    }
  }
}
