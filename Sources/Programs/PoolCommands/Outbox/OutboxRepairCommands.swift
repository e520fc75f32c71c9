internal import PoolControl

/// `pfctl outbox retry`: retries entries now.
enum OutboxRetryCommand: Command {
  static let description = CommandDescription(
    "outbox retry", "try again now what waits or was given up", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [EntryRepair.deadOption],
    details: [
      "What waits for its next try is due now, what was given up begins anew, and a sink that is sick is asked at once.",
      "What has expired stays given up.",
    ],
    examples: [
      "pfctl outbox retry 20260302T140000Z-morning-summary-17-f3a91c02", "pfctl outbox retry --all --sink drop",
      "pfctl outbox retry --state dead --all --since 2026-03-02T00:00:00Z",
    ])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let onlyDead = try EntryRepair.selectsOnlyDead(arguments)
    try EntryRepair.run(
      arguments, session, done: { "\(TextFormat.count($0, "entry", "entries")) will be tried now" },
      left: { "\(TextFormat.count($0, "entry has", "entries have")) expired and stay dead" },
      call: { OutboxCall.Retry(which: $0, onlyDead: onlyDead, dryRun: $1) })
  }
}

/// `pfctl outbox release`: delivers entries that are on hold since a restore.
enum OutboxReleaseCommand: Command {
  static let description = CommandDescription(
    "outbox release", "deliver what is held back after a restore", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Confirmation.option],
    details: [
      "A store that was put back from a copy holds what it believed undelivered: some of it may have arrived before, and",
      "arrives again, under the same id.",
    ],
    examples: ["pfctl outbox release --all --yes"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try EntryRepair.run(
      arguments, session, question: { "Deliver \($0) that may have arrived before the restore?" },
      done: { "\(TextFormat.count($0, "entry", "entries")) released" },
      call: { OutboxCall.Release(which: $0, dryRun: $1) })
  }
}

/// `pfctl outbox discard`: gives up undelivered entries.
enum OutboxDiscardCommand: Command {
  static let description = CommandDescription(
    "outbox discard", "give up what waits or is held: nobody will be told", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Confirmation.option],
    details: ["It is a dead letter then, with your name as the reason; `pfctl outbox retry NOTICE` takes it back."],
    examples: ["pfctl outbox discard --all --sink drop --yes"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try EntryRepair.run(
      arguments, session, question: { "Give up \($0), so that nobody is told?" },
      done: { "\(TextFormat.count($0, "entry", "entries")) discarded" },
      left: { "\(TextFormat.count($0, "entry is", "entries are")) one step from arriving and stay" },
      call: { OutboxCall.Discard(which: $0, dryRun: $1) })
  }
}
