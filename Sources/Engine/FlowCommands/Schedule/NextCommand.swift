internal import FlowCommandKit
internal import FlowControl

/// `pfctl next`: lists the coming slots and how clock changes affect them.
enum NextCommand: Command {
  static let description = CommandDescription(
    "next", "the coming runs, with the effects of clock changes", operands: [.init("JOB", .atMostOne)],
    options: [CommandDescription.teamOption, .init("limit", "N", "how many, 10 without it")],
    examples: ["pfctl next", "pfctl next morning-summary --team desert-blue --limit 4"])

  static let documents: [JSONDocument] = [.init("next", SchedulerCall.Next.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let count = try arguments.integer("limit", standard: 10, in: 1...1_000)
    let call = SchedulerCall.Next(job: arguments.operand(0), team: arguments["team"], count: count)
    guard let reply = try session.ask(call, as: "next") else { return }
    let console = session.console
    var table = Table([
      .init("NEXT", minWidth: 14, isKey: true), .init("UTC", rank: 4), .init("LEFT", rank: 3),
      .init("JOB", isKey: true),
      .init("TEAM", isKey: true),
      .init("NOTE", minWidth: 12, rank: 1),
    ])
    for slot in reply.occurrences {
      let left = TextFormat.secondsUntil(slot.at).map { $0 > 0 ? TextFormat.duration(seconds: $0) : "now" }
      table.add([
        .init(slot.local), .init(slot.at), .init(left ?? "-"), .init(slot.job), .init(slot.team ?? "-"),
        .init(slot.note ?? "", .yellow),
      ])
    }
    console.table(table)
    if reply.occurrences.isEmpty { console.note("nothing is planned") }
  }
}
