import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests
import PoolModel

extension JobKind {
  /// Today's route has changed since its morning notice, or tomorrow's since the notice of the evening before: sent once for all
  /// changes of the next 15 minutes, to the team and to the technicians concerned. A team has this job from its first such
  /// change on.
  package static let changedToday = JobKind(
    "changed-today", severity: .warning, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(days: [0, 1], toldRoutes: true, daysOff: .plain, people: true),
        suppressionReasons: [.notificationsOff, .closedToday(), .notToldToday, .unchangedToday],
        rule: { _, _ in .never },
        permanentSuppression: { _ in nil },
        decide: { facts, moment in
          if let notice = ChangedRoutes(facts, at: moment.digest).draft() { return .notice(notice) }
          guard facts.toldTomorrow == nil else { return .suppressed(.unchangedTomorrow) }
          if let off = facts.daysOff.closure(on: moment.date) { return .suppressed(.closedToday(off)) }
          return .suppressed(facts.toldRoute == nil ? .notToldToday : .unchangedToday)
        },
        expiry: { slot, _ in slot.advanced(by: .hours(12)) },
        countsText: { _ in "" },
        switchesText: { _ in "" },
        shownRoutes: { facts, moment in ChangedRoutes(facts, at: moment.digest).routes },
        own: PersonalNotices(want: .route) { _, facts, technicians, moment, id in
          let routes = ChangedRoutes(facts, at: moment.digest)
          return technicians.map { technician in
            routes.draft(for: technician.name, run: id(technician)).map { .notice($0) } ?? .suppressed(.forOthers)
          }
        })), ruleCommand: nil)

  /// The kind of the raw value `changed-today`; nil for other raw values.
  package static func changedToday(in word: String) -> JobKind? { word == changedToday.rawValue ? .changedToday : nil }
}
