internal import PoolControl
internal import PoolModel

/// `pfctl skip`: the next runs of a job do not take place.
enum SkipCommand: Command {
  static let description = CommandDescription(
    "skip", "skip the next runs of a job; it returns by itself", operands: [.init("JOB")],
    options: [
      .init("team", "TEAM", "whose job; a job of the server has no team"),
      .init("count", "N", "how many runs, 1 without it"),
    ], examples: ["pfctl skip morning-summary --team desert-blue --count 2", "pfctl skip backup"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = SchedulerCall.Skip(
      job: arguments.operand(0) ?? "", team: arguments["team"],
      count: try arguments.integer("count", standard: 1, in: 1...Limits.skipsAtOnce))
    let reply = try session.runningDaemon().ask(call)
    let console = session.console
    if console.isJSON { return try console.document("skip", reply) }
    console.line("\(PauseCommand.subject(reply.hold)): \(PauseCommand.words(reply.hold))")
    if let next = reply.next { console.legend("it runs again \(visible(next.local))") }
  }
}
