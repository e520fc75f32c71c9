internal import PoolControl

/// `pfctl outbox discard`: gives up what waits.
enum OutboxDiscardCommand: Command {
  static let description = CommandDescription(
    "outbox discard", "give up what waits or is held: nobody will be told", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Question.option],
    details: ["It is a dead letter then, with your name as the reason; `pfctl dead retry` takes it back."],
    examples: ["pfctl outbox discard --all --sink drop --yes"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let repair = try EntryRepair.run(
      arguments, session, question: { "Give up \($0), so that nobody is told?" },
      call: { OutboxCall.Discard(which: $0, dryRun: $1) })
    let console = session.console
    if console.isJSON { return try console.document("repair", OutboxCall.RepairReply(repair: repair)) }
    console.line("\(Wording.count(repair.entries, "entry", "entries")) discarded")
    if repair.left > 0 {
      console.legend("\(Wording.count(repair.left, "entry is", "entries are")) one step from arriving and stay")
    }
  }
}
