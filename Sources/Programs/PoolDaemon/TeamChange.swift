import PoolControl
import PoolModel
import PoolPlatform

/// A change of a team's settings, read from what somebody typed.
struct TeamChange: Sendable {
  let apply: @Sendable (inout Team) -> Void

  /// - Throws: `ControlError` that names the setting; then none of them is made.
  static func read(_ changes: [SettingChangeView], zones: SystemZones) throws(ControlError) -> [TeamChange] {
    guard !changes.isEmpty else {
      throw ControlError.badValue(field: "changes", value: "", why: "name at least one setting: \(keys)")
    }
    return try changes.map { change throws(ControlError) in TeamChange(apply: try Self.change(change, zones: zones)) }
  }

  static let keys =
    "zone, language, units, objective, notifications, morning-summary, route-preview, route-order, day-start, "
    + "stop-minutes, windows, dose-units, low-stock, weekly-digest, morning-time, clock, currency"

  private static func change(
    _ change: SettingChangeView, zones: SystemZones
  ) throws(ControlError) -> @Sendable (inout Team) -> Void {
    switch change.key {
    case "zone":
      _ = try zones.zone(asked: change.value)
      return { $0.zone = change.value }
    case "language":
      let language: Language = try word(change.value, field: change.key)
      return { $0.language = language }
    case "units":
      let units: UnitSystem = try word(change.value, field: change.key)
      return { $0.units = units }
    case "objective":
      let objective: RouteObjective = try word(change.value, field: change.key)
      return { $0.objective = objective }
    case "notifications":
      let isOn = try flag(change)
      return { $0.settings.notificationsEnabled = isOn }
    case "morning-summary":
      let isOn = try flag(change)
      return { $0.settings.morningRouteSummary = isOn }
    case "route-preview":
      let isOn = try flag(change)
      return { $0.settings.routePreview = isOn }
    case "route-order":
      let order: RouteOrder = try word(change.value, field: change.key)
      return { $0.settings.routeOrder = order }
    case "day-start":
      let time = change.value == "auto" ? nil : try time(change)
      return { $0.settings.dayStart = time }
    case "stop-minutes":
      guard let minutes = Int(change.value), Limits.stopMinutes.contains(minutes) else {
        throw ControlError.badValue(
          field: change.key, value: change.value,
          why: "what a stop takes is a number of minutes from \(Limits.stopMinutes.lowerBound) to "
            + "\(Limits.stopMinutes.upperBound)")
      }
      return { $0.settings.stopMinutes = minutes }
    case "windows":
      let rule: WindowRule = try word(change.value, field: change.key)
      return { $0.settings.windows = rule }
    case "dose-units":
      let units: DoseUnits = try word(change.value, field: change.key)
      return { $0.settings.doseUnits = units }
    case "low-stock":
      let isOn = try flag(change)
      return { $0.settings.lowStockForTomorrow = isOn }
    case "weekly-digest":
      let isOn = try flag(change)
      return { $0.settings.weeklyDigest = isOn }
    case "morning-time":
      let time = try time(change)
      return { $0.settings.morningTime = time }
    case "clock":
      let clock: ClockFormat = try word(change.value, field: change.key)
      return { $0.clock = clock }
    case "currency":
      let currency: Currency? = change.value == "auto" ? nil : try word(change.value, field: change.key)
      return { $0.chosenCurrency = currency }
    default:
      let known = keys.split(separator: ",").map(trimmingSpaces)
      let near = Suggestion.nearest(to: change.key, among: known)
      throw ControlError.badValue(
        field: "setting", value: change.key,
        why: near.map { "there is no such setting; did you mean '\($0)'?" } ?? "the settings are \(keys)")
    }
  }

  private static func time(_ change: SettingChangeView) throws(ControlError) -> TimeOfDay {
    guard let time = TimeOfDay(change.value) else {
      throw ControlError.badValue(field: change.key, value: change.value, why: "it is not a time of day; write HH:MM")
    }
    return time
  }

  private static func flag(_ change: SettingChangeView) throws(ControlError) -> Bool {
    switch change.value.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: throw ControlError.badValue(field: change.key, value: change.value, why: "write on or off")
    }
  }

  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, field: String
  ) throws(ControlError) -> Word {
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(field: field, value: text, why: "it is one of \(known)")
    }
    return word
  }
}
