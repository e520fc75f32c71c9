internal import PoolControl

/// `pfctl outbox release`: lets go what a restore kept back.
enum OutboxReleaseCommand: Command {
  static let description = CommandDescription(
    "outbox release", "deliver what is held back after a restore", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Question.option],
    details: [
      "A store that was put back from a copy holds what it believed undelivered: some of it may have arrived before, and",
      "arrives again, under the same id.",
    ],
    examples: ["pfctl outbox release --all --yes"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let repair = try EntryRepair.run(
      arguments, session, question: { "Deliver \($0) that may have arrived before the restore?" },
      call: { OutboxCall.Release(which: $0, dryRun: $1) })
    let console = session.console
    if console.isJSON { return try console.document("repair", OutboxCall.RepairReply(repair: repair)) }
    console.line("\(Wording.count(repair.entries, "entry", "entries")) released")
  }
}
