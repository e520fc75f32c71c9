import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests
import PoolModel

extension JobKind {
  /// Chemicals missing for the next working day, sent in the evening. Teams get at most one operational notice a day: while the
  /// morning summary is enabled, it includes the low stock, and this reminder is suppressed.
  package static let lowStock = JobKind(
    "low-stock", severity: .warning, catchUp: .latest(within: .hours(3)), attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(
          days: [1], useDays: MorningDigest.LowStockLine.useDays, daysOff: .nextWorkingDay, people: true),
        suppressionReasons: [
          .notificationsOff, .disabled, .morningSummaryEnabled, .routePreviewEnabled, .closedToday(), .noStopsTomorrow,
          .stockFine,
        ],
        rule: { _, _ in .calendar("*-*-* 18:30:00") },
        permanentSuppression: { team in
          guard team.settings.lowStockForTomorrow else { return .disabled }
          return switch team.settings.lowStockNotice {
          case .itself: nil
          case .morning: .morningSummaryEnabled
          case .preview: .routePreviewEnabled
          }
        },
        decide: { facts, moment in
          let day = facts.nextWorkingDay(after: moment.date)
          // The reminder was sent on the evening before the first closed day and is due again on the evening of the last.
          if let off = facts.daysOff.closure(on: moment.date), day != moment.date.adding(days: 1) {
            return .suppressed(.closedToday(off))
          }
          let stops = facts.stops(on: day).count
          guard stops > 0 else { return .suppressed(.noStops(on: day, after: moment.date)) }
          return facts.lowStock.isEmpty
            ? .suppressed(.stockFine) : .notice(.lowStock(facts, stops: stops, before: day, at: moment.digest))
        },
        expiry: { slot, _ in slot.advanced(by: .hours(12)) },
        countsText: NoticeScenario.lowStockCountText,
        switchesText: { facts in
          let settings = facts.team.settings
          return "low stock \(NoticeScenario.onOff(settings.lowStockForTomorrow)), "
            + "morning summary \(NoticeScenario.onOff(settings.morningNotice))"
            + (settings.eveningPreview ? ", route preview on" : "")
        }, own: .same(.lowStock))))
}
