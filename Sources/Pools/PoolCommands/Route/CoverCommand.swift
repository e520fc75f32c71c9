internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolControl
internal import PoolModel

/// `pfctl cover`: gives the stops of an absent technician to others.
enum CoverCommand: Command {
  static let description = CommandDescription(
    "cover", "give an absent technician's stops of a date to others, with the least driving",
    operands: [.init("DATE")],
    options: [
      CommandDescription.team("whose stops"),
      .init("technician", "TECHNICIAN", "the one who is absent", isRequired: true),
      .init("by", "TECHNICIANS", "who takes the stops: names with commas between", isRequired: true),
      .init("max-minutes", "N", "most minutes of each of their days, first visit to last; default: no limit"),
      .init("max-late", "N", "most minutes after a customer's arrival window; default: 0"), StopTexts.reason,
      .init("dry-run", nil, "only show the plan"), Confirmation.option,
    ],
    details: [
      "The plan is shown first, and applied after a yes. The others keep their own stops in their order, and customers' arrival "
        + "windows are kept, where the team's setting is windows=respect. Stops that were visited stay, and so do those that "
        + "fit into no day; the reason is printed.",
      "Driving times are those of `pfctl route`: measured where `pfctl route matrix import` brought them, otherwise estimated. "
        + "Up to about 8 stops the plan is proven to be the best.",
      "DATE is such as 2026-03-03, today, tomorrow or tue. One `pfctl stop undo` undoes all of it. The change is for this date "
        + "only; `pfctl closed add --technician` records the absence.",
    ],
    examples: [
      "pfctl cover 2026-03-23 --technician maria --by dan,keisha --team desert-blue --dry-run",
      "pfctl cover 2026-03-17 --technician maria --by dan,keisha --max-minutes 540 --team desert-blue --yes",
    ])

  static let documents: [JSONDocument] = [.init("cover", RoutesCall.Cover.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
      try arguments[option] == nil ? nil : arguments.integer(option, standard: 0, in: range)
    }
    let technician = try arguments.required("technician", such: "maria")
    let by = try arguments.required("by", such: "dan,keisha").split(separator: ",").map { trimmingSpaces(String($0)) }
    let maxMinutes = try number("max-minutes", in: Limits.coverMinutes)
    let maxLate = try number("max-late", in: Limits.coverLateMinutes)
    func call(plan: String?) -> RoutesCall.Cover {
      RoutesCall.Cover(
        team: team, date: arguments.operand(0) ?? "", technician: technician, by: by, maxMinutes: maxMinutes,
        maxLate: maxLate, reason: arguments["reason"], dryRun: plan == nil, plan: plan)
    }
    let daemon = try session.runningDaemon()
    let plan = try daemon.ask(call(plan: nil), deadline: Limits.longCallDeadline)
    let console = session.console
    if !console.isJSON { show(plan, on: console) }
    if arguments.has("dry-run") {
      if console.isJSON { return try console.document("cover", plan) }
      return console.note("nothing was changed")
    }
    let stops = plan.days.reduce(0) { $0 + $1.stops.count }
    let names = TextFormat.list(plan.days.map { visible($0.technician) }, "and")
    try Confirmation.ask("Give \(TextFormat.count(stops, "stop")) to \(names)?", arguments, console)
    let reply = try daemon.ask(call(plan: plan.plan), deadline: Limits.longCallDeadline)
    if console.isJSON { return try console.document("cover", reply) }
    console.line(
      "\(TextFormat.count(stops, "stop")) of \(visible(reply.technician)) on \(visible(reply.local)) given to \(names)")
    if let number = reply.number { console.note(StopTexts.undo(number, team: team)) }
  }

  private static func show(_ plan: RoutesCall.Cover.Reply, on console: Console) {
    for day in plan.days {
      let late = day.addedLateMinutes >= 0.5 ? ", \(minutes(day.addedLateMinutes)) late" : ""
      console.line(
        console.paint(
          "\(visible(plan.local)), \(visible(day.technician)): \(TextFormat.count(day.stops.count, "stop")) more, "
            + "\(minutes(day.addedMinutes)) more (\(minutes(day.addedDrivingMinutes)) driving\(late)), "
            + "\(minutes(day.minutes)) in all", .bold))
      var table = Table([
        .init("STOP", isNumber: true), .init("ARRIVES", isKey: true), .init("CUSTOMER", minWidth: 16, isKey: true),
        .init("ADDRESS", minWidth: 10, rank: 2), .init("WINDOW", rank: 1), .init("LATE", isNumber: true, rank: 1),
      ])
      for stop in day.stops {
        table.add([
          .init("\(stop.place)"), .init(stop.arrives), .init(stop.customer), .init(stop.address),
          .init(stop.window ?? "-"), .init(stop.lateMinutes >= 0.5 ? minutes(stop.lateMinutes) : "-"),
        ])
      }
      console.table(table)
    }
    for stop in plan.uncovered {
      console.words("stays with \(visible(plan.technician)): \(visible(stop.customer)); \(visible(stop.why))")
    }
    if !plan.visited.isEmpty {
      console.note(
        "\(TextFormat.count(plan.visited.count, "stop")) visited already: "
          + plan.visited.map(visible).joined(separator: ", "))
    }
  }

  /// `74 min`.
  private static func minutes(_ minutes: Double) -> String { "\(TextFormat.decimal(minutes, places: 0)) min" }
}
