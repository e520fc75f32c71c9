import FlowCalendar
import FlowModel
package import FlowWork
package import PoolDigests

/// A team's reminder with its rule and author.
package struct TeamReminder: Hashable, Sendable {
  package let reminder: Reminder
  /// Calendar expression in the team's zone, or a single instant.
  package let rule: JobRule
  /// The author, such as `anna (uid 1000)`.
  package let setBy: String

  package init(_ reminder: Reminder, rule: JobRule, setBy: String) {
    self.reminder = reminder
    self.rule = rule
    self.setBy = setBy
  }

  package var kind: JobKind { .reminder(reminder.name) }

  package var plan: JobPlan { JobPlan(kind: kind, rule: reminder.timesLeft == 0 ? .never : rule) }
}
