internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolControl

/// The texts of changed dates.
enum StopTexts {
  /// `Steve Baird: moved from Tue 2026-03-03 to Wed 2026-03-04 (rain)`.
  static func words(of change: StopChangeView) -> String {
    let reason = change.reason.isEmpty ? "" : " (\(visible(change.reason)))"
    return "\(visible(change.customer)): \(effect(of: change))\(reason)"
  }

  /// `moved from Tue 2026-03-03 to Wed 2026-03-04`.
  static func effect(of change: StopChangeView) -> String {
    guard let to = change.to else { return "skipped on \(day(change.from))" }
    guard to != change.from else { return "served by \(visible(change.technician)) on \(day(to))" }
    return "moved from \(day(change.from)) to \(day(to)), served by \(visible(change.technician))"
  }

  /// `Tue 2026-03-03`.
  static func day(_ date: String) -> String {
    CivilDate(date).map { "\($0.weekday.abbreviation) \(date)" } ?? visible(date)
  }

  static func undo(_ number: Int, team: String) -> String {
    "`pfctl stop undo \(number) --team \(visible(team))` undoes it"
  }

  static let reason = CommandDescription.Option("reason", "TEXT", "the reason; shown at the stop and in the lists")
  static let dates =
    "Dates are such as 2026-03-03, today, tomorrow or tue for the next Tuesday. A stop can be moved until it is visited, and "
    + "not past the pool's next date of service. Routes, notices, pages and calendars show the change from then on."
}

/// `pfctl stop move`: moves one stop to another date.
enum StopMoveCommand: Command {
  static let description = CommandDescription(
    "stop move", "serve a pool on another date, once; or by another technician", operands: [.init("POOL")],
    options: [
      CommandDescription.team("whose pool"),
      .init("from", "TIME", "the date on which it would be served", isRequired: true),
      .init("to", "DATE", "the date on which it is served instead", isRequired: true),
      .init("technician", "TECHNICIAN", "who serves it then; default: the pool's own technician"),
      StopTexts.reason,
    ],
    details: [
      StopTexts.dates, "With --to equal to --from, only the technician changes. `pfctl stop undo` undoes a change.",
    ],
    examples: [
      "pfctl stop move 'Steve Baird' --team desert-blue --from 2026-03-09 --to 2026-03-10 --reason rain"
    ])

  static let documents: [JSONDocument] = [.init("stop-move", FieldCall.MoveStop.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.MoveStop(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "",
      from: try arguments.required("from", such: "2026-03-03"), to: try arguments.required("to", such: "2026-03-04"),
      technician: arguments["technician"], reason: arguments["reason"])
    guard let reply = try session.tell(call, as: "stop-move") else { return }
    session.console.line(StopTexts.words(of: reply.change))
    session.console.note(StopTexts.undo(reply.change.number, team: call.team))
  }
}

/// `pfctl stop skip`: skips one stop.
enum StopSkipCommand: Command {
  static let description = CommandDescription(
    "stop skip", "do not serve a pool on one of its dates", operands: [.init("POOL"), .init("DATE")],
    options: [
      CommandDescription.team("whose pool"),
      .init("reason", "TEXT", "the reason, such as 'gate locked'; shown in the lists", isRequired: true),
    ],
    details: [
      "The stop is on no route of that date, and the date does not count as missed. `pfctl pool pause` does the same for a "
        + "range of days. `pfctl stop undo` undoes a skip."
    ],
    examples: ["pfctl stop skip 'Steve Baird' 2026-03-16 --team desert-blue --reason 'gate locked'"])

  static let documents: [JSONDocument] = [.init("stop-skip", FieldCall.SkipStop.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.SkipStop(
      team: try session.team(arguments), pool: arguments.operand(0) ?? "", date: arguments.operand(1) ?? "",
      reason: try arguments.required("reason", such: "'gate locked'"))
    guard let reply = try session.tell(call, as: "stop-skip") else { return }
    session.console.line(StopTexts.words(of: reply.change))
    session.console.note(StopTexts.undo(reply.change.number, team: call.team))
  }
}

/// `pfctl day move`: moves all stops of a date.
enum DayMoveCommand: Command {
  static let description = CommandDescription(
    "day move", "move the stops of a date to another date, such as because of rain", operands: [.init("DATE")],
    options: [
      CommandDescription.team("whose stops"),
      .init("to", "DATE", "the date on which they are served instead", isRequired: true),
      .init("technician", "TECHNICIAN", "only the stops of this technician"), StopTexts.reason,
    ],
    details: [
      StopTexts.dates,
      "Stops that were visited stay. If one of the others cannot be moved, none is, and the reason is printed. One "
        + "`pfctl stop undo` undoes all of them.",
    ],
    examples: ["pfctl day move 2026-03-24 --to 2026-03-25 --team desert-blue --reason rain"])

  static let documents: [JSONDocument] = [.init("day-move", FieldCall.MoveDay.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FieldCall.MoveDay(
      team: try session.team(arguments), date: arguments.operand(0) ?? "",
      to: try arguments.required("to", such: "2026-03-04"), technician: arguments["technician"],
      reason: arguments["reason"])
    guard let reply = try session.tell(call, as: "day-move") else { return }
    let console = session.console
    for change in reply.changes { console.line(StopTexts.words(of: change)) }
    if !reply.visited.isEmpty {
      console.note(
        "\(TextFormat.count(reply.visited.count, "stop")) stayed, visited already: "
          + reply.visited.map(visible).joined(separator: ", "))
    }
    if let change = reply.changes.first { console.note(StopTexts.undo(change.number, team: call.team)) }
  }
}

/// `pfctl stop undo`: undoes what one command changed.
enum StopUndoCommand: Command {
  static let description = CommandDescription(
    "stop undo", "undo a change of stops, all that one command made", operands: [.init("ID")],
    options: [CommandDescription.team("whose change")],
    details: [
      "ID is the number of the change, as `pfctl stop list` shows it. A change is undone only as a whole, and not once one of "
        + "its stops was visited; `pfctl stop move` takes back the others. Stops that come back to a day off are listed."
    ],
    examples: ["pfctl stop undo 1 --team desert-blue"])

  static let documents: [JSONDocument] = [.init("stop-undo", FieldCall.UndoStops.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let number = arguments.operand(0).flatMap({ Int($0) }) else {
      throw CommandFailure.usage(
        "'\(visible(arguments.operand(0) ?? ""))' is not the number of a change; `pfctl stop list` shows the numbers")
    }
    let call = FieldCall.UndoStops(team: try session.team(arguments), number: number)
    guard let reply = try session.tell(call, as: "stop-undo") else { return }
    for change in reply.changes { session.console.line("undone: \(StopTexts.words(of: change))") }
    for warning in reply.warnings ?? [] { session.console.note(visible(warning)) }
  }
}

/// `pfctl stop list`: lists changed dates.
enum StopListCommand: Command {
  static let description = CommandDescription(
    "stop list", "stops that were moved, skipped or given to another technician, by date",
    options: [CommandDescription.team("whose stops"), .init("all", nil, "those that are past, too")],
    examples: ["pfctl stop list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("stop-list", PoolsCall.ListStopChanges.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PoolsCall.ListStopChanges(
      team: try session.team(arguments), past: arguments.has("all") ? true : nil)
    guard let reply = try session.ask(call, as: "stop-list") else { return }
    let console = session.console
    guard !reply.changes.isEmpty else { return console.note("no stop of the coming days was changed") }
    var table = Table([
      .init("ID", isNumber: true, isKey: true), .init("CUSTOMER", minWidth: 12, isKey: true),
      .init("FROM", isKey: true), .init("TO", isKey: true), .init("TECHNICIAN", rank: 1), .init("REASON", minWidth: 8),
      .init("BY", minWidth: 8, rank: 2),
    ])
    for change in reply.changes {
      table.add([
        .init("\(change.number)"), .init(change.customer), .init(StopTexts.day(change.from)),
        .init(change.to.map { $0 == change.from ? "same day" : StopTexts.day($0) } ?? "skipped"),
        .init(change.to == nil ? "-" : change.technician),
        .init(change.effective ? change.reason : "no effect: the pool's rule was changed"), .init(change.setBy),
      ])
    }
    console.table(table)
  }
}
