internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl history`: lists runs, skipped slots and their reasons.
enum HistoryCommand: Command {
  static let description = CommandDescription(
    "history", "what ran, what did not run, and why; newest first", operands: [.init("JOB|RUN", .atMostOne)],
    options: [
      CommandDescription.teamOption, .init("limit", "N", "how many, 50 without it"),
      .init("failed", nil, "only failed and missed runs"),
      .init("since", "TIME", "only slots from then on, such as 2w or 2026-03-02"),
    ],
    details: TextFormat.recordNames,
    examples: [
      "pfctl history --failed", "pfctl history morning-summary --team desert-blue --limit 7", "pfctl history latest",
    ])

  static let documents: [JSONDocument] = [.init("history", SchedulerCall.History.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 50, in: 1...Limits.rowsPerAnswer)
    let call = SchedulerCall.History(
      job: arguments.operand(0), team: arguments["team"], limit: limit, failed: arguments.has("failed"),
      since: arguments["since"])
    guard let reply = try session.ask(call, as: "history") else { return }
    let console = session.console
    var table = Table([
      .init("SLOT", minWidth: 14, isKey: true), .init("JOB", minWidth: 10, isKey: true),
      .init("TEAM", minWidth: 8, isKey: true), .init("RESULT"), .init("LATE", rank: 4),
      .init("BY", rank: 5), .init("RUN", rank: 1, isKey: true), .init("WHY", minWidth: 12, rank: 2),
    ])
    let ids = ShownIDs(runs: reply.runs.map(\.id))
    for run in reply.runs {
      let late = run.lateS >= 1 && run.outcome != .missed ? TextFormat.duration(seconds: run.lateS) : "-"
      table.add([
        .init(run.slotLocal), .init(run.job), .init(run.team ?? "-"), .init(run.outcome.rawValue, run.outcome.style),
        .init(late), .init(run.trigger == .manual ? "hand" : "rule"), .init(ids[run.id]),
        .init(run.detail + personalNotices(run) + deliverySummary(run)),
      ])
    }
    console.table(table)
    console.note(reply.runs.isEmpty ? "no runs" : TextFormat.count(reply.runs.count, "run"))
  }

  /// The number of additional notices to single technicians.
  private static func personalNotices(_ run: RunView) -> String {
    run.ownNoticeIds.map { "; \(TextFormat.count($0.count, "notice")) of technicians' own" } ?? ""
  }

  /// The delivery outcomes reported by the sinks' receipts.
  private static func deliverySummary(_ run: RunView) -> String {
    let words = DeliveryText.summary(run.deliveries)
    return words.isEmpty ? "" : "; \(words)"
  }
}
