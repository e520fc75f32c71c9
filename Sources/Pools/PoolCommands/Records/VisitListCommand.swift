internal import PoolControl
internal import FlowCommandKit
internal import FlowControl

/// `pfctl visit list`: lists visits, newest first.
enum VisitListCommand: Command {
  static let description = CommandDescription(
    "visit list", "list visits of a team or of one pool, newest first", operands: [.init("POOL", .atMostOne)],
    options: [
      .init("team", "TEAM", "whose pools"), .init("limit", "N", "how many at most; default: 20"),
      .init(
        "search", "TEXT", "only visits with this text in the notes or customer's name; case and accents are ignored"),
    ],
    details: ["`pfctl visit set` and `visit remove` accept the beginning of an id; --json shows full ids."],
    examples: [
      "pfctl visit list --team desert-blue --limit 5", "pfctl visit list 'Steve Baird' --team desert-blue",
      "pfctl visit list --team desert-blue --search filter",
    ])

  static let documents: [JSONDocument] = [.init("visits", FieldCall.ListVisits.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let limit = try arguments.integer("limit", standard: 20, in: 1...10_000)
    let reply = try session.daemon().ask(
      FieldCall.ListVisits(
        team: team, pool: arguments.operand(0), limit: limit, search: arguments["search"]))
    let console = session.console
    if console.isJSON { return try console.document("visits", reply) }
    let sanitiser = SanitiserColumns(reply.visits.map { ($0.freeChlorine, $0.salt) })
    let readings: [Table.Column] = [.init("pH", isNumber: true), .init("LSI", isNumber: true)] + sanitiser.headings
    var table = Table(
      [
        .init("ID", isKey: true), .init("VISIT", minWidth: 14, isKey: true),
        .init("CUSTOMER", minWidth: 16, isKey: true),
      ]
        + readings + [
          .init("WATER", rank: 1), .init("DOSES", isNumber: true, rank: 2), .init("COST", isNumber: true),
          .init("UNDO", rank: 3),
        ])
    let ids = ShownIDs(records: reply.visits.map(\.id))
    for visit in reply.visits {
      let readings: [Table.Cell] =
        [.init(visit.ph.map { TextFormat.decimal($0, places: 1) } ?? "-"), .init(TextFormat.index(visit.lsi))]
        + sanitiser.cells(visit.freeChlorine, visit.salt)
      table.add(
        [.init(ids[visit.id]), .init(visit.local), .init(visit.customer)] + readings + [
          .init(visit.condition.map(LSICommand.words) ?? "-"), .init("\(visit.doses)"), .init(visit.costText),
          .init(visit.undoable ? "yes" : "-"),
        ])
    }
    console.table(table)
    let ahead = reply.visits.count { $0.ahead == true }
    if ahead > 0 {
      console.words(
        "\(TextFormat.count(ahead, "visit")) dated in the future: not counted as the newest before that day; `pfctl visit "
          + "remove` removes one")
    }
    console.note(TextFormat.count(reply.visits.count, "visit"))
  }
}
