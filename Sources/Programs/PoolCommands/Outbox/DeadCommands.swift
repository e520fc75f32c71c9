internal import PoolControl
internal import PoolModel

/// `pfctl dead list`: what was given up, and why.
enum DeadListCommand: Command {
  static let description = CommandDescription(
    "dead list", "dead letters: what was given up, and why",
    options: [
      CommandDescription.teamOption, .init("sink", "SINK", "only this sink"),
      .init("limit", "N", "how many, 50 without it"),
    ],
    examples: ["pfctl dead list", "pfctl dead list --sink drop --json"])

  static let documents: [JSONDocument] = [.init("outbox", OutboxCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 50, in: 1...Limits.rowsPerAnswer)
    let call = OutboxCall.List(team: arguments["team"], sink: arguments["sink"], state: .dead, limit: limit)
    guard let reply = try session.ask(call, as: "outbox") else { return }
    let console = session.console
    OutboxListCommand.show(reply.entries, on: console)
    console.legend(
      reply.entries.isEmpty
        ? "nothing was given up"
        : "\(Wording.count(reply.entries.count, "dead letter")); mend the cause, then `pfctl dead retry --all`")
  }
}

/// `pfctl dead retry`: gives dead letters a new life.
enum DeadRetryCommand: Command {
  static let description = CommandDescription(
    "dead retry", "deliver dead letters after all", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options,
    details: ["Each has all its attempts before it again. What has expired stays dead."],
    examples: ["pfctl dead retry --all", "pfctl dead retry --all --since 2026-03-02T00:00:00Z --sink drop"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try EntryRepair.retry(arguments, session, onlyDead: true)
  }
}

/// `pfctl dead purge`: forgets dead letters.
enum DeadPurgeCommand: Command {
  static let description = CommandDescription(
    "dead purge", "forget dead letters", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options + [Question.option],
    details: ["The runs and their notices stay in the history; that these sinks never had them is forgotten."],
    examples: ["pfctl dead purge --all --yes"])

  static let documents: [JSONDocument] = [.init("repair", OutboxCall.RepairReply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    try EntryRepair.run(
      arguments, session, question: { "Forget \($0) that never arrived?" },
      done: { "\(Wording.count($0, "dead letter")) forgotten" }, call: { OutboxCall.Purge(which: $0, dryRun: $1) })
  }
}
