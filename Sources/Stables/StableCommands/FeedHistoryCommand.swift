internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl feed history`: shows fed and missed meals of past days.
enum FeedHistoryCommand: Command {
  static let description = CommandDescription(
    "feed history", "fed and missed slots of past days, newest first",
    operands: [.init("HORSE", .atMostOne)],
    options: [
      .init("team", "TEAM", "whose horses"), .init("missed", nil, "only rows with a missed slot"),
      .init("since", "TIME", "only days from then on, such as 2w or 2026-03-02"),
      .init("until", "TIME", "only days up to then"), .init("limit", "N", "how many rows; default: 200"),
    ],
    details: ["A removed horse keeps its rows, under its former name."],
    examples: [
      "pfctl feed history --team willow-barn --missed --since 2w", "pfctl feed history juniper --team willow-barn",
    ])

  static let documents: [JSONDocument] = [.init("feed-history", FeedCall.History.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 200, in: 1...Limits.rowsPerAnswer)
    let call = FeedCall.History(
      team: try session.team(arguments), horse: arguments.operand(0), since: arguments["since"],
      until: arguments["until"], missed: arguments.has("missed"), limit: limit)
    guard let reply = try session.ask(call, as: "feed-history") else { return }
    var table = Table([
      .init("DATE", isKey: true), .init("HORSE", minWidth: 12, isKey: true), .init("AM"), .init("PM"),
    ])
    for row in reply.days {
      table.add([.init(row.date), .init(row.horse), cell(row.am), cell(row.pm)])
    }
    session.console.table(table)
    session.console.note(TextFormat.count(reply.days.count, "row"))
  }

  private static func cell(_ result: String) -> Table.Cell {
    switch result {
    case "missed": .init("missed", .red)
    case "no-schedule": .init("-")
    default: .init(result)
    }
  }
}
