internal import PoolModel
internal import PoolControl

/// `pfctl pool set`: values of a pool, all or none.
enum PoolSetCommand: Command {
  static let keys: [FieldOptions.Key] =
    [("customer", "TEXT", "the customer's name"), ("address", "TEXT", "where it is")] + PoolAddCommand.keys

  static let description = CommandDescription(
    "pool set", "change a pool, all or nothing", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true)] + FieldOptions.options(keys),
    examples: ["pfctl pool set 'Nora Quill' --team desert-blue --volume 17500 --fee 160"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let changes = try FieldOptions.someChanges(arguments, keys)
    let reply = try session.daemon().ask(
      FieldCall.SetPool(team: team, pool: arguments.operand(0) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("pool-set", reply) }
    console.line("pool of \(visible(reply.customer)): \(changes.map(\.key).joined(separator: ", ")) set")
  }
}
