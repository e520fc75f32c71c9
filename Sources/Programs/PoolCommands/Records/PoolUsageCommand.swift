internal import PoolControl

/// `pfctl pool usage`: what a pool's water has cost.
enum PoolUsageCommand: Command {
  static let description = CommandDescription(
    "pool usage", "what a pool's chemicals have cost, visit by visit", operands: [.init("POOL")],
    options: [.init("team", "TEAM", "whose pool")],
    examples: ["pfctl pool usage 'Steve Baird' --team desert-blue"])

  static let documents: [JSONDocument] = [.init("pool-usage", WaterCall.Usage.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let reply = try session.daemon().ask(WaterCall.Usage(team: team, pool: arguments.operand(0) ?? ""))
    let console = session.console
    if console.isJSON { return try console.document("pool-usage", reply) }
    let usage = reply.usage
    Details.show(
      [
        ("customer", usage.customer), ("spent", usage.spentText),
        ("visits", Wording.grouped(usage.visits)), ("a visit", usage.averageText),
      ], on: console)
    if !usage.top.isEmpty {
      console.line()
      var table = Table([.init("CHEMICAL", least: 16, isKey: true), .init("POURED"), .init("COST", isNumber: true)])
      for use in usage.top {
        table.add([.init(use.chemical), .init(use.text), .init(use.costText)])
      }
      console.table(table)
    }
    guard !usage.costs.isEmpty else { return }
    console.line()
    var table = Table([.init("VISIT"), .init("COST", isNumber: true)])
    for visit in usage.costs { table.add([.init(visit.local), .init(visit.costText)]) }
    console.table(table)
  }
}
