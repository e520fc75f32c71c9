internal import PoolControl

/// `pfctl dead purge`: forgets dead letters.
enum DeadPurgeCommand: Command {
  static let description = CommandDescription(
    "dead purge", "forget dead letters", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Question.option],
    details: ["The runs and their notices stay in the history; that these sinks never had them is forgotten."],
    examples: ["pfctl dead purge --all --yes"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let repair = try EntryRepair.run(
      arguments, session, question: { "Forget \($0) that never arrived?" },
      call: { OutboxCall.Purge(which: $0, dryRun: $1) })
    let console = session.console
    if console.isJSON { return try console.document("repair", OutboxCall.RepairReply(repair: repair)) }
    console.line("\(Wording.count(repair.entries, "dead letter")) forgotten")
  }
}
