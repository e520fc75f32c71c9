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

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 50, in: 1...Limits.rowsPerAnswer)
    let call = OutboxCall.List(team: arguments["team"], sink: arguments["sink"], state: .dead, limit: limit)
    let reply = try session.daemon().ask(call)
    let console = session.console
    if console.isJSON { return try console.document("outbox", reply) }
    OutboxListCommand.show(reply.entries, on: console)
    console.legend(
      reply.entries.isEmpty
        ? "nothing was given up"
        : "\(Wording.count(reply.entries.count, "dead letter")); mend the cause, then `pfctl dead retry --all`")
  }
}
