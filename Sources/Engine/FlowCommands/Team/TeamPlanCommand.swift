internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl team plan`: sets a team's plan.
enum TeamPlanCommand: Command {
  static let description = CommandDescription(
    "team plan", "set a team's plan: free, trial or paid", operands: [.init("TEAM"), .init("PLAN")],
    options: [.init("until", "TIME", "when a trial ends, such as +14d or 2026-12-01; default: after 7 days")],
    examples: ["pfctl team plan desert-blue trial --until 2026-12-01T00:00:00Z", "pfctl team plan desert-blue paid"])

  static let documents: [JSONDocument] = [.init("team-plan", TeamsCall.Plan.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let word = arguments.operand(1) ?? ""
    guard let plan = PlanView(rawValue: word) else {
      let hint =
        Suggestion.nearest(to: word, among: PlanView.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
      throw CommandFailure.usage("the plan must be free, trial or paid, not '\(visible(word))'\(hint)")
    }
    if arguments["until"] != nil, plan != .trial {
      throw CommandFailure.usage("--until is only for a trial; the plan \(plan) has no end")
    }
    let call = TeamsCall.Plan(name: arguments.operand(0) ?? "", plan: plan, until: arguments["until"])
    guard let reply = try session.tell(call, as: "team-plan") else { return }
    let console = session.console
    console.line("team \(visible(reply.team.name)): \(visible(TeamRows.plan(of: reply.team)))")
    TeamSetCommand.showPlanned(reply.replanned, on: console)
  }
}
