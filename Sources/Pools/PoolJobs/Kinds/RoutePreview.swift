import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests

extension JobKind {
  /// The next day's route, sent the evening before, in addition to the morning summary or instead. It includes low stock in
  /// time to buy it; the morning summary then omits the stock.
  package static let routePreview = JobKind(
    "route-preview", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(
          days: [1], waterChangeDays: waterChangeDays, lastRoute: 1, useDays: MorningDigest.LowStockLine.useDays,
          daysOff: .plain, people: true, forecast: true),
        suppressionReasons: [.notificationsOff, .disabled, .closedTomorrow(), .noStopsTomorrow],
        // A disabled preview has no slots, so the ledger gets no entry for it every evening.
        rule: { team, _ in team.settings.eveningPreview ? .calendar("*-*-* 18:00:00") : .never },
        permanentSuppression: { $0.settings.eveningPreview ? nil : .disabled },
        decide: { facts, moment in
          let tomorrow = moment.digest.ahead(days: 1)
          let off = facts.daysOff.closure(on: tomorrow.date)
          let facts = facts.withoutStops(on: tomorrow.date, because: off)
          let stops = facts.stops(on: tomorrow.date).count
          // Frost is told even if no pool is served.
          guard stops > 0 || EveningWeather(facts, at: tomorrow)?.low != nil else {
            return .suppressed(off.map(SuppressionReason.closedTomorrow) ?? .noStopsTomorrow)
          }
          return .notice(.preview(facts, stops: stops, at: tomorrow))
        },
        expiry: { slot, _ in slot.advanced(by: .hours(16)) },
        countsText: NoticeScenario.lowStockCountText,
        figuresText: { facts, moment in EveningWeather.explanation(facts, at: moment.ahead(days: 1)) },
        switchesText: { "route preview \(NoticeScenario.onOff($0.team.settings.eveningPreview))" },
        routeDays: 1, closure: { $0.closure(on: $1.adding(days: 1)) },
        own: .route(daysAhead: 1) { .preview($0, team: $1) })))
}
