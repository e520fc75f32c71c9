internal import PoolModel
internal import PoolControl

/// `pfctl equipment remove`: what is not there any more.
enum EquipmentRemoveCommand: Command {
  static let description = CommandDescription(
    "equipment remove", "remove equipment from a pool", operands: [.init("POOL"), .init("EQUIPMENT")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true), Question.option],
    examples: ["pfctl equipment remove 'Steve Baird' 'Spa blower' --team desert-blue --yes"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let (pool, name) = (arguments.operand(0) ?? "", arguments.operand(1) ?? "")
    try Question.ask("Remove '\(visible(name))' at the pool of \(visible(pool))?", arguments, session.console)
    let reply = try session.daemon().ask(FieldCall.RemoveEquipment(team: team, pool: pool, equipment: name))
    let console = session.console
    if console.isJSON { return try console.document("equipment-remove", reply) }
    console.line("\(visible(reply.item.name)) at the pool of \(visible(reply.item.customer)) removed")
  }
}
