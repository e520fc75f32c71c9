internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FoundationEssentials

/// The output of the `pfctl closed` commands.
private enum DaysOffText {
  /// `closed 2026-12-24..2026-12-26 (Christmas)`, or the same for an absent technician.
  static func subject(_ day: DayOffView) -> String {
    let who = day.technician.map { "\(visible($0)) is away" } ?? "closed"
    return "\(who) \(visible(day.words))" + (day.note.isEmpty ? "" : " (\(visible(day.note)))")
  }

  /// `12 observances, such as Valentine's Day and Halloween; --with-observances closes on them, too`.
  static func observances(_ days: [DayOffView]) -> String {
    var titles: [String] = []
    for title in days.map(\.note) where !title.isEmpty && !titles.contains(title) { titles.append(visible(title)) }
    let examples = titles.isEmpty ? "" : ", such as \(TextFormat.list(Array(titles.prefix(3)), "and"))"
    return
      "\(TextFormat.count(days.count, "observance"))\(examples); with --with-observances the team is closed on them, too"
  }

  static func tell(_ open: [OpenStopsView], on console: Console) {
    guard !open.isEmpty else { return }
    let stops = open.reduce(0) { $0 + $1.stops }
    console.note("\(TextFormat.count(stops, "stop")) of the coming weeks \(stops == 1 ? "needs" : "need") another day:")
    for day in open { console.note("  \(visible(day.local)): \(TextFormat.count(day.stops, "stop"))") }
  }
}

/// `pfctl closed add`: adds days off.
enum ClosedAddCommand: Command {
  static let description = CommandDescription(
    "closed add", "close a team on some days, or record that a technician is away", operands: [.init("DAYS")],
    options: [
      .init("team", "TEAM", "who is closed"),
      .init("technician", "TECHNICIAN", "only this technician is away; the team works"),
      .init("notes", "TEXT", "the reason, such as Christmas; shown in notices and by `pfctl why`"),
      .init("dry-run", nil, "only show what it would do"),
    ],
    details: [
      "DAYS is a day, such as 2026-12-24, tomorrow or mon; a range FIRST..LAST, both days included; or the date part of "
        + "a calendar expression for days of every year, such as '*-12-25' or 'Thu *-11-22..28'.",
      "On a closed day no morning route is sent. The evening before, a notice lists the stops that need another day, the "
        + "low-stock notice covers the next working day, and the weekly digest lists the coming days off. The stops of a "
        + "technician who is away are shown as unassigned. `pfctl job set JOB closed=ignore` makes a job run on closed "
        + "days, too.",
    ],
    examples: [
      "pfctl closed add 2026-12-24..2026-12-26 --team desert-blue --notes Christmas",
      "pfctl closed add tomorrow..fri --team desert-blue --technician maria",
    ])

  static let documents: [JSONDocument] = [.init("closed-add", DaysOffCall.Add.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = DaysOffCall.Add(
      days: arguments.operand(0) ?? "", team: try session.team(arguments), technician: arguments["technician"],
      note: arguments["notes"], dryRun: arguments.has("dry-run"))
    let reply = try (call.dryRun ? session.daemon() : session.runningDaemon()).ask(call)
    let console = session.console
    if console.isJSON { return try console.document("closed-add", reply) }
    if let day = reply.day {
      console.line("\(visible(day.team)): \(DaysOffText.subject(day))")
    } else {
      console.line("\(visible(call.team)): these days were already days off")
    }
    DaysOffText.tell(reply.open, on: console)
    if let remedy = reply.remedy { console.note(visible(remedy)) }
    if call.dryRun { console.note("nothing was changed") }
  }
}

/// `pfctl closed list`: lists days off.
enum ClosedListCommand: Command {
  static let description = CommandDescription(
    "closed list", "days on which teams are closed or technicians away, next first",
    options: [CommandDescription.teamOption, .init("all", nil, "those that are past, too")],
    examples: ["pfctl closed list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("closed-list", DaysOffCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = DaysOffCall.List(team: arguments["team"], past: arguments.has("all"))
    guard let reply = try session.ask(call, as: "closed-list") else { return }
    let console = session.console
    guard !reply.days.isEmpty else { return console.note("there are no days off to come") }
    var table = Table([
      .init("ID", isNumber: true, isKey: true), .init("TEAM", isKey: true), .init("DAYS", minWidth: 12, isKey: true),
      .init("NEXT", isKey: true),
      .init("WHO", isKey: true), .init("NOTE", minWidth: 8, rank: 1),
    ])
    for day in reply.days {
      table.add([
        .init("\(day.id)"), .init(day.team), .init(day.days), .init(day.next ?? "-"),
        .init(day.technician ?? "everybody"),
        .init(day.note),
      ])
    }
    console.table(table)
  }
}

/// `pfctl closed remove`: removes days off.
enum ClosedRemoveCommand: Command {
  static let description = CommandDescription(
    "closed remove", "remove days off; routes on these days are sent again", operands: [.init("ID")],
    options: [.init("team", "TEAM", "whose days")],
    examples: ["pfctl closed remove 1 --team desert-blue"])

  static let documents: [JSONDocument] = [.init("closed-remove", DaysOffCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let id = Int(arguments.operand(0) ?? "") else {
      throw CommandFailure.usage(
        "'\(visible(arguments.operand(0) ?? ""))' is not the number of a day off; `pfctl closed list` shows the numbers"
      )
    }
    let call = DaysOffCall.Remove(team: try session.team(arguments), id: id)
    guard let reply = try session.tell(call, as: "closed-remove") else { return }
    session.console.line("\(visible(reply.day.team)): no longer \(DaysOffText.subject(reply.day))")
  }
}

/// `pfctl closed import`: imports days off from an iCalendar file.
enum ClosedImportCommand: Command {
  static let description = CommandDescription(
    "closed import", "close a team on the days of an iCalendar file, such as a country's holidays",
    operands: [.init("FILE")],
    options: [
      .init("team", "TEAM", "who is closed"),
      .init("technician", "TECHNICIAN", "only this technician is away"),
      .init("with-observances", nil, "also close on observances such as Valentine's Day"),
      .init("dry-run", nil, "only show what it would do"),
    ],
    details: [
      "All-day events are imported, including those that repeat every year; events with times of day are skipped, and "
        + "each is listed with its line. If the file has several versions of an event, the newest counts, without "
        + "cancelled days and with moved days. Importing a file again adds only new days: days that a later file cancels "
        + "stay until `pfctl closed remove` removes them.",
      "Days that the file marks as observances, not days off, are counted and skipped; Google's holidays mark "
        + "Valentine's Day so.",
    ],
    examples: ["pfctl closed import holidays.ics --team desert-blue --dry-run"])

  static let documents: [JSONDocument] = [.init("closed-import", DaysOffCall.Import.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let file = try ImportFile(
      path: arguments.operand(0) ?? "", wanted: "expected an iCalendar file (ICS)",
      mostBytes: Limits.largestCalendarFile)
    let text = try file.next(upTo: file.size) ?? []
    let call = DaysOffCall.Import(
      calendar: Data(text).base64EncodedString(), team: try session.team(arguments),
      technician: arguments["technician"], withObservances: arguments.has("with-observances"),
      dryRun: arguments.has("dry-run"))
    let reply = try (call.dryRun ? session.daemon() : session.runningDaemon()).ask(call)
    let console = session.console
    if console.isJSON { return try console.document("closed-import", reply) }
    for day in reply.added { console.line("\(visible(day.team)): \(DaysOffText.subject(day))") }
    let rest = [
      reply.known > 0 ? "\(reply.known) known already" : nil, reply.past > 0 ? "\(reply.past) past" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    console.note("\(TextFormat.count(reply.added.count, "entry", "entries")) added" + (rest.isEmpty ? "" : ", \(rest)"))
    for warning in reply.remarks { console.words("left out: \(visible(warning))") }
    if let observances = reply.observances, !observances.isEmpty {
      console.words("left out: \(DaysOffText.observances(observances))")
    }
    DaysOffText.tell(reply.open, on: console)
    if call.dryRun { console.note("nothing was changed") }
  }
}
