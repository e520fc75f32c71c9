internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl feed template save`: saves a feed schedule under a name.
enum FeedTemplateSaveCommand: Command {
  private static let keys: [FieldOptions.Key] =
    [("description", "TEXT", "what it is for")] + FeedSetCommand.keys

  static let description = CommandDescription(
    "feed template save", "save a feed schedule as a template that can be copied to horses", operands: [.init("NAME")],
    options: [
      .init("team", "TEAM", "whose template"), .init("horse", "HORSE", "copy this horse's present schedule"),
    ] + FieldOptions.options(keys),
    details: [
      "If a template has that name, it is changed: values that are not given stay, and so does its use count. Horses to "
        + "which it was applied before keep their schedule."
    ],
    examples: [
      "pfctl feed template save 'Easy keeper' --team willow-barn --horse juniper",
      "pfctl feed template save 'Box rest' --team willow-barn --am-grain 'hay only' --pm-grain 'hay only'",
    ])

  static let documents: [JSONDocument] = [.init("feed-template-save", FeedCall.SaveTemplate.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let changes = FieldOptions.changes(arguments, keys)
    guard !changes.isEmpty || arguments["horse"] != nil else {
      throw CommandFailure.usage(
        "`pfctl feed template save` needs a schedule: --horse HORSE, or "
          + TextFormat.list(FeedSetCommand.keys.map { "--\($0.name)" }, "or"))
    }
    let reply = try session.daemon().ask(
      FeedCall.SaveTemplate(
        team: team, name: arguments.operand(0) ?? "", horse: arguments["horse"], changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("feed-template-save", reply) }
    FeedTemplateListCommand.show([reply.template], on: console)
    console.note(reply.created ? "template made" : "template changed")
  }
}

/// `pfctl feed template list`: lists the saved schedules.
enum FeedTemplateListCommand: Command {
  static let description = CommandDescription(
    "feed template list", "list the feed templates of a stable",
    options: [.init("team", "TEAM", "whose templates")],
    examples: ["pfctl feed template list --team willow-barn"])

  static let documents: [JSONDocument] = [.init("feed-templates", FeedCall.ListTemplates.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = FeedCall.ListTemplates(team: try session.team(arguments))
    guard let reply = try session.ask(call, as: "feed-templates") else { return }
    show(reply.templates, on: session.console)
    session.console.note(TextFormat.count(reply.templates.count, "template"))
  }

  static func show(_ templates: [FeedTemplateView], on console: Console) {
    var table = Table([
      .init("TEMPLATE", minWidth: 12, isKey: true), .init("AM FEED", minWidth: 12), .init("PM FEED", minWidth: 12),
      .init("USED", isNumber: true, rank: 1), .init("FOR", minWidth: 10, rank: 2), .init("ID", isKey: true),
    ])
    let ids = ShownIDs(records: templates.map(\.id))
    for template in templates {
      table.add([
        .init(template.name), .init(FeedText.meal(template.am)), .init(FeedText.meal(template.pm)),
        .init(TextFormat.grouped(template.uses)), .init(template.description.isEmpty ? "-" : template.description),
        .init(ids[template.id]),
      ])
    }
    console.table(table)
  }
}

/// `pfctl feed template apply`: gives horses a saved schedule.
enum FeedTemplateApplyCommand: Command {
  static let description = CommandDescription(
    "feed template apply", "replace the feed schedule of horses by a template",
    operands: [.init("TEMPLATE"), .init("HORSE", .any)],
    options: [
      .init("team", "TEAM", "whose template"), .init("all", nil, "every horse of the stable"), Confirmation.option,
    ],
    details: ["Marks on the board stay. With --all it asks first, because it replaces the schedule of every horse."],
    examples: [
      "pfctl feed template apply 'Easy keeper' juniper clover --team willow-barn",
      "pfctl feed template apply 'Box rest' --all --team willow-barn --yes",
    ])

  static let documents: [JSONDocument] = [.init("feed-template-apply", FeedCall.ApplyTemplate.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let horses = Array(arguments.operands.dropFirst())
    guard arguments.has("all") == horses.isEmpty else {
      throw CommandFailure.usage("`pfctl feed template apply` needs the horses after the template, or --all")
    }
    if arguments.has("all") {
      let count = try session.daemon().ask(HorsesCall.List(team: team)).horses.count
      try Confirmation.ask(
        "Feed all \(TextFormat.count(count, "horse")) of \(visible(team)) with this template?", arguments,
        session.console)
    }
    let reply = try session.daemon().ask(
      FeedCall.ApplyTemplate(
        team: team, template: arguments.operand(0) ?? "", horses: horses, all: arguments.has("all")))
    let console = session.console
    if console.isJSON { return try console.document("feed-template-apply", reply) }
    console.line(
      "\(TextFormat.count(reply.horses.count, "horse")) fed by '\(visible(reply.template.name))', which was used "
        + TextFormat.count(reply.template.uses, "time"))
  }
}

/// `pfctl feed template remove`: removes a saved schedule.
enum FeedTemplateRemoveCommand: Command {
  static let description = CommandDescription(
    "feed template remove", "remove a template; horses keep the schedule that they got from it",
    operands: [.init("TEMPLATE")], options: [.init("team", "TEAM", "whose template"), Confirmation.option],
    examples: ["pfctl feed template remove 'Box rest' --team willow-barn --yes"])

  static let documents: [JSONDocument] = [.init("feed-template-remove", FeedCall.RemoveTemplate.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let template = try daemon.ask(
      FeedCall.RemoveTemplate(team: team, template: arguments.operand(0) ?? "", dryRun: true)
    ).template
    try Confirmation.ask(
      "Remove the template '\(visible(template.name))', which was used \(TextFormat.count(template.uses, "time"))?",
      arguments, session.console)
    let reply = try daemon.ask(FeedCall.RemoveTemplate(team: team, template: template.id, dryRun: false))
    let console = session.console
    if console.isJSON { return try console.document("feed-template-remove", reply) }
    console.line("template '\(visible(reply.template.name))' removed")
  }
}
