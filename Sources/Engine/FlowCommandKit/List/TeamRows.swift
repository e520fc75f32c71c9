package import FlowControl

/// The rows that `pfctl team show` has for teams of every trade: a label and a value each.
package enum TeamRows {
  /// The settings that teams of every trade have, after the numbers of their records.
  package static func common(of team: TeamView, _ records: [RecordCountView]) -> [(String, String)] {
    [("team", team.name), ("trade", team.trade ?? ""), ("plan", plan(of: team))]
      + records.map { ($0.many, TextFormat.grouped($0.count)) } + [
        ("zone", team.zone), ("language", team.language), ("units", team.units.rawValue),
        ("show-both-units", onOrOff(team.settings.showBothUnits == true)), ("clock", team.clock),
        ("currency", team.currency.rawValue), ("notifications", onOrOff(team.settings.notifications)),
      ]
  }

  /// The plan's name, with the end of a trial.
  package static func plan(of team: TeamView) -> String {
    guard let end = team.trialExpiresLocal ?? team.trialExpiresAt else { return team.plan.rawValue }
    return "\(team.plan) until \(end)"
  }

  package static func onOrOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}
