internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl outbox remove`: deletes one notice's dead letters.
enum OutboxRemoveCommand: Command {
  static let description = CommandDescription(
    "outbox remove", "remove the dead letters of a notice", operands: [.init("NOTICE")],
    options: [EntryRepair.sinkOption, Confirmation.option], details: [DeadLetters.details],
    examples: ["pfctl outbox remove 20260302T140000Z-morning-summary-17-f3a91c02 --yes"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let which = EntrySelectionView(
      noticeId: arguments.operand(0), sink: arguments["sink"], team: nil, since: nil)
    try DeadLetters.forget(which, arguments, session)
  }
}

/// `pfctl outbox prune`: deletes dead letters.
enum OutboxPruneCommand: Command {
  static let description = CommandDescription(
    "outbox prune", "remove dead letters: all, or those that the options select",
    options: [EntryRepair.deadOption] + EntryRepair.options + [Confirmation.option],
    details: [
      DeadLetters.details,
      "Entries that wait or are on hold are not dead letters: `pfctl outbox discard` gives them up.",
    ],
    examples: ["pfctl outbox prune --state dead --yes", "pfctl outbox prune --sink drop --yes"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    _ = try EntryRepair.selectsOnlyDead(arguments)
    let which = EntrySelectionView(
      noticeId: nil, sink: arguments["sink"], team: arguments["team"], since: arguments["since"])
    try DeadLetters.forget(which, arguments, session)
  }
}

/// Shared by `outbox remove` and `outbox prune`.
private enum DeadLetters {
  static let details =
    "The runs and their notices stay in the history; the record that these sinks never got them is removed."

  static func forget(_ which: EntrySelectionView, _ arguments: Arguments, _ session: Session) throws {
    try EntryRepair.run(
      arguments, session, selected: which, question: { "Forget \($0) that never arrived?" },
      done: { $0 == 0 ? "nothing of it is dead" : "\(TextFormat.count($0, "dead letter")) forgotten" },
      call: { OutboxCall.Purge(which: $0, dryRun: $1) })
  }
}
