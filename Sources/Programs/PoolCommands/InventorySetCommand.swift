internal import PoolControl

/// `pfctl inventory set`: a count, a price, a threshold.
enum InventorySetCommand: Command {
  private static let keys: [FieldOptions.Key] = [("name", "TEXT", "another name")] + InventoryAddCommand.keys

  static let description = CommandDescription(
    "inventory set", "change a chemical in stock, by id or by the beginning of its name", operands: [.init("ITEM")],
    options: [.init("team", "TEAM", "whose stock", isRequired: true)] + FieldOptions.options(keys),
    examples: ["pfctl inventory set 'Muriatic' --team desert-blue --stock 300 --threshold 128"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let changes = try FieldOptions.someChanges(arguments, keys)
    let reply = try session.daemon().ask(
      FieldCall.SetStock(team: team, item: arguments.operand(0) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("inventory-set", reply) }
    InventoryListCommand.show([reply.item], on: console)
  }
}
