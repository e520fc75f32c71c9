import FlowControl
import FlowModel
import FlowServices
import PoolChemistry
import PoolStore

extension TradeSettings {
  /// The settings of pool services.
  static let poolService = TradeSettings(
    owner: "a pool service", owners: "pool-service teams", records: "pools",
    groups: [
      ("show-both-units", ["objective"]),
      (
        "notifications",
        [
          "morning-summary", "route-preview", "route-order", "day-start", "stop-minutes", "windows", "dose-units",
          "dosing", "lsi-method", "freeze-warning", "rain-hint", "default-volume", "low-stock", "weekly-digest",
          "morning-time",
        ]
      ),
    ],
    warnings: { keys, team in
      guard keys.contains("freeze-warning") || keys.contains("rain-hint") else { return [] }
      return team.missingPreview.map { [$0] } ?? []
    },
    parse: { change, units throws(ControlError) in
      if change.key == "lsi-method" {
        let method: LSIMethod = try change.word()
        return { team, connection in
          if team.settings.lsiMethod != method { try connection.forgetIndexes(of: team.id) }
          team.settings.lsiMethod = method
        }
      }
      guard let apply = try poolSetting(change, units: units) else { return nil }
      return { team, _ in apply(&team) }
    })

  /// A setting of pool services; nil for other keys.
  private static func poolSetting(
    _ change: SettingChangeView, units: UnitSystem
  ) throws(ControlError) -> (@Sendable (inout Team) -> Void)? {
    switch change.key {
    case "objective":
      let objective: TravelObjective = try change.word()
      return { $0.objective = objective }
    case "morning-summary":
      let isOn = try change.flag()
      return { $0.settings.morningNotice = isOn }
    case "route-preview":
      let isOn = try change.flag()
      return { $0.settings.eveningPreview = isOn }
    case "route-order":
      let order: StopOrder = try change.word()
      return { $0.settings.stopOrder = order }
    case "day-start":
      let time = change.value == "auto" ? nil : try change.time()
      return { $0.settings.dayStart = time }
    case "stop-minutes":
      guard let minutes = Int(change.value), Limits.stopMinutes.contains(minutes) else {
        throw ControlError.badValue(
          field: change.key, value: change.value,
          why: "the time of a stop must be a number of minutes from \(Limits.stopMinutes.lowerBound) to "
            + "\(Limits.stopMinutes.upperBound)")
      }
      return { $0.settings.stopMinutes = minutes }
    case "windows":
      let rule: WindowRule = try change.word()
      return { $0.settings.windows = rule }
    case "dose-units":
      let units: DoseUnits = try change.word()
      return { $0.settings.doseUnits = units }
    case "dosing":
      let method: DosingMethod = try change.word()
      return { $0.settings.dosing = method }
    case "freeze-warning":
      let limit = change.value == "off" ? nil : try FieldValue(change).airTemperature(units: units)
      return { $0.settings.freezeWarning = limit }
    case "rain-hint":
      let limit = change.value == "off" ? nil : try FieldValue(change).rain(units: units)
      return { $0.settings.rainHint = limit }
    case "default-volume":
      let gallons = change.value == "auto" ? nil : try FieldValue(change).volume(units: units)
      return { $0.settings.defaultVolumeGallons = gallons }
    case "low-stock":
      let isOn = try change.flag()
      return { $0.settings.lowStockForTomorrow = isOn }
    case "weekly-digest":
      let isOn = try change.flag()
      return { $0.settings.weeklyDigest = isOn }
    case "morning-time":
      let time = try change.time()
      return { $0.settings.morningTime = time }
    default: return nil
    }
  }
}

extension Team {
  /// Why the team is told of no frost or rain although it has a limit for them: its evening preview is off. Nil otherwise.
  var missingPreview: String? {
    guard settings.freezeWarning != nil || settings.rainHint != nil, !settings.eveningPreview else { return nil }
    return "frost and rain are told on the evening before, which is off: `pfctl team set \(name) route-preview=on` "
      + "switches it on"
  }
}
