internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl run`: runs one job now.
enum RunCommand: Command {
  static let description = CommandDescription(
    "run", "run a job now; its schedule does not change", operands: [.init("JOB")],
    options: [
      .init("team", "TEAM", "the team of the job; jobs of the server have none"),
      .init("at", "TIME", "run as if for this day: 2026-03-02, or '2026-03-02 07:00' in the team's zone"),
      .init("wait", nil, "wait for the result and show every attempt"),
    ],
    examples: [
      "pfctl run morning-summary --team desert-blue",
      "pfctl run morning-summary --team desert-blue --at 2026-03-02", "pfctl run lsi-refresh --wait",
    ])

  static let documents: [JSONDocument] = [.init("run", SchedulerCall.Run.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let waits = arguments.has("wait")
    let call = SchedulerCall.Run(
      job: arguments.operand(0) ?? "", team: try session.team(ofJob: arguments.operand(0), arguments),
      asOf: arguments["at"], wait: waits ? true : nil)
    let console = session.console
    let run =
      waits
      ? try follow(call, session) : try session.runningDaemon().ask(call, deadline: Limits.longCallDeadline).run
    if console.isJSON {
      try console.document("run", SchedulerCall.Run.Reply(run: run))
    } else {
      let team = run.team.map { " for \(visible($0))" } ?? ""
      let detail = run.detail.isEmpty ? "" : ", \(visible(run.detail))"
      console.line("\(visible(run.job))\(team): \(run.outcome.rawValue)\(detail)")
      if run.outcome == .running {
        console.note("`pfctl why \(visible(ShownIDs(runs: [run.id])[run.id]))` shows its result")
      }
      if let notice = run.noticeId {
        console.note("`pfctl outbox show \(visible(ShownIDs(notices: [notice])[notice]))` shows its delivery")
      }
    }
    if run.outcome == .failed {
      throw CommandFailure(
        name: "run-failed", message: "the run failed: \(run.detail); `pfctl history --failed` shows it again",
        exitCode: ExitCode.internalFault)
    }
  }

  /// The finished run; intermediate states are printed to standard error.
  private static func follow(_ call: SchedulerCall.Run, _ session: Session) throws -> RunView {
    var last: RunView?
    try session.runningDaemon().stream(call, deadline: Limits.followDeadline) { reply in
      let run = reply.run
      last = run
      guard isUnfinished(run), !session.console.isQuiet else { return }
      let next = run.nextTryAt.map { ", trying again at \(visible($0))" } ?? ""
      let detail = run.detail.isEmpty ? "" : ", \(visible(run.detail))"
      session.console.words("attempt \(run.attempts): \(run.outcome.rawValue)\(detail)\(next)")
    }
    guard let last, !isUnfinished(last) else {
      throw CommandFailure(
        name: "run-unfinished",
        message: "the daemon stopped before the run had a result; the run continues when the daemon is back",
        exitCode: ExitCode.tryAgain)
    }
    return last
  }

  private static func isUnfinished(_ run: RunView) -> Bool { run.outcome == .running || run.outcome == .waiting }
}

/// `pfctl cancel`: ends a run that is active or waits for another attempt.
enum CancelCommand: Command {
  static let description = CommandDescription(
    "cancel", "cancel a run that is active or waits for another attempt", operands: [.init("RUN")], options: [],
    details: TextFormat.recordNames, examples: ["pfctl cancel 20260302T140000Z-morning-summary-1"])

  static let documents: [JSONDocument] = [.init("cancel", SchedulerCall.Cancel.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let run = try session.runningDaemon().ask(SchedulerCall.Cancel(run: arguments.operand(0) ?? "")).run
    let console = session.console
    if console.isJSON { return try console.document("cancel", SchedulerCall.Cancel.Reply(run: run)) }
    let state =
      run.outcome == .running
      ? "asked to stop; `pfctl why \(visible(ShownIDs(runs: [run.id])[run.id]))` shows its result" : visible(run.detail)
    console.line("\(visible(run.job))\(run.team.map { " for \(visible($0))" } ?? ""): \(state)")
  }
}
