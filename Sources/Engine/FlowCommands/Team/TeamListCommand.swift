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
    let catalogue = session.catalogue
    // Scripts select columns by number, so with `--plain` the columns for other trades are last and always present.
    let showsTrades = console.isPlain || reply.teams.contains { catalogue.trade(of: $0)?.isStandard == false }
    let otherTrades = showsTrades ? catalogue.trades.filter { !$0.isStandard } : []
    func counts(_ trades: [CommandTrade]) -> [Table.Column] {
      trades.map { .init($0.records.many.uppercased(), isNumber: true) }
    }
    let standardTrades = catalogue.trades.filter(\.isStandard)
    var columns: [Table.Column] = [
      .init("TEAM", isKey: true), .init("ZONE", rank: 2, isKey: true), .init("PLAN", minWidth: 12, isKey: true),
    ]
    columns += counts(standardTrades)
    columns += [
      .init("MORNING", rank: 2), .init("LANGUAGE", rank: 3), .init("UNITS", rank: 4),
      .init("TECHNICIANS", minWidth: 16, rank: 5, isKey: true),
    ]
    if showsTrades { columns.append(.init("TRADE", rank: 2)) }
    var table = Table(columns + counts(otherTrades))
    for team in reply.teams {
      let own = catalogue.trade(of: team)
      func counts(_ trades: [CommandTrade]) -> [Table.Cell] {
        trades.map { .init($0.trade == own?.trade ? TextFormat.grouped($0.records.count(team)) : "-") }
      }
      var cells: [Table.Cell] = [.init(team.name), .init(team.zone), .init(TeamRows.plan(of: team))]
      cells += counts(standardTrades)
      cells += [
        .init(morning(of: team, own)), .init(team.language), .init(team.units.rawValue),
        .init(team.technicians.map(\.name).joined(separator: ", ")),
      ]
      if showsTrades { cells.append(.init(team.trade ?? own?.trade.rawValue ?? "-")) }
      table.add(cells + counts(otherTrades))
    }
    console.table(table)
    console.note(
      reply.teams.isEmpty
        ? "there is no team yet: set one up with `pfctl setup`, or add one with `pfctl team add NAME --zone Area/City`"
        : TextFormat.count(reply.teams.count, "team"))
  }

  /// The time of the morning notice if it is a setting of the team, else `-`.
  private static func morning(of team: TeamView, _ trade: CommandTrade?) -> String {
    guard case .setting? = trade?.setup.morning.time else { return "-" }
    return team.settings.notifications && team.settings.morningSummary ? team.settings.morningTime : "off"
  }
}
