internal import PoolControl

/// `pfctl outbox retry`: tries again now.
enum OutboxRetryCommand: Command {
  static let description = CommandDescription(
    "outbox retry", "try again now what waits or was given up", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options,
    details: [
      "What waits for its next try is due now, what was given up begins anew, and a sink that is sick is asked at once.",
      "What has expired stays given up.",
    ],
    examples: [
      "pfctl outbox retry 20260302T140000Z-morning-summary-17-f3a91c02", "pfctl outbox retry --all --sink drop",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let repair = try EntryRepair.run(arguments, session, question: nil) {
      OutboxCall.Retry(which: $0, onlyDead: false, dryRun: $1)
    }
    try RetryWords.show(repair, on: session.console)
  }
}

/// The answer of both retries.
enum RetryWords {
  static func show(_ repair: RepairView, on console: Console) throws {
    if console.isJSON { return try console.document("repair", OutboxCall.RepairReply(repair: repair)) }
    console.line("\(Wording.count(repair.entries, "entry", "entries")) will be tried now")
    if repair.left > 0 {
      console.legend("\(Wording.count(repair.left, "entry has", "entries have")) expired and stay dead")
    }
  }
}
