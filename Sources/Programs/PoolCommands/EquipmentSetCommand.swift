internal import PoolControl

/// `pfctl equipment set`: dates and names of equipment.
enum EquipmentSetCommand: Command {
  private static let keys: [FieldOptions.Key] = [("name", "TEXT", "another name")] + EquipmentAddCommand.keys

  static let description = CommandDescription(
    "equipment set", "change equipment, by id or by the beginning of its name",
    operands: [.init("POOL"), .init("EQUIPMENT")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true)] + FieldOptions.options(keys),
    examples: ["pfctl equipment set 'Steve Baird' 'Spa blower' --team desert-blue --service 2027-03-01"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let changes = try FieldOptions.someChanges(arguments, keys)
    let reply = try session.daemon().ask(
      FieldCall.SetEquipment(
        team: team, pool: arguments.operand(0) ?? "", equipment: arguments.operand(1) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("equipment-set", reply) }
    EquipmentListCommand.show([reply.item], on: console)
  }
}
