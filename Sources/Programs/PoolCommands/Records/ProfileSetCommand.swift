internal import PoolControl
internal import PoolModel

/// `pfctl profile set`: the people at a pool.
enum ProfileSetCommand: Command {
  private static let keys: [FieldOptions.Key] = [
    ("contact", "TEXT", "whom to ask for"), ("phone", "TEXT", "told only with --reveal"),
    ("email", "TEXT", "told only with --reveal"), ("gate", "TEXT", "how the gate opens; told only with --reveal"),
    ("arrival", "TEXT", "when a visit is welcome"),
    ("tags", "TEXT", "separated by commas; tech:NAME names the pool's technician"),
  ]

  static let description = CommandDescription(
    "profile set", "change what is known about the people at a pool", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool", isRequired: true)] + FieldOptions.options(keys),
    details: ["What is written here never reaches a log, and the audit book only by its name."],
    examples: ["pfctl profile set 'Steve Baird' --team desert-blue --arrival 'after 9' --tags tech:dan,vip"])

  static let documents: [JSONDocument] = [.init("profile-set", FieldCall.SetProfile.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try arguments.required("team", such: "desert-blue")
    let changes = try FieldOptions.someChanges(arguments, keys)
    let reply = try session.daemon().ask(
      FieldCall.SetProfile(team: team, pool: arguments.operand(0) ?? "", changes: changes))
    let console = session.console
    if console.isJSON { return try console.document("profile-set", reply) }
    console.line("profile of \(visible(reply.customer)): \(changes.map(\.key).joined(separator: ", ")) set")
  }
}
