import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests

extension JobKind {
  /// Weekly figures, sent on Sunday afternoons.
  package static let weeklyDigest = JobKind(
    "weekly-digest", severity: .info, catchUp: .latest(within: .hours(24)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(weekDays: WeekDigest.periodDays, daysOff: .plain, people: true),
        suppressionReasons: [.notificationsOff, .disabled],
        rule: { _, _ in .calendar("Sun *-*-* 17:00:00") },
        permanentSuppression: { $0.settings.weeklyDigest ? nil : .disabled },
        decide: { facts, moment in .notice(.week(facts, at: moment.digest)) },
        expiry: { slot, _ in slot.advanced(by: .hours(7 * 24)) },
        countsText: { _ in "" },
        switchesText: { "weekly digest \(NoticeScenario.onOff($0.team.settings.weeklyDigest))" }, own: .same(.week))))
}
