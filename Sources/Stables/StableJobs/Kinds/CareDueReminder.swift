import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import StableDigests
import StableModel
import StableRules

extension JobKind {
  /// Care that is due. Suppressed while the barn digest is enabled, because the digest lists due care; this holds even
  /// on days without a digest.
  package static let careDue = JobKind(
    "care-due", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      BarnScenario(
        suppressionReasons: [.notificationsOff, .disabled, .barnClosed(), .barnDigestEnabled, .nothingDue],
        rule: { _, _ in .calendar("*-*-* 08:00:00") }, switchName: "care-due", wants: [.care],
        expiry: { slot, _ in slot.advanced(by: .hours(16)) },
        decide: { facts, moment in
          if JobKind.barnDigest.decision?.silence(facts.team) == nil { return .suppressed(.barnDigestEnabled) }
          let reminderItems = CareDue(events: facts.care, horses: facts.horses, today: moment.date).reminderItems
          return reminderItems.isEmpty ? .suppressed(.nothingDue) : .notice(.careDue(reminderItems, team: facts.team))
        })))
}
