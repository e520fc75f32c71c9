import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import PoolChemistry
import StableModel

/// A change of one setting of a team, parsed from text.
struct TeamChange: Sendable {
  /// Applies the change to a team and to its stable's settings.
  typealias Change = @Sendable (inout Team, inout BarnSettings) -> Void

  let key: String
  /// The trade that has the setting; nil if every team has it.
  let trade: Trade?
  let apply: Change

  /// Parses changes of settings.
  ///
  /// - Parameter team: the team before the changes.
  /// - Throws: `ControlError` that names the setting; no change is made then.
  static func read(
    _ changes: [SettingChangeView], of team: Team, zones: SystemZones
  ) throws(ControlError) -> [TeamChange] {
    guard !changes.isEmpty else {
      throw ControlError.badValue(field: "changes", value: "", why: "name at least one setting: \(keys)")
    }
    // A volume without a unit is in the units that are effective after the change.
    let units = changes.last { $0.key == "units" }.flatMap { UnitSystem(rawValue: $0.value) } ?? team.units
    return try changes.map { change throws(ControlError) in
      if let apply = try commonSetting(change, zones: zones) {
        return TeamChange(key: change.key, trade: nil, apply: apply)
      }
      if let apply = try poolSetting(change, units: units) {
        return TeamChange(key: change.key, trade: .poolService) { team, _ in apply(&team) }
      }
      if let apply = try stableSetting(change) { return TeamChange(key: change.key, trade: .stable, apply: apply) }
      let near = Suggestion.nearest(to: change.key, among: keys.split(separator: ",").map(trimmingSpaces))
      throw ControlError.badValue(
        field: "setting", value: change.key,
        why: near.map { "this setting does not exist; did you mean '\($0)'?" } ?? "the settings are \(keys)")
    }
  }

  /// Checks that the team's trade has this setting.
  ///
  /// - Throws: `ControlError` if the setting belongs to teams of another trade.
  func check(_ team: Team) throws(ControlError) {
    guard let trade, trade != team.trade else { return }
    let whose = trade == .stable ? "stables" : "pool-service teams"
    let what = team.trade == .stable ? "a stable" : "a pool service"
    throw ControlError(
      .otherTrade, "team '\(team.name)' is \(what); the setting '\(key)' belongs to \(whose)",
      facts: ["team": team.name, "trade": team.trade.rawValue])
  }

  static let keys =
    "zone, language, units, show-both-units, objective, notifications, morning-summary, route-preview, route-order, "
    + "day-start, stop-minutes, windows, dose-units, default-volume, low-stock, weekly-digest, morning-time, clock, "
    + "currency, "
    + (switches + ["blanket-limits"] + CareType.allCases.map { intervalPrefix + $0.rawValue }).joined(separator: ", ")

  /// Names of a stable's jobs that it can switch off.
  static let switches = ["feed-am", "feed-pm", "care-due", "blanket", "barn-digest", "barn-week"]
  private static let intervalPrefix = "interval-"

  /// A setting that every team has; nil for other keys.
  private static func commonSetting(_ change: SettingChangeView, zones: SystemZones) throws(ControlError) -> Change? {
    switch change.key {
    case "zone":
      _ = try zones.zone(asked: change.value, isChosen: true)
      return { team, _ in team.zone = change.value }
    case "language":
      let language: Language = try word(change.value, field: change.key)
      return { team, _ in team.language = language }
    case "units":
      let units: UnitSystem = try word(change.value, field: change.key)
      return { team, _ in team.units = units }
    case "show-both-units":
      let isOn = try flag(change)
      return { team, _ in team.settings.showsBothUnits = isOn }
    case "notifications":
      let isOn = try flag(change)
      return { team, _ in team.settings.notificationsEnabled = isOn }
    case "clock":
      let clock: ClockFormat = try word(change.value, field: change.key)
      return { team, _ in team.clock = clock }
    case "currency":
      let currency: Currency? = change.value == "auto" ? nil : try word(change.value, field: change.key)
      return { team, _ in team.chosenCurrency = currency }
    default: return nil
    }
  }

  /// A setting of stables; nil for other keys.
  private static func stableSetting(_ change: SettingChangeView) throws(ControlError) -> Change? {
    let key = change.key
    if switches.contains(key) {
      let isOn = try flag(change)
      return { team, _ in
        if isOn { team.settings.disabledJobs.remove(key) } else { team.settings.disabledJobs.insert(key) }
      }
    }
    if key == "blanket-limits" {
      let limits = try limits(change)
      return { _, barn in barn.limits = limits }
    }
    guard key.hasPrefix(intervalPrefix), let type = CareType(rawValue: String(key.dropFirst(intervalPrefix.count)))
    else {
      return nil
    }
    switch change.value {
    case "usual": return { _, barn in barn.intervals[type] = nil }
    case "none": return { _, barn in barn.intervals[type] = .some(nil) }
    default:
      guard let days = Int(change.value), Limits.careIntervalDays.contains(days) else {
        throw ControlError.badValue(
          field: key, value: change.value,
          why: "the days until the next care must be a number from \(Limits.careIntervalDays.lowerBound) to "
            + "\(Limits.careIntervalDays.upperBound), none, or usual")
      }
      return { _, barn in barn.intervals[type] = .some(days) }
    }
  }

  /// Five temperature limits in °C, such as `15,10,5,0,-7`, each lower than the one before.
  private static func limits(_ change: SettingChangeView) throws(ControlError) -> BlanketLimits {
    if change.value == "usual" { return .usual }
    let values = change.value.split(separator: ",", omittingEmptySubsequences: false).map(trimmingSpaces)
    let degrees = values.compactMap { Double($0) }
    guard degrees.count == values.count, let limits = BlanketLimits(degrees) else {
      throw ControlError.badValue(
        field: change.key, value: change.value,
        why: "write five temperatures in °C from 40 down to -60, each lower than the one before, such as 15,10,5,0,-7; "
          + "or usual")
    }
    return limits
  }

  /// A setting of pool services; nil for other keys.
  private static func poolSetting(
    _ change: SettingChangeView, units: UnitSystem
  ) throws(ControlError) -> (@Sendable (inout Team) -> Void)? {
    switch change.key {
    case "objective":
      let objective: RouteObjective = try word(change.value, field: change.key)
      return { $0.objective = objective }
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
          why: "the time of a stop must be a number of minutes from \(Limits.stopMinutes.lowerBound) to "
            + "\(Limits.stopMinutes.upperBound)")
      }
      return { $0.settings.stopMinutes = minutes }
    case "windows":
      let rule: WindowRule = try word(change.value, field: change.key)
      return { $0.settings.windows = rule }
    case "dose-units":
      let units: DoseUnits = try word(change.value, field: change.key)
      return { $0.settings.doseUnits = units }
    case "default-volume":
      let gallons = change.value == "auto" ? nil : try gallons(change, units: units)
      return { $0.settings.defaultVolumeGallons = gallons }
    case "low-stock":
      let isOn = try flag(change)
      return { $0.settings.lowStockForTomorrow = isOn }
    case "weekly-digest":
      let isOn = try flag(change)
      return { $0.settings.weeklyDigest = isOn }
    case "morning-time":
      let time = try time(change)
      return { $0.settings.morningTime = time }
    default: return nil
    }
  }

  private static func gallons(_ change: SettingChangeView, units: UnitSystem) throws(ControlError) -> Double {
    let value = FieldValue(change)
    do { return try FieldCheck.gallons(value.text, units: units) } catch { throw value.refusal(error.why) }
  }

  private static func time(_ change: SettingChangeView) throws(ControlError) -> TimeOfDay {
    do throws(TimeOfDayFault) { return try TimeOfDay(typed: change.value) } catch {
      throw ControlError.badValue(field: change.key, value: change.value, why: "\(error)")
    }
  }

  /// True for on, yes, true or 1; false for off, no, false or 0.
  private static func flag(_ change: SettingChangeView) throws(ControlError) -> Bool {
    switch change.value.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: throw ControlError.badValue(field: change.key, value: change.value, why: "write on or off")
    }
  }

  /// The enum value with this raw value.
  ///
  /// - Throws: `ControlError` that lists the valid values.
  static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, field: String, among values: [Word] = Array(Word.allCases)
  ) throws(ControlError) -> Word {
    guard let word = Word(rawValue: text), values.contains(where: { $0.rawValue == text }) else {
      let known = values.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(field: field, value: text, why: "it is one of \(known)")
    }
    return word
  }
}
