import PoolCalendar
import PoolDigests
import PoolModel
import PoolNotices
package import PoolWork

extension JobKind {
  /// Today's route, every morning at the team's time.
  package static let morningSummary = JobKind(
    "morning-summary", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      Scenario(
        // Tomorrow's stops are loaded too, to compare their chemicals with the stock.
        facts: FactsWanted(
          days: [0, 1], toldDays: [0], crossingDays: crossingDays, lastRoute: 0,
          useDays: MorningDigest.LowStockLine.useDays, daysOff: .nextWorkingDay, people: true),
        silences: [.notificationsOff, .disabled, .closedToday(), .noStopsToday],
        rule: { team, _ in .daily(team.settings.morningTime) },
        standingSilence: { $0.settings.morningRouteSummary ? nil : .disabled },
        decide: { facts, moment in
          if let off = facts.daysOff.closure(on: moment.date) { return .silent(.closedToday(off)) }
          let stops = facts.stops(on: moment.date.weekday).count
          return stops == 0 ? .silent(.noStopsToday) : .speak(.morning(facts, stops: stops, at: moment.digest))
        },
        expiry: { slot, _ in slot.advanced(by: .hours(16)) },
        countWords: Scenario.lowStockWords,
        switchWords: { "morning summary \(Scenario.onOff($0.team.settings.morningRouteSummary))" },
        closure: { $0.closure(on: $1) }, own: .route(daysAhead: 0) { .morning($0, team: $1) })))

  /// Days for which a change of the water's condition is shown at its stop: until after the pool's next weekly visit.
  static let crossingDays = 8
}
