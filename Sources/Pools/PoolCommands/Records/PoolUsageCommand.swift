internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl pool usage`: the chemical costs of a pool.
enum PoolUsageCommand: Command {
  static let description = CommandDescription(
    "pool usage", "show the cost of a pool's chemicals, visit by visit", operands: [.init("POOL")],
    options: [
      .init("team", "TEAM", "whose pool"), .init("limit", "N", "only this number of newest visits; default: all"),
    ],
    details: ["The sums are of all visits, also with --limit."],
    examples: [
      "pfctl pool usage 'Steve Baird' --team desert-blue",
      "pfctl pool usage 'Steve Baird' --team desert-blue --limit 5",
    ])

  static let documents: [JSONDocument] = [.init("pool-usage", WaterCall.Usage.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let limit =
      arguments.has("limit") ? try arguments.integer("limit", standard: 1, in: 1...Limits.rowsPerAnswer) : nil
    let call = WaterCall.Usage(team: team, pool: arguments.operand(0) ?? "", limit: limit)
    guard let reply = try session.ask(call, as: "pool-usage") else { return }
    let (usage, console) = (reply.usage, session.console)
    DetailList.show(
      [
        ("customer", usage.customer), ("spent", usage.spentText),
        ("visits", TextFormat.grouped(usage.visits)), ("a visit", usage.averageText),
      ], on: console)
    showChemicals(usage, on: console)
    showVisits(usage, on: console)
  }

  private static func showChemicals(_ usage: UsageView, on console: Console) {
    guard !usage.top.isEmpty else { return }
    console.line()
    var table = Table([.init("CHEMICAL", minWidth: 16, isKey: true), .init("ADDED"), .init("COST", isNumber: true)])
    for use in usage.top { table.add([.init(use.chemical), .init(use.text), .init(use.costText)]) }
    console.table(table)
    if let further = usage.furtherChemicals, further > 0 {
      console.note("\(TextFormat.count(further, "chemical")) that cost less are shown only at the visits")
    }
  }

  private static func showVisits(_ usage: UsageView, on console: Console) {
    guard !usage.costs.isEmpty else { return }
    console.line()
    var table = Table([
      .init("VISIT", minWidth: 14, isKey: true), .init("CHEMICALS", minWidth: 16, isKey: true),
      .init("COST", isNumber: true),
    ])
    for visit in usage.costs {
      let chemicals = (visit.chemicals ?? []).map { "\($0.chemical) \($0.text) \($0.costText)" }
      table.add([
        .init(visit.local), .init(chemicals.isEmpty ? "-" : chemicals.joined(separator: ", ")), .init(visit.costText),
      ])
    }
    console.table(table)
    let (shown, left) = (TextFormat.count(usage.costs.count, "visit"), usage.visits - usage.costs.count)
    guard left > 0 else { return console.note(shown) }
    console.words("\(shown); \(TextFormat.count(left, "older visit")) not shown; without --limit all are shown")
  }
}
