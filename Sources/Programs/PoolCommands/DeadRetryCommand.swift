internal import PoolControl

/// `pfctl dead retry`: gives dead letters a new life.
enum DeadRetryCommand: Command {
  static let description = CommandDescription(
    "dead retry", "deliver dead letters after all", operands: [.init("NOTICE", .atMostOne)],
    options: EntryRepair.options,
    details: ["Each has all its attempts before it again. What has expired stays dead."],
    examples: ["pfctl dead retry --all", "pfctl dead retry --all --since 2026-03-02T00:00:00Z --sink drop"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let repair = try EntryRepair.run(arguments, session, question: nil) {
      OutboxCall.Retry(which: $0, onlyDead: true, dryRun: $1)
    }
    try RetryWords.show(repair, on: session.console)
  }
}
