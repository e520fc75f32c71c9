internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl care log`: records care by a vet, a farrier or the barn's staff.
enum CareLogCommand: Command {
  static let values: [FieldOptions.Key] = [
    ("date", "DATE", "the date of the care: yesterday, 2026-03-02; default: today"),
    ("due", "DATE", "when the next is due: 2026-04-13, +42d or none; default: after the stable's interval"),
    ("cost", "PRICE", "the cost, such as 85 or 120.50"), ("provider", "TEXT", "who came"),
    ("notes", "TEXT", "what there is to say"),
  ]

  static let description = CommandDescription(
    "care log", "log or plan care of a horse, such as a vet, a farrier or a vaccination",
    operands: [.init("HORSE"), .init("TYPE")],
    options: [.init("team", "TEAM", "whose horse")] + FieldOptions.options(values),
    details: [
      "TYPE is vet, farrier, dental, vaccination, deworming, medication, injury or other. Without --due the next date is "
        + "set: farrier after 42 days, deworming after 90, vaccination and dental after 365, or after the team's "
        + "interval, set with care-intervals; --due none sets no date.",
      "A cost is stored exactly, with at most four decimals. Care with a date after today counts as planned until that day.",
    ],
    examples: [
      "pfctl care log juniper farrier --team willow-barn --cost 85 --provider 'Sam Hoof'",
      "pfctl care log juniper vaccination --team willow-barn --date 2026-03-01 --due none",
    ])

  static let documents: [JSONDocument] = [.init("care-log", CareCall.Log.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      CareCall.Log(
        team: try session.team(arguments), horse: arguments.operand(0) ?? "",
        type: try CareTypeView(asked: (arguments.operand(1) ?? "").lowercased(), field: "type"),
        date: arguments["date"], due: arguments["due"], cost: arguments["cost"], provider: arguments["provider"],
        notes: arguments["notes"]))
    let console = session.console
    if console.isJSON { return try console.document("care-log", reply) }
    CareListCommand.show([reply.event], on: console)
    if reply.proposed, let due = reply.event.nextDue {
      console.note(
        "the next is due \(due), as the stable's interval for \(reply.event.type) says; to set none: --due none")
    }
  }
}

/// `pfctl care set`: corrects a care entry.
enum CareSetCommand: Command {
  private static let keys: [FieldOptions.Key] =
    [("type", "KIND", "the kind of care: vet, farrier, …")]
    + CareLogCommand.values.map { key in
      switch key.name {
      case "date": ("date", "DATE", "the date of the care: yesterday, 2026-03-02")
      case "due": ("due", "DATE", "when the next is due: 2026-04-13 or +42d; none removes it")
      case "cost": ("cost", "PRICE", "the cost, such as 85 or 120.50; none removes it")
      default: key
      }
    }

  static let description = CommandDescription(
    "care set", "correct an entry of care", operands: [.init("CARE")],
    options: [.init("team", "TEAM", "whose horse")] + FieldOptions.options(keys),
    details: [
      "CARE is the beginning of an id that `pfctl care list` shows, four characters or more, or a horse, for its newest "
        + "entry. Values that are not given stay; no due date is added."
    ],
    examples: ["pfctl care set 3f2a --team willow-barn cost=120.50 due=none"])

  static let documents: [JSONDocument] = [.init("care-set", CareCall.Set.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      CareCall.Set(
        team: try session.team(arguments), event: arguments.operand(0) ?? "",
        changes: try FieldOptions.requiredChanges(arguments, keys)))
    let console = session.console
    if console.isJSON { return try console.document("care-set", reply) }
    CareListCommand.show([reply.event], on: console)
  }
}

/// `pfctl care remove`: removes a care entry that was logged by mistake.
enum CareRemoveCommand: Command {
  static let description = CommandDescription(
    "care remove", "remove an entry of care", operands: [.init("CARE")],
    options: [.init("team", "TEAM", "whose horse"), Confirmation.option],
    details: [
      "CARE is the beginning of an id that `pfctl care list` shows, four characters or more, or a horse, for its newest "
        + "entry. The due date of the entry before it counts again."
    ],
    examples: ["pfctl care remove 3f2a --team willow-barn --yes"])

  static let documents: [JSONDocument] = [.init("care-remove", CareCall.Remove.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let event = try daemon.ask(
      CareCall.Remove(team: team, event: arguments.operand(0) ?? "", dryRun: true)
    ).event
    let cost = event.costText.map { ", \(visible($0))" } ?? ""
    try Confirmation.ask(
      "Remove the \(event.type) entry of \(visible(event.horse)) on \(event.date)\(cost)?", arguments, session.console)
    let reply = try daemon.ask(CareCall.Remove(team: team, event: event.id, dryRun: false))
    let console = session.console
    if console.isJSON { return try console.document("care-remove", reply) }
    console.line("\(reply.event.type) of \(visible(reply.event.horse)) on \(reply.event.date) removed")
  }
}
