import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore

/// A change of one setting of a team, parsed from text.
struct TeamChange: Sendable {
  let key: String
  /// The trade that has the setting; nil if every team has it.
  let trade: RunningTrade?
  let apply: TradeSettings.Change

  /// Keys of the settings that every team has.
  private static let commonKeys = [
    "zone", "language", "units", "show-both-units", "notifications", "clock", "currency",
  ]

  /// The keys of all settings, those of the trades included.
  static func keys(_ trades: [RunningTrade]) -> [String] {
    commonKeys.flatMap { key in [key] + trades.flatMap { $0.teams.settings.keys(after: key) } }
  }

  /// Parses changes of settings.
  ///
  /// - Parameter team: the team before the changes.
  /// - Throws: `ControlError` that names the setting; no change is made then.
  static func read(
    _ changes: [SettingChangeView], of team: Team, trades: [RunningTrade], zones: SystemZones
  ) throws(ControlError) -> [TeamChange] {
    let keys = keys(trades)
    let list = keys.joined(separator: ", ")
    guard !changes.isEmpty else {
      throw ControlError.badValue(field: "changes", value: "", why: "name at least one setting: \(list)")
    }
    // A volume without a unit is in the units that are effective after the change.
    let units = changes.last { $0.key == "units" }.flatMap { UnitSystem(rawValue: $0.value) } ?? team.units
    return try changes.map { change throws(ControlError) in
      if let apply = try commonSetting(change, zones: zones) {
        return TeamChange(key: change.key, trade: nil) { team, _ in apply(&team) }
      }
      for trade in trades {
        if let apply = try trade.teams.settings.parse(change, units) {
          return TeamChange(key: change.key, trade: trade, apply: apply)
        }
      }
      let near = Suggestion.nearest(to: change.key, among: keys)
      throw ControlError.badValue(
        field: "setting", value: change.key,
        why: near.map { "this setting does not exist; did you mean '\($0)'?" } ?? "the settings are \(list)")
    }
  }

  /// Checks that the team's trade has this setting.
  ///
  /// - Parameter trades: all trades of the daemon.
  /// - Throws: `ControlError` if the setting belongs to teams of another trade.
  func check(_ team: Team, trades: [RunningTrade]) throws(ControlError) {
    guard let trade, trade.trade != team.trade else { return }
    let what = trades.of(team)?.teams.settings.owner ?? "of the trade '\(team.trade.rawValue)'"
    throw ControlError(
      .otherTrade, "team '\(team.name)' is \(what); the setting '\(key)' belongs to \(trade.teams.settings.owners)",
      facts: ["team": team.name, "trade": team.trade.rawValue])
  }

  /// A setting that every team has; nil for other keys.
  private static func commonSetting(
    _ change: SettingChangeView, zones: SystemZones
  ) throws(ControlError) -> (@Sendable (inout Team) -> Void)? {
    switch change.key {
    case "zone":
      _ = try zones.zone(asked: change.value, isChosen: true)
      return { $0.zone = change.value }
    case "language":
      let language: Language = try change.word()
      return { $0.language = language }
    case "units":
      let units: UnitSystem = try change.word()
      return { $0.units = units }
    case "show-both-units":
      let isOn = try change.flag()
      return { $0.settings.showsBothUnits = isOn }
    case "notifications":
      let isOn = try change.flag()
      return { $0.settings.notificationsEnabled = isOn }
    case "clock":
      let clock: ClockFormat = try change.word()
      return { $0.clock = clock }
    case "currency":
      let currency: Currency? = change.value == "auto" ? nil : try change.word()
      return { $0.chosenCurrency = currency }
    default: return nil
    }
  }
}
