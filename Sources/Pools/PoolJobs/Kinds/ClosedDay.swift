import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests

extension JobKind {
  /// Pools that need another day: sent on the evening before closed days begin, only to teams with days off.
  package static let closedDay = JobKind(
    "closed-day", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(listedDays: [], daysOff: .closedTomorrow),
        suppressionReasons: [.notificationsOff, .openTomorrow, .noStopsClosed],
        rule: { team, _ in team.hasDaysOff ? .calendar("*-*-* 18:00:00") : .never },
        permanentSuppression: { _ in nil },
        decide: { facts, moment in
          let tomorrow = moment.date.adding(days: 1)
          let days = facts.daysOff.closedDays(from: tomorrow)
          // Sent once, before the first closed day.
          guard !days.isEmpty, facts.daysOff.closure(on: moment.date) == nil else { return .suppressed(.openTomorrow) }
          let shownDays = Array(days.prefix(Limits.closedDaysListed))
          let stops = shownDays.reduce(0) { $0 + facts.stops(on: $1).count }
          return stops == 0
            ? .suppressed(.noStopsClosed) : .notice(.closed(facts, days: shownDays, stops: stops, at: moment.digest))
        },
        expiry: { slot, _ in slot.advanced(by: .hours(16)) },
        countsText: { _ in "" },
        switchesText: { _ in "" })))
}
