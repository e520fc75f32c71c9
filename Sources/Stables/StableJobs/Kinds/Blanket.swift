import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import StableDigests
import StableModel
import StableRules

extension JobKind {
  /// The blankets for tonight. The advice is recorded even if no notice is sent, because the next evening's job and the
  /// morning digest compare with it.
  package static let blanket = JobKind(
    "blanket", severity: .warning, catchUp: .latest(within: .hours(3)), attemptRules: .notice,
    work: .decision(
      BarnScenario(
        suppressionReasons: [
          .notificationsOff, .disabled, .barnClosed(), .noHorses, .forecastStale, .noForecast, .sameAsLastNight,
        ],
        rule: { _, _ in .calendar("*-*-* 17:30:00") }, switchName: "blanket", wants: [.blankets],
        expiry: { slot, _ in slot.advanced(by: .hours(14)) },
        decide: { facts, moment in
          switch moment.blankets(facts).tonight(moment.date, lastNight: facts.lastNight) {
          case .noHorses: return .suppressed(.noHorses)
          case .noPlan(.forecastStale): return .suppressed(.forecastStale)
          case .noPlan(.noForecast): return .suppressed(.noForecast)
          case .sameAsLastNight: return .suppressed(.sameAsLastNight)
          case .speaks(let plan): return .notice(.blanketTonight(plan, team: facts.team))
          }
        },
        recordToStore: { facts, moment in
          moment.blankets(facts).tonight(moment.date, lastNight: facts.lastNight).plan.map { .advice($0.night) }
        })))
}

extension BarnMoment {
  func blankets(_ facts: BarnFacts) -> BlanketRules {
    BlanketRules(
      forecast: facts.forecast, zone: digest.zone, now: run.now, horses: facts.horses, settings: facts.settings)
  }
}
