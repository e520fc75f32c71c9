internal import FlowCommandKit
internal import FlowControl

/// `pfctl outbox retry`: retries entries now.
enum OutboxRetryCommand: Command {
  static let description = CommandDescription(
    "outbox retry", "try waiting and dead entries again, now", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [EntryRepair.deadOption],
    details: [
      "Waiting entries and an unhealthy sink are tried at once. Dead entries are tried again with a new count of tries.",
      "Expired entries stay dead.",
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
    "outbox release", "deliver notices that are on hold after a restore", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Confirmation.option],
    details: [
      "After a restore, notices that the backup lists as undelivered are on hold: some may have arrived before, and then",
      "arrive again, with the same id.",
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
    "outbox discard", "give up entries that wait or are on hold: they are never delivered",
    operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Confirmation.option],
    details: [
      "The entry becomes a dead letter with your user name as the reason; `pfctl outbox retry NOTICE` tries it again."
    ],
    examples: ["pfctl outbox discard --all --sink drop --yes"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try EntryRepair.run(
      arguments, session, question: { "Give up \($0), so that it is never delivered?" },
      done: { "\(TextFormat.count($0, "entry", "entries")) discarded" },
      left: { "\(TextFormat.count($0, "entry is", "entries are")) about to be delivered and cannot be discarded" },
      call: { OutboxCall.Discard(which: $0, dryRun: $1) })
  }
}
