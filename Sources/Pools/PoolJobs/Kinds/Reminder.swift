import FlowModel
import FlowNotices
package import FlowWork
package import PoolDigests

extension JobKind {
  private static let reminderPrefix = "reminder-"

  /// A team's own reminder, such as `reminder-filters`. Its text and condition are facts, so all reminders share one decision.
  package static func reminder(_ name: ReminderName) -> JobKind {
    JobKind(
      reminderPrefix + name.text, severity: .notice, catchUp: .latest(within: .hours(12)), attemptRules: .notice,
      work: reminderWork, ruleCommand: "pfctl reminder set \(name)")
  }

  /// The reminder's name; nil for other kinds.
  package var reminderName: ReminderName? { Self.reminderName(in: rawValue) }

  /// The name after `reminder-`; nil for other raw values.
  static func reminderName(in word: String) -> ReminderName? {
    guard word.hasPrefix(reminderPrefix) else { return nil }
    return ReminderName(String(word.dropFirst(reminderPrefix.count)))
  }

  /// The kind of a raw value that starts with `reminder-`; nil for other raw values.
  package static func reminder(in word: String) -> JobKind? { reminderName(in: word).map { .reminder($0) } }

  private static let reminderWork = Work.decision(
    NoticeScenario(
      facts: RequiredFacts(days: [0, 1], listedDays: [0], daysOff: .plain, people: true),
      suppressionReasons: [.notificationsOff, .noReminder, .noStopsToday, .nothingLow, .occurrencesReached],
      rule: { _, _ in .never },
      permanentSuppression: { _ in nil },
      decide: { facts, moment in
        guard let reminder = moment.kind.reminderName.flatMap({ facts.reminders[$0] }) else {
          return .suppressed(.noReminder)
        }
        switch reminder.condition {
        case .always: break
        case .stops:
          if facts.pools(on: moment.date, of: reminder.technicianID) == 0 { return .suppressed(.noStopsToday) }
        case .lowStock: if facts.lowStock.isEmpty { return .suppressed(.nothingLow) }
        }
        return .notice(.reminder(reminder, facts, at: moment.digest))
      },
      expiry: { slot, _ in slot.advanced(by: .hours(24)) },
      countsText: { _ in "" },
      switchesText: { _ in "" },
      own: .same(.reminders) { technician, facts, kind in
        let owner = kind.reminderName.flatMap { facts.reminders[$0] }?.technicianID
        return owner == nil || owner == technician.id
      }))
}
