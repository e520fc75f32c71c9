internal import PoolControl

/// `pfctl equipment add`: a pump, filter or heater at a pool.
enum EquipmentAddCommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("type", "TEXT", "pump, filter, heater …"), ("manufacturer", "TEXT", "who made it"), ("model", "TEXT", "which one"),
    ("serial", "TEXT", "its number"), ("installed", "DATE", "when it was put in"),
    ("warranty", "DATE", "when its warranty ends, or none"), ("serviced", "DATE", "when it was last serviced"),
    ("service", "DATE", "when it is due for service, or none"), ("notes", "TEXT", "free words"),
  ]

  static let description = CommandDescription(
    "equipment add", "add equipment at a pool", operands: [.init("POOL"), .init("NAME")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true)] + FieldOptions.options(keys),
    examples: ["pfctl equipment add 'Steve Baird' 'Spa blower' --team desert-blue --type pump --service 2026-09-01"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let name = SettingChangeView(key: "name", value: arguments.operand(1) ?? "")
    let reply = try session.daemon().ask(
      FieldCall.AddEquipment(
        team: team, pool: arguments.operand(0) ?? "", changes: [name] + FieldOptions.changes(arguments, keys)))
    let console = session.console
    if console.isJSON { return try console.document("equipment-add", reply) }
    EquipmentListCommand.show([reply.item], on: console)
  }
}
