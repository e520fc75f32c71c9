internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl care due`: lists care that is due soon or overdue.
enum CareDueCommand: Command {
  static let description = CommandDescription(
    "care due", "care that is overdue or due within seven days, most urgent first",
    operands: [.init("HORSE", .atMostOne)],
    options: [.init("team", "TEAM", "whose horses"), .init("all", nil, "what is due later, too")],
    details: [
      "For each horse and kind of care the newest entry with a due date counts, until care is logged on or after that "
        + "date. Entries dated after today are plans and do not count until their day."
    ],
    examples: ["pfctl care due --team willow-barn", "pfctl care due juniper --all --team willow-barn"])

  static let documents: [JSONDocument] = [.init("care-due", CareCall.Due.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = CareCall.Due(
      team: try session.team(arguments), horse: arguments.operand(0), all: arguments.has("all"))
    guard let reply = try session.ask(call, as: "care-due") else { return }
    show(reply.items, on: session.console)
    session.console.note(
      reply.items.isEmpty
        ? "nothing is due\(arguments.has("all") ? "" : " within seven days; --all has what is due later")"
        : "\(TextFormat.count(reply.items.count, "item")), \(reply.today)")
  }

  static func show(_ items: [CareDueView], on console: Console) {
    var table = Table([
      .init("DUE", isKey: true), .init("WHEN"), .init("HORSE", minWidth: 12, isKey: true), .init("CARE"),
      .init("LAST", rank: 1),
    ])
    for item in items {
      table.add([
        .init(item.due), .init(when(item.days), style(item.status)), .init(item.horse),
        .init(item.type.rawValue), .init(item.done),
      ])
    }
    console.table(table)
  }

  /// `today`, `in 3 days`, `12 days overdue`.
  static func when(_ days: Int) -> String {
    switch days {
    case 0: "today"
    case 1...: "in \(TextFormat.count(days, "day"))"
    default: "\(TextFormat.count(-days, "day")) overdue"
    }
  }

  private static func style(_ status: CareStatusView) -> Console.Style? {
    switch status {
    case .overdue: .red
    case .today, .soon: .yellow
    case .later: nil
    }
  }
}
