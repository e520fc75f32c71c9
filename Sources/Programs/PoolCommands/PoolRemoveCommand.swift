internal import PoolModel
internal import PoolControl

/// `pfctl pool remove`: a customer who has left.
enum PoolRemoveCommand: Command {
  static let description = CommandDescription(
    "pool remove", "remove a pool with its visits, equipment and profile", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true), Question.option],
    examples: ["pfctl pool remove 'Nora Quill' --team desert-blue --yes"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let name = arguments.operand(0) ?? ""
    let details = try session.daemon().ask(PoolsCall.Show(team: team, pool: name, reveal: false)).details
    try Question.ask(
      "Remove the pool of \(visible(details.pool.customer)) with \(Wording.count(details.visits, "visit"))?", arguments,
      session.console)
    let reply = try session.daemon().ask(FieldCall.RemovePool(team: team, pool: details.pool.id))
    let console = session.console
    if console.isJSON { return try console.document("pool-remove", reply) }
    console.line(
      "pool of \(visible(reply.customer)) removed with \(Wording.count(reply.visits, "visit")) and "
        + "\(reply.equipment) of equipment")
  }
}
