internal import PoolControl
internal import PoolModel

/// `pfctl team show`: one team with its settings.
enum TeamShowCommand: Command {
  static let description = CommandDescription(
    "team show", "one team with its settings", operands: [.init("NAME")], examples: ["pfctl team show desert-blue"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(TeamsCall.Show(name: arguments.operand(0) ?? ""), as: "team") else { return }
    let console = session.console
    show(reply.team, on: console)
  }

  /// The team as `NAME: VALUE` lines; the setting's names are those that `team set` takes.
  static func show(_ team: TeamView, on console: Console) {
    func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
    var rows = [
      ("team", team.name), ("plan", plan(of: team)), ("pools", Wording.grouped(team.pools)), ("zone", team.zone),
      ("language", team.language), ("units", team.units.rawValue), ("objective", team.objective.rawValue),
      ("notifications", word(team.settings.notifications)), ("morning-summary", word(team.settings.morningSummary)),
      ("morning-time", team.settings.morningTime), ("low-stock", word(team.settings.lowStock)),
      ("weekly-digest", word(team.settings.weeklyDigest)), ("clock", team.clock), ("currency", team.currency.rawValue),
    ]
    for (index, technician) in team.technicians.enumerated() {
      let standard = technician.isDefault ? ", default" : ""
      let text = "\(technician.name) (\(Wording.count(technician.pools, "pool"))\(standard))"
      rows.append((index == 0 ? "technicians" : "", text))
    }
    Details.show(rows, on: console)
  }

  static func plan(of team: TeamView) -> String {
    guard let end = team.trialExpiresLocal ?? team.trialExpiresAt else { return team.plan.rawValue }
    return "\(team.plan) until \(end)"
  }
}

/// Names beside values.
enum Details {
  static func show(_ rows: [(String, String)], on console: Console) {
    let width = rows.map(\.0.count).max() ?? 0
    for (title, value) in rows {
      let padding = String(repeating: " ", count: width - title.count + 2)
      console.line("\(console.paint(title, .dim))\(padding)\(visible(value))")
    }
  }
}
