internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl team list`: lists the teams.
enum TeamListCommand: Command {
  static let description = CommandDescription("team list", "every team", examples: ["pfctl team list"])

  static let documents: [JSONDocument] = [.init("teams", TeamsCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(TeamsCall.List(), as: "teams") else { return }
    let console = session.console
    // Scripts select columns by number, so with `--plain` these two newer columns are last and always present.
    let showsTrades = console.isPlain || reply.teams.contains { $0.trade == Trade.stable.rawValue }
    let trades: [Table.Column] = showsTrades ? [.init("TRADE", rank: 2), .init("HORSES", isNumber: true)] : []
    var table = Table(
      [
        .init("TEAM", isKey: true), .init("ZONE", rank: 2, isKey: true), .init("PLAN", minWidth: 12, isKey: true),
        .init("POOLS", isNumber: true), .init("MORNING", rank: 2), .init("LANGUAGE", rank: 3), .init("UNITS", rank: 4),
        .init("TECHNICIANS", minWidth: 16, rank: 5, isKey: true),
      ] + trades)
    for team in reply.teams {
      let isOn = team.settings.notifications && team.settings.morningSummary
      let isStable = team.trade == Trade.stable.rawValue
      let trade: [Table.Cell] = [
        .init(team.trade ?? Trade.poolService.rawValue), .init(isStable ? TextFormat.grouped(team.horses ?? 0) : "-"),
      ]
      table.add(
        [
          .init(team.name), .init(team.zone), .init(TeamShowCommand.plan(of: team)),
          .init(isStable ? "-" : TextFormat.grouped(team.pools)),
          .init(isStable ? "-" : isOn ? team.settings.morningTime : "off"), .init(team.language),
          .init(team.units.rawValue), .init(team.technicians.map(\.name).joined(separator: ", ")),
        ] + (showsTrades ? trade : []))
    }
    console.table(table)
    console.note(
      reply.teams.isEmpty
        ? "there is no team yet: set one up with `pfctl setup`, or add one with `pfctl team add NAME --zone Area/City`"
        : TextFormat.count(reply.teams.count, "team"))
  }
}
