internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl equipment add`: adds a pump, filter or heater to a pool.
enum EquipmentAddCommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("type", "KIND", "what it is: \(TextFormat.list(EquipmentType.allCases.map(\.word), "or"))"),
    ("manufacturer", "TEXT", "who made it"), ("model", "TEXT", "which one"),
    ("serial", "TEXT", "its number"), ("installed", "DATE", "when it was put in"),
    ("warranty", "DATE", "when its warranty ends, or none"), ("serviced", "DATE", "when it was last serviced"),
    ("service", "DATE", "when it is due for service, or none"),
    ("every", "INTERVAL", "how often it is serviced, such as '6 months', or none"), ("notes", "TEXT", "free words"),
  ]

  static let description = CommandDescription(
    "equipment add", "add equipment at a pool", operands: [.init("POOL"), .init("NAME")],
    options: [.init("team", "TEAM", "whose pool")] + FieldOptions.options(keys),
    examples: ["pfctl equipment add 'Steve Baird' 'Spa blower' --team desert-blue --type pump --service 2026-09-01"])

  static let documents: [JSONDocument] = [.init("equipment-add", FieldCall.AddEquipment.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let name = SettingChangeView(key: "name", value: arguments.operand(1) ?? "")
    let reply = try session.daemon().ask(
      FieldCall.AddEquipment(
        team: team, pool: arguments.operand(0) ?? "", changes: [name] + FieldOptions.changes(arguments, keys)))
    let console = session.console
    if console.isJSON { return try console.document("equipment-add", reply) }
    EquipmentListCommand.show([reply.item], on: console)
  }
}

/// `pfctl equipment set`: changes dates and names of equipment.
enum EquipmentSetCommand: Command {
  private static let keys: [FieldOptions.Key] = [("name", "TEXT", "another name")] + EquipmentAddCommand.keys

  static let description = CommandDescription(
    "equipment set", "change equipment, named by its name, id or the beginning of either",
    operands: [.init("POOL"), .init("EQUIPMENT")],
    options: [.init("team", "TEAM", "whose pool")] + FieldOptions.options(keys),
    details: [
      "`pfctl visit log --done 'NAME service'` and `pfctl work done` record a service: the next one is due after --every. "
        + "Without --every it is due after the time from the last service to the next one; if that is unknown, no date is set."
    ],
    examples: ["pfctl equipment set 'Steve Baird' 'Spa blower' --team desert-blue --service 2027-03-01"])

  static let documents: [JSONDocument] = [.init("equipment-set", FieldCall.SetEquipment.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let changes = try FieldOptions.requiredChanges(arguments, keys)
    let reply = try session.daemon().ask(
      FieldCall.SetEquipment(
        team: team, pool: arguments.operand(0) ?? "", equipment: arguments.operand(1) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("equipment-set", reply) }
    EquipmentListCommand.show([reply.item], on: console)
  }
}

/// `pfctl equipment remove`: removes equipment.
enum EquipmentRemoveCommand: Command {
  static let description = CommandDescription(
    "equipment remove", "remove equipment from a pool", operands: [.init("POOL"), .init("EQUIPMENT")],
    options: [.init("team", "TEAM", "whose pool"), Confirmation.option],
    examples: ["pfctl equipment remove 'Steve Baird' 'Spa blower' --team desert-blue --yes"])

  static let documents: [JSONDocument] = [.init("equipment-remove", FieldCall.RemoveEquipment.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let daemon = try session.daemon()
    let item = try daemon.ask(
      FieldCall.RemoveEquipment(
        team: team, pool: arguments.operand(0) ?? "", equipment: arguments.operand(1) ?? "", dryRun: true)
    ).item
    let maker = [item.manufacturer, item.model].filter { !$0.isEmpty }.map { " \(visible($0))" }.joined()
    try Confirmation.ask(
      "Remove \(visible(item.name)) (\(EquipmentType.shown(item.kind))\(maker)) at the pool of \(visible(item.customer))?",
      arguments, session.console)
    let reply = try daemon.ask(FieldCall.RemoveEquipment(team: team, pool: item.pool, equipment: item.id))
    let console = session.console
    if console.isJSON { return try console.document("equipment-remove", reply) }
    console.line("\(visible(reply.item.name)) at the pool of \(visible(reply.item.customer)) removed")
  }
}
