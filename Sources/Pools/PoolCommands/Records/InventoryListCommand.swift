internal import PoolControl
internal import FlowCommandKit
internal import FlowControl

/// `pfctl inventory list`: lists the chemicals in stock.
enum InventoryListCommand: Command {
  static let description = CommandDescription(
    "inventory list", "the chemicals a team has in stock",
    options: [.init("team", "TEAM", "whose stock")],
    examples: ["pfctl inventory list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("inventory", FieldCall.ListStock.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    guard let reply = try session.ask(FieldCall.ListStock(team: team), as: "inventory") else { return }
    show(reply.items, on: session.console)
    session.console.note(TextFormat.count(reply.items.count, "item"))
  }

  static func show(_ items: [StockItemView], on console: Console) {
    var table = Table([
      .init("CHEMICAL", minWidth: 16, isKey: true), .init("TYPE"), .init("STOCK", isNumber: true),
      .init("LOW AT", isNumber: true, rank: 1), .init("LOW"), .init("COST", isNumber: true, rank: 3),
      .init("TRUCK", rank: 4, isKey: true), .init("ID", isKey: true),
    ])
    let ids = ShownIDs(records: items.map(\.id))
    for item in items {
      table.add([
        .init(item.name), .init(item.type), .init(item.stockText), .init(item.thresholdText),
        .init(item.low ? "low" : "-", item.low ? .yellow : nil),
        .init(item.costText), .init(item.technician ?? "-"), .init(ids[item.id]),
      ])
    }
    console.table(table)
  }
}
