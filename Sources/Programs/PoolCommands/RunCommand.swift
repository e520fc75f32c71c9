internal import PoolControl
internal import PoolModel

/// `pfctl run`: one job now.
enum RunCommand: Command {
  static let description = CommandDescription(
    "run", "run a job now; its schedule does not move", operands: [.init("JOB")],
    options: [
      .init("team", "TEAM", "the team whose job it is"),
      .init("as-of", "DATE", "the day it is about: 2026-03-02, or '2026-03-02 07:00' in the team's zone"),
    ],
    examples: [
      "pfctl run morning-summary --team desert-blue",
      "pfctl run morning-summary --team desert-blue --as-of 2026-03-02",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = SchedulerCall.Run(job: arguments.operand(0) ?? "", team: arguments["team"], asOf: arguments["as-of"])
    let run = try session.runningDaemon().ask(call, deadline: Limits.longCallDeadline).run
    let console = session.console
    if console.isJSON {
      try console.document("run", SchedulerCall.Run.Reply(run: run))
    } else {
      let team = run.team.map { " for \(visible($0))" } ?? ""
      console.line("\(visible(run.job))\(team): \(run.outcome.rawValue), \(visible(run.detail))")
      if let notice = run.noticeId { console.legend("`pfctl outbox show \(visible(notice))` shows where it went") }
    }
    if run.outcome == .failed {
      throw CommandFailure(
        name: "run-failed", message: "the run failed: \(run.detail); `pfctl history --failed` shows it again",
        exitCode: ExitCode.internalFault)
    }
  }
}
