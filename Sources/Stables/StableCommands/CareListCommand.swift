internal import StableControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl care list`: lists care of a barn or a horse.
enum CareListCommand: Command {
  static let description = CommandDescription(
    "care list", "list care of a stable or of one horse, newest first, with the cost",
    operands: [.init("HORSE", .atMostOne)],
    options: [
      .init("team", "TEAM", "whose horses"),
      .init(
        "type", "KIND", "only this kind: vet, farrier, dental, vaccination, deworming, medication, injury or other"),
      .init("since", "TIME", "only entries from then on, such as 52w or 2026-01-01"),
      .init("until", "TIME", "only up to that day"), .init("limit", "N", "how many, 50 without it"),
    ],
    details: ["`pfctl care set` and `care remove` accept the beginning of an id; --json shows full ids."],
    examples: [
      "pfctl care list juniper --team willow-barn",
      "pfctl care list --team willow-barn --type farrier --since 2026-01-01",
    ])

  static let documents: [JSONDocument] = [.init("care", CareCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let limit = try arguments.integer("limit", standard: 50, in: 1...Limits.rowsPerAnswer)
    let call = CareCall.List(
      team: try session.team(arguments), horse: arguments.operand(0),
      type: try arguments["type"].map { try CareTypeView(asked: $0, field: "type") }, since: arguments["since"],
      until: arguments["until"], limit: limit)
    guard let reply = try session.ask(call, as: "care") else { return }
    show(reply.events, on: session.console)
    session.console.note(
      "\(TextFormat.count(reply.events.count, "entry", "entries")), \(visible(reply.costText)) together")
  }

  static func show(_ events: [CareEventView], on console: Console) {
    var table = Table([
      .init("ID", isKey: true), .init("DATE", isKey: true), .init("HORSE", minWidth: 12, isKey: true), .init("CARE"),
      .init("COST", isNumber: true), .init("NEXT DUE", rank: 1), .init("PROVIDER", minWidth: 10, rank: 2),
      .init("NOTES", minWidth: 12, rank: 3),
    ])
    let ids = ShownIDs(records: events.map(\.id))
    for event in events {
      table.add([
        .init(ids[event.id]), .init(event.planned ? "\(event.date) (planned)" : event.date), .init(event.horse),
        .init(event.type.rawValue), .init(event.costText ?? "-"), .init(event.nextDue ?? "-"),
        .init(event.provider.isEmpty ? "-" : event.provider), .init(event.notes.isEmpty ? "-" : event.notes),
      ])
    }
    console.table(table)
  }
}
