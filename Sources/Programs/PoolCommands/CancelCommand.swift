internal import PoolModel
internal import PoolControl

/// `pfctl cancel`: ends a run that is under way or waits for another attempt.
enum CancelCommand: Command {
  static let description = CommandDescription(
    "cancel", "end a run that is under way or waits for another attempt", operands: [.init("RUN")], options: [],
    examples: ["pfctl cancel 20260302T140000Z-morning-summary-1"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let run = try session.runningDaemon().ask(SchedulerCall.Cancel(run: arguments.operand(0) ?? "")).run
    let console = session.console
    if console.isJSON { return try console.document("cancel", SchedulerCall.Cancel.Reply(run: run)) }
    let state =
      run.outcome == .running ? "told to stop; `pfctl why \(visible(run.id))` shows its end" : visible(run.detail)
    console.line("\(visible(run.job))\(run.team.map { " for \(visible($0))" } ?? ""): \(state)")
  }
}
