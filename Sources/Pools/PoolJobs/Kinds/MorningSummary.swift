import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests

extension JobKind {
  /// Today's route, every morning at the team's time.
  package static let morningSummary = JobKind(
    "morning-summary", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        // Tomorrow's stops are loaded too, to compare their chemicals with the stock.
        facts: RequiredFacts(
          days: [0, 1], listedDays: [0], waterChangeDays: waterChangeDays, lastRoute: 0,
          useDays: MorningDigest.LowStockLine.useDays, daysOff: .nextWorkingDay, people: true),
        suppressionReasons: [.notificationsOff, .disabled, .closedToday(), .noStopsToday],
        rule: { team, _ in .daily(team.settings.morningTime) },
        permanentSuppression: { $0.settings.morningNotice ? nil : .disabled },
        decide: { facts, moment in
          if let off = facts.daysOff.closure(on: moment.date) { return .suppressed(.closedToday(off)) }
          let stops = facts.stops(on: moment.date).count
          return stops == 0 ? .suppressed(.noStopsToday) : .notice(.morning(facts, stops: stops, at: moment.digest))
        },
        expiry: { slot, _ in slot.advanced(by: .hours(16)) },
        countsText: NoticeScenario.lowStockCountText,
        switchesText: { "morning summary \(NoticeScenario.onOff($0.team.settings.morningNotice))" },
        routeDays: 0, closure: { $0.closure(on: $1) }, own: .route(daysAhead: 0) { .morning($0, team: $1) })))

  /// Days for which a change of the water's condition is shown at its stop: until after the pool's next weekly visit.
  static let waterChangeDays = 8
}
