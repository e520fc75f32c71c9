internal import PoolControl
internal import FlowCommandKit
internal import FlowControl

/// `pfctl pool list`: lists a team's pools.
enum PoolListCommand: Command {
  static let description = CommandDescription(
    "pool list", "the pools of a team by day and technician, in route order",
    options: [
      .init("team", "TEAM", "whose pools"), .init("technician", "TECHNICIAN", "only this technician's"),
      .init("day", "DAY", "only this weekday's, such as Mon"),
      .init(
        "search", "TEXT",
        "only pools with TEXT in the customer's name, address or notes; case and accents are ignored"),
    ],
    details: [
      "Notes are searched but not shown: `pfctl pool show POOL --reveal` prints them, with the gate access. Contacts, "
        + "telephone numbers and the field for the gate are not searched."
    ],
    examples: ["pfctl pool list --team desert-blue --day Mon", "pfctl pool list --team desert-blue --search juniper"])

  static let documents: [JSONDocument] = [.init("pools", PoolsCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let team = try session.team(arguments)
    let call = PoolsCall.List(
      team: team, technician: arguments["technician"], day: arguments["day"], search: arguments["search"])
    guard let reply = try session.ask(call, as: "pools") else { return }
    let console = session.console
    // Most teams serve every pool each week, and need no column for it.
    let hasRules = reply.pools.contains { $0.service != nil }
    var table = Table(
      [
        .init("DAY"), .init("STOP", isNumber: true), .init("CUSTOMER", minWidth: 16, isKey: true),
        .init("ADDRESS", minWidth: 10, rank: 3),
        .init("TECHNICIAN", rank: 2, isKey: true), .init("VOLUME", isNumber: true, rank: 4),
        .init("LSI", isNumber: true),
        .init("LAST VISIT", rank: 5), .init("ID", isKey: true),
      ] + (hasRules ? [.init("SERVICE", minWidth: 10, rank: 1)] : []))
    // Ids are shortened against all pools, because the filtered-out ones may share a prefix.
    let isPart = call.day != nil || call.technician != nil || call.search != nil
    let all = isPart ? try session.daemon().ask(PoolsCall.List(team: team)).pools : reply.pools
    let ids = ShownIDs(records: all.map(\.id))
    for pool in reply.pools {
      table.add(
        [
          .init(pool.day.rawValue), .init("\(pool.order)"), .init(pool.customer), .init(pool.address),
          .init(pool.technician),
          .init(TextFormat.volume(of: pool)),
          .init(TextFormat.index(pool.lsi)),
          .init(pool.lastVisitLocal ?? pool.lastVisit ?? "-"),
          .init(ids[pool.id]),
        ] + (hasRules ? [.init(pool.service.map(ServiceTexts.rule) ?? "weekly")] : []))
    }
    console.table(table)
    console.note(TextFormat.count(reply.pools.count, "pool"))
  }
}
