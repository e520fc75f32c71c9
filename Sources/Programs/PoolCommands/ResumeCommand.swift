internal import PoolModel
internal import PoolControl

/// `pfctl resume`: ends a pause or a skip.
enum ResumeCommand: Command {
  static let description = CommandDescription(
    "resume", "end the pause or skip of a job, or the pause of a team", operands: [.init("JOB", .atMostOne)],
    options: [.init("team", "TEAM", "whose jobs; a job of the server has no team")],
    examples: [
      "pfctl resume low-stock --team desert-blue", "pfctl resume --team desert-blue", "pfctl resume backup",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = arguments["team"]
    let reply = try session.runningDaemon().ask(SchedulerCall.Resume(job: arguments.operand(0), team: team))
    let console = session.console
    if console.isJSON { return try console.document("resume", reply) }
    let subject = arguments.operand(0).map { visible($0) } ?? "the team as a whole"
    let owner = team.map { " for \(visible($0))" } ?? ""
    console.line(reply.ended == 0 ? "\(subject) was not held\(owner)" : "\(subject)\(owner): resumed")
    if reply.ended == 0 { console.legend("`pfctl list\(team.map { " --team \(visible($0))" } ?? "")` shows what is") }
  }
}
