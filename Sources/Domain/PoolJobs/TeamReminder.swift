import PoolCalendar
package import PoolDigests
import PoolModel
package import PoolWork

/// A reminder with when it is due, and who asked for it.
package struct TeamReminder: Hashable, Sendable {
  package let reminder: Reminder
  /// A calendar expression in the team's zone, or one instant.
  package let rule: JobRule
  /// Such as `anna (uid 1000)`.
  package let setBy: String

  package init(_ reminder: Reminder, rule: JobRule, setBy: String) {
    self.reminder = reminder
    self.rule = rule
    self.setBy = setBy
  }

  package var kind: JobKind { .reminder(reminder.name) }

  package var plan: JobPlan { JobPlan(kind: kind, rule: reminder.timesLeft == 0 ? .never : rule) }
}
