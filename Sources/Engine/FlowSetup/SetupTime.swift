internal import FlowCommandKit
internal import FlowModel

extension SetupTime {
  static func rule(_ time: String) -> String { "*-*-* \(time):00" }

  /// The time of a rule that means a fixed time every day; nil for any other rule.
  static func time(_ rule: String) -> String? {
    let start = "*-*-* "
    guard rule.hasPrefix(start), rule.hasSuffix(":00") || rule.utf8.count == start.utf8.count + 5 else { return nil }
    let time = String(rule.dropFirst(start.count).prefix(5))
    return TimeOfDay(time).map(\.description) == time ? time : nil
  }
}
