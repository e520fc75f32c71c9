internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl profit`: shows what each pool earns after chemical costs.
enum ProfitCommand: Command {
  private static let orders: [(word: String, order: ProfitOrderView)] = [
    ("losers", .moneyLosersFirst), ("margin", .worstMarginFirst), ("spend", .highestChemSpend), ("name", .alphabetical),
  ]

  static let description = CommandDescription(
    "profit", "compare each pool's monthly fee with its chemicals in a period",
    options: [
      CommandDescription.team("whose pools"),
      .init("days", "N", "the period: 30 (default), 60 or 90 days"),
      .init(
        "sort", "losers|margin|spend|name", "what comes first; default: losers, with chemicals above 30 % of the fee"),
      .init("losers", nil, "only pools whose chemicals are above 30 % of the fee"),
    ],
    details: [
      "The fee is always that of one month, also for longer periods; profit is one month's fee minus the period's "
        + "chemicals. Pools whose chemicals cost more than 30 % of the fee are marked; a pool in the red cost more than "
        + "the fee."
    ],
    examples: ["pfctl profit --team desert-blue --days 60 --sort spend", "pfctl profit --team desert-blue --losers"])

  static let documents: [JSONDocument] = [.init("profit", WaterCall.Profit.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let days = try arguments.integer("days", standard: 30, among: [30, 60, 90])
    let word = arguments["sort"] ?? "losers"
    guard let order = orders.first(where: { $0.word == word })?.order else {
      throw CommandFailure.usage("--sort is losers, margin, spend or name, not '\(visible(word))'")
    }
    let reply = try session.daemon().ask(
      WaterCall.Profit(
        team: try session.team(arguments), days: days, sort: order, losers: arguments.has("losers")))
    let console = session.console
    if console.isJSON { return try console.document("profit", reply) }
    let report = reply.report
    var table = Table([
      .init("CUSTOMER", minWidth: 16, isKey: true), .init("FEE/MONTH", isNumber: true),
      .init("CHEMICALS/\(days) DAYS", isNumber: true),
      .init("PROFIT", isNumber: true), .init("MARGIN", isNumber: true, rank: 1), .init("NOTE", rank: 2),
      .init("ID", isKey: true),
    ])
    let ids = ShownIDs(records: report.pools.map(\.id))
    for pool in report.pools {
      table.add([
        .init(pool.customer), .init(pool.feeText), .init(pool.chemicalsText),
        .init(pool.profitText, pool.red ? .red : nil),
        .init(pool.fee > 0 ? TextFormat.decimal(pool.margin * 100, places: 0) + " %" : "-"),
        .init(pool.red ? "in the red" : pool.loser ? "chemicals above 30 %" : "", .yellow), .init(ids[pool.id]),
      ])
    }
    console.table(table)
    console.note(
      "one month's fees \(report.revenueText) minus the chemicals of \(report.days) days \(report.chemicalsText): profit "
        + "\(report.profitText); \(TextFormat.count(report.losers, "pool")) with chemicals above 30 % of the fee")
  }
}
