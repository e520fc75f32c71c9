import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests
import PoolModel

extension JobKind {
  /// Today's route has changed since its morning notice: sent once for all changes of the next 15 minutes, to the team and to
  /// the technicians concerned. A team has this job from its first such change on.
  package static let changedToday = JobKind(
    "changed-today", severity: .warning, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(days: [0], toldToday: true, daysOff: .plain, people: true),
        suppressionReasons: [.notificationsOff, .closedToday(), .notToldToday, .unchangedToday],
        rule: { _, _ in .never },
        permanentSuppression: { _ in nil },
        decide: { facts, moment in
          if let off = facts.daysOff.closure(on: moment.date) { return .suppressed(.closedToday(off)) }
          guard let told = facts.toldRoute else { return .suppressed(.notToldToday) }
          let today = ChangedRoute(facts, since: told, at: moment.digest)
          return today.changes.isEmpty ? .suppressed(.unchangedToday) : .notice(today.draft())
        },
        expiry: { slot, _ in slot.advanced(by: .hours(12)) },
        countsText: { _ in "" },
        switchesText: { _ in "" },
        own: PersonalNotices(want: .route) { _, facts, technicians, moment, id in
          guard let told = facts.toldRoute else { return technicians.map { _ in .suppressed(.notToldToday) } }
          let today = ChangedRoute(facts, since: told, at: moment.digest)
          return technicians.map { technician in
            today.draft(for: technician.name, run: id(technician)).map { .notice($0) } ?? .suppressed(.forOthers)
          }
        })), ruleCommand: nil)

  /// The kind of the raw value `changed-today`; nil for other raw values.
  package static func changedToday(in word: String) -> JobKind? { word == changedToday.rawValue ? .changedToday : nil }
}
