import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import StableDigests
import StableModel

extension JobKind {
  /// The barn's morning digest, with a page to print.
  package static let barnDigest = JobKind(
    "barn-digest", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      BarnScenario(
        suppressionReasons: [.notificationsOff, .disabled, .barnClosed(), .noHorses],
        rule: { _, _ in .calendar("*-*-* 06:00:00") }, switchName: "barn-digest", wants: [.feed, .care, .blankets],
        expiry: { slot, _ in slot.advanced(by: .hours(16)) },
        decide: { facts, moment in
          guard !facts.horses.isEmpty else { return .suppressed(.noHorses) }
          return .notice(.barnDigest(BarnDigest(facts, at: moment.digest, now: moment.run.now), facts.team))
        })))

  /// The barn's weekly digest, on Sunday afternoons.
  package static let barnWeek = JobKind(
    "barn-week", severity: .info, catchUp: .latest(within: .hours(24)), attemptRules: .notice,
    work: .decision(
      BarnScenario(
        suppressionReasons: [.notificationsOff, .disabled, .barnClosed()],
        rule: { _, _ in .calendar("Sun *-*-* 17:00:00") },
        switchName: "barn-week", wants: [.week], expiry: { slot, _ in slot.advanced(by: .hours(7 * 24)) },
        decide: { facts, moment in .notice(.barnWeek(BarnWeek(facts, at: moment.digest), facts.team)) })))
}
