import FlowControl
import FlowModel
import FlowServices
import FlowStore
import StableModel
import StableStore

extension TradeSettings {
  /// Names of a stable's jobs that it can switch off.
  static let switches = ["feed-am", "feed-pm", "care-due", "blanket", "barn-digest", "barn-week"]
  private static let intervalPrefix = "interval-"

  /// The settings of stables.
  static let stable = TradeSettings(
    owner: "a stable", owners: "stables", records: "horses",
    groups: [
      ("currency", switches + ["blanket-limits"] + CareType.allCases.map { intervalPrefix + $0.rawValue })
    ],
    check: { team, connection in _ = try connection.barnSettings(of: team) },
    parse: { change, _ throws(ControlError) in
      if let apply = try jobSwitch(change) { return { team, _ in apply(&team) } }
      guard let apply = try barnSetting(change) else { return nil }
      return { team, connection in try connection.changeBarnSettings(of: team.id, apply) }
    })

  /// A setting that switches a job on or off; nil for other keys.
  private static func jobSwitch(
    _ change: SettingChangeView
  ) throws(ControlError) -> (@Sendable (inout Team) -> Void)? {
    let key = change.key
    guard switches.contains(key) else { return nil }
    let isOn = try change.flag()
    return { team in
      if isOn { team.settings.disabledJobs.remove(key) } else { team.settings.disabledJobs.insert(key) }
    }
  }

  /// A setting that is kept in the stable's own record; nil for other keys.
  private static func barnSetting(
    _ change: SettingChangeView
  ) throws(ControlError) -> (@Sendable (inout BarnSettings) -> Void)? {
    let key = change.key
    if key == "blanket-limits" {
      let limits = try limits(change)
      return { $0.limits = limits }
    }
    guard key.hasPrefix(intervalPrefix), let type = CareType(rawValue: String(key.dropFirst(intervalPrefix.count)))
    else { return nil }
    switch change.value {
    case "usual": return { $0.intervals[type] = nil }
    case "none": return { $0.intervals[type] = .some(nil) }
    default:
      guard let days = Int(change.value), Limits.careIntervalDays.contains(days) else {
        throw ControlError.badValue(
          field: key, value: change.value,
          why: "the days until the next care must be a number from \(Limits.careIntervalDays.lowerBound) to "
            + "\(Limits.careIntervalDays.upperBound), none, or usual")
      }
      return { $0.intervals[type] = .some(days) }
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
}
