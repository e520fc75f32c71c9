internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// The output of `pfctl reminder` for one reminder.
private enum ReminderText {
  static func show(_ reply: RemindersCall.Set, isDryRun: Bool, on console: Console) {
    let reminder = reply.reminder
    let owner = reminder.technician.map { ", for \(visible($0))" } ?? ""
    console.line("\(visible(reminder.name)) of \(visible(reminder.team)): \(visible(reminder.words))\(owner)")
    for (number, line) in DetailList.lines(of: reply.said).enumerated() {
      console.line((number == 0 ? "says    " : "        ") + line)
    }
    console.line("next    \(next(reminder))")
    for slot in reminder.next { if let note = slot.note { console.note("\(visible(slot.local)): \(visible(note))") } }
    if isDryRun { console.note("nothing was changed") }
  }

  static func next(_ reminder: ReminderView) -> String {
    reminder.next.isEmpty ? "never" : reminder.next.map { visible($0.local) }.joined(separator: ", ")
  }
}

/// The options for a reminder's values.
enum ReminderOptions {
  static let values: [CommandDescription.Option] = [
    .init("rule", "RULE", "when it repeats, such as 'Mon 09:00'"),
    .init("at", "TIME", "when it is sent once, such as 'tomorrow 15:00'"),
    .init("title", "TEXT", "its title; default: the word for reminder in the team's language"),
    .init("text", "TEXT", "what it says"),
    .init("technician", "TECHNICIAN", "only for this technician and their pools; all: the whole team"),
    .init("severity", "info|notice|warning|error", "its severity; default: notice"),
    .init(
      "when", "always|stops|low-stock",
      "send it on every day of its rule, only on days with stops, or only while stock is low"),
    .init("until", "TIME", "the last day on which it is sent; always: no last day"),
    .init("times", "N", "how many times it is sent; always: without limit"),
  ]

  static func changes(_ arguments: Arguments) -> [ReminderChangeView] {
    values.compactMap { option in arguments[option.name].map { ReminderChangeView(key: option.name, value: $0) } }
  }

  static let places =
    "Placeholders are {team}, {technician}, {date}, {weekday}, {pools.today}, {pools.tomorrow} and {low-stock}, the "
    + "names of low items; they are filled in when it is sent. To write a brace, double it."
}

/// `pfctl reminder add`: adds a notice with text of the team's own.
enum ReminderAddCommand: Command {
  static let description = CommandDescription(
    "reminder add", "remind a team of something, once or by a rule", operands: [.init("NAME")],
    options: [.init("team", "TEAM", "who is reminded")] + ReminderOptions.values
      + [.init("dry-run", nil, "only show what it would do")],
    details: [
      ReminderOptions.places,
      "It becomes a job of the team, reminder-NAME: run, why, pause, skip and history accept it like other jobs, and "
        + "`pfctl job set` sets its catch-up, jitter and expiry.",
    ],
    examples: [
      "pfctl reminder add filters --team desert-blue --rule 'Mon *-*-1..7 09:00' --title Filters "
        + "--text 'Order cartridges for {pools.today} pools'"
    ])

  static let documents: [JSONDocument] = [.init("reminder-add", RemindersCall.Add.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = RemindersCall.Add(
      name: arguments.operand(0), team: try session.team(arguments), values: ReminderOptions.changes(arguments),
      dryRun: arguments.has("dry-run"))
    let reply = try (call.dryRun ? session.daemon() : session.runningDaemon()).ask(call)
    let console = session.console
    if console.isJSON { return try console.document("reminder-add", reply) }
    ReminderText.show(reply, isDryRun: call.dryRun, on: console)
  }
}

/// `pfctl reminder set`: changes a reminder.
enum ReminderSetCommand: Command {
  static let description = CommandDescription(
    "reminder set", "change a reminder, all values or none", operands: [.init("NAME")],
    options: [.init("team", "TEAM", "whose reminder")] + ReminderOptions.values
      + [.init("dry-run", nil, "only show what it would do")],
    details: [ReminderOptions.places],
    examples: ["pfctl reminder set filters --team desert-blue rule='Tue *-*-1..7 09:00' times=12"])

  static let documents: [JSONDocument] = [.init("reminder-set", RemindersCall.Change.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let changes = ReminderOptions.changes(arguments)
    guard !changes.isEmpty else {
      throw CommandFailure.usage(
        "`pfctl reminder set` needs a value, such as rule='Mon 09:00'; `pfctl help reminder set` lists them")
    }
    let call = RemindersCall.Change(
      name: arguments.operand(0) ?? "", team: try session.team(arguments), values: changes,
      dryRun: arguments.has("dry-run"))
    let reply = try (call.dryRun ? session.daemon() : session.runningDaemon()).ask(call)
    let console = session.console
    if console.isJSON { return try console.document("reminder-set", reply) }
    ReminderText.show(reply, isDryRun: call.dryRun, on: console)
  }
}

/// `pfctl reminder list`: lists teams' reminders.
enum ReminderListCommand: Command {
  static let description = CommandDescription(
    "reminder list", "reminders of teams, the next one first",
    options: [CommandDescription.teamOption, .init("all", nil, "those that are over, too")],
    examples: ["pfctl reminder list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("reminder-list", RemindersCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = RemindersCall.List(team: arguments["team"], over: arguments.has("all"))
    guard let reply = try session.ask(call, as: "reminder-list") else { return }
    let console = session.console
    guard !reply.reminders.isEmpty else { return console.note("no reminders are to come") }
    var table = Table([
      .init("NAME", isKey: true), .init("TEAM", isKey: true), .init("RULE", minWidth: 16, isKey: true),
      .init("NEXT", minWidth: 14, isKey: true),
      .init("FOR", rank: 2, isKey: true), .init("LEFT", isNumber: true, rank: 1), .init("TEXT", minWidth: 12),
    ])
    for reminder in reply.reminders {
      table.add([
        .init(reminder.name), .init(reminder.team), .init(reminder.rule), .init(reminder.next.first?.local ?? "-"),
        .init(reminder.technician ?? "everybody"), .init(reminder.timesLeft.map(String.init) ?? "-"),
        .init(reminder.text),
      ])
    }
    console.table(table)
  }
}

/// `pfctl reminder remove`: removes a reminder.
enum ReminderRemoveCommand: Command {
  static let description = CommandDescription(
    "reminder remove", "remove a reminder; its past notices stay in the history", operands: [.init("NAME")],
    options: [.init("team", "TEAM", "whose reminder")],
    examples: ["pfctl reminder remove filters --team desert-blue"])

  static let documents: [JSONDocument] = [.init("reminder-remove", RemindersCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = RemindersCall.Remove(name: arguments.operand(0) ?? "", team: try session.team(arguments))
    guard let reply = try session.tell(call, as: "reminder-remove") else { return }
    session.console.line("\(visible(reply.reminder.name)) of \(visible(reply.reminder.team)): removed")
  }
}

/// `pfctl remind`: adds a reminder for a single time.
enum RemindCommand: Command {
  static let description = CommandDescription(
    "remind", "remind a team of something once", operands: [.init("TIME"), .init("TEXT")],
    options: [
      .init("team", "TEAM", "who is reminded"),
      .init("technician", "TECHNICIAN", "whose it is"),
      .init("dry-run", nil, "only show what it would do"),
    ],
    details: [ReminderOptions.places],
    examples: ["pfctl remind 'tomorrow 15:00' 'Call Mrs Baird' --team desert-blue"])

  static let documents: [JSONDocument] = [.init("remind", RemindersCall.Add.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    var values = [
      ReminderChangeView(key: "at", value: arguments.operand(0) ?? ""),
      ReminderChangeView(key: "text", value: arguments.operand(1) ?? ""),
    ]
    if let technician = arguments["technician"] {
      values.append(ReminderChangeView(key: "technician", value: technician))
    }
    let call = RemindersCall.Add(
      name: nil, team: try session.team(arguments), values: values, dryRun: arguments.has("dry-run"))
    let reply = try (call.dryRun ? session.daemon() : session.runningDaemon()).ask(call)
    let console = session.console
    if console.isJSON { return try console.document("remind", reply) }
    ReminderText.show(reply, isDryRun: call.dryRun, on: console)
    if !call.dryRun {
      console.note(
        "`pfctl reminder remove \(visible(reply.reminder.name)) --team \(visible(reply.reminder.team))` removes it")
    }
  }
}
