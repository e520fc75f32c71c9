internal import FlowCommandKit
import FlowModel

/// A daily time of a stable that setup asks for, which is the rule of a job.
struct SetupTime: Hashable {
  let job: String
  /// The name of the command line option.
  let option: String
  let question: String
  /// The default.
  let standard: String

  static let stableTimes = [
    SetupTime(
      job: "barn-digest", option: "morning-time", question: "Time of the stable's morning notice", standard: "06:00"),
    SetupTime(
      job: "feed-am", option: "feed-am", question: "Time to report open morning feeds", standard: "09:00"),
    SetupTime(
      job: "feed-pm", option: "feed-pm", question: "Time to report open evening feeds", standard: "19:30"),
  ]

  static func rule(_ time: String) -> String { "*-*-* \(time):00" }

  /// The time of a rule that means a fixed time every day; nil for any other rule.
  static func time(_ rule: String) -> String? {
    let start = "*-*-* "
    guard rule.hasPrefix(start), rule.hasSuffix(":00") || rule.utf8.count == start.utf8.count + 5 else { return nil }
    let time = String(rule.dropFirst(start.count).prefix(5))
    return TimeOfDay(time).map(\.description) == time ? time : nil
  }
}
