internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolModel

/// `pfctl equipment list`: lists pumps, filters and heaters.
enum EquipmentListCommand: Command {
  static let description = CommandDescription(
    "equipment list", "list the equipment of a team or of one pool", operands: [.init("POOL", .atMostOne)],
    options: [.init("team", "TEAM", "whose pools")],
    examples: ["pfctl equipment list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("equipment", FieldCall.ListEquipment.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let reply = try session.daemon().ask(FieldCall.ListEquipment(team: team, pool: arguments.operand(0)))
    if session.console.isJSON { return try session.console.document("equipment", reply) }
    show(reply.items, on: session.console)
    session.console.note(TextFormat.count(reply.items.count, "piece"))
  }

  static func show(_ items: [EquipmentItemView], on console: Console) {
    var table = Table([
      .init("CUSTOMER", minWidth: 16, isKey: true), .init("EQUIPMENT", minWidth: 16, isKey: true),
      .init("TYPE", rank: 2),
      .init("MAKER", rank: 4),
      .init("MODEL", rank: 5), .init("WARRANTY", rank: 3), .init("SERVICE", rank: 1), .init("ID", isKey: true),
    ])
    let ids = ShownIDs(records: items.map(\.id))
    for item in items {
      table.add([
        .init(item.customer), .init(item.name), .init(EquipmentType.shown(item.kind)), .init(item.manufacturer),
        .init(item.model),
        .init(item.warranty.map { item.expired ? "\($0) over" : $0 } ?? "-"),
        .init(service(of: item), item.overdue ? .yellow : nil),
        .init(ids[item.id]),
      ])
    }
    console.table(table)
  }

  private static func service(of item: EquipmentItemView) -> String {
    guard let date = item.service else { return item.every.map { "every \($0)" } ?? "-" }
    let every = item.every.map { ", every \($0)" } ?? ""
    return (item.overdue ? "\(date) overdue" : item.dueSoon == true ? "\(date) due soon" : date) + every
  }
}
