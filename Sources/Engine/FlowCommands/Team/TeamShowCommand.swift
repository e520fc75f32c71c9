internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl team show`: shows one team and its settings.
enum TeamShowCommand: Command {
  static let description = CommandDescription(
    "team show", "one team with its settings", operands: [.init("TEAM")], examples: ["pfctl team show desert-blue"])

  static let documents: [JSONDocument] = [.init("team", TeamsCall.Show.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(TeamsCall.Show(name: arguments.operand(0) ?? ""), as: "team") else { return }
    let console = session.console
    show(reply.team, on: console)
  }

  /// The team as `NAME: VALUE` lines with the setting names of `team set`.
  static func show(_ team: TeamView, on console: Console) {
    if let barn = team.barn { return DetailList.show(rows(of: team, barn), on: console) }
    if let others = team.others { return DetailList.show(rows(of: team, others), on: console) }
    var rows = [
      ("team", team.name), ("plan", plan(of: team)), ("pools", TextFormat.grouped(team.pools)), ("zone", team.zone),
      ("language", team.language), ("units", team.units.rawValue),
      ("show-both-units", onOrOff(team.settings.showBothUnits == true)), ("objective", team.objective.rawValue),
      ("notifications", onOrOff(team.settings.notifications)),
      ("morning-summary", onOrOff(team.settings.morningSummary)),
      ("morning-time", team.settings.morningTime), ("route-preview", onOrOff(team.settings.routePreview == true)),
      ("route-order", team.settings.routeOrder?.rawValue ?? RouteOrder.kept.rawValue),
      ("day-start", team.settings.dayStart ?? "auto"),
      ("stop-minutes", String(team.settings.stopMinutes ?? TeamSettings.usualStopMinutes)),
      ("windows", team.settings.windows?.rawValue ?? WindowRule.respect.rawValue),
      ("dose-units", team.settings.doseUnits ?? DoseUnits.app.rawValue),
      ("default-volume", team.settings.defaultVolumeText ?? "auto"), ("low-stock", onOrOff(team.settings.lowStock)),
      ("weekly-digest", onOrOff(team.settings.weeklyDigest)), ("clock", team.clock),
      ("currency", team.currency.rawValue),
    ]
    for (index, technician) in team.technicians.enumerated() {
      let standard = technician.isDefault ? ", default" : ""
      let text = "\(technician.name) (\(TextFormat.count(technician.pools, "pool"))\(standard))"
      rows.append((index == 0 ? "technicians" : "", text))
    }
    DetailList.show(rows, on: console)
  }

  /// The settings that teams of every trade have, after the numbers of their records.
  private static func rows(of team: TeamView, _ records: [RecordCountView]) -> [(String, String)] {
    [("team", team.name), ("trade", team.trade ?? ""), ("plan", plan(of: team))]
      + records.map { ($0.many, TextFormat.grouped($0.count)) } + [
        ("zone", team.zone), ("language", team.language), ("units", team.units.rawValue),
        ("show-both-units", onOrOff(team.settings.showBothUnits == true)), ("clock", team.clock),
        ("currency", team.currency.rawValue), ("notifications", onOrOff(team.settings.notifications)),
      ]
  }

  private static func onOrOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }

  private static func rows(of team: TeamView, _ barn: BarnSettingsView) -> [(String, String)] {
    func degrees(_ limit: Double) -> String { limit == limit.rounded() ? String(Int(limit)) : String(limit) }
    return rows(of: team, [RecordCountView(one: "horse", many: "horses", count: team.horses ?? 0)])
      + barn.switches.map { ($0.job, onOrOff($0.on)) }
      + [("blanket-limits", barn.blanketLimits.map(degrees).joined(separator: ","))]
      + barn.intervals.map { ("interval-\($0.type)", $0.days.map(String.init) ?? "none") }
  }

  static func plan(of team: TeamView) -> String {
    guard let end = team.trialExpiresLocal ?? team.trialExpiresAt else { return team.plan.rawValue }
    return "\(team.plan) until \(end)"
  }
}
