internal import PoolModel
internal import PoolControl

/// `pfctl inventory remove`: a chemical that is not kept any more.
enum InventoryRemoveCommand: Command {
  static let description = CommandDescription(
    "inventory remove", "remove a chemical from stock; what was dosed of it stays on record", operands: [.init("ITEM")],
    options: [.init("team", "TEAM", "whose stock", isRequired: true), Question.option],
    examples: ["pfctl inventory remove 'Pool Salt' --team desert-blue --yes"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let name = arguments.operand(0) ?? ""
    try Question.ask("Remove '\(visible(name))' from the stock of \(visible(team))?", arguments, session.console)
    let reply = try session.daemon().ask(FieldCall.RemoveStock(team: team, item: name))
    let console = session.console
    if console.isJSON { return try console.document("inventory-remove", reply) }
    console.line("\(visible(reply.item.name)) removed from stock")
  }
}
