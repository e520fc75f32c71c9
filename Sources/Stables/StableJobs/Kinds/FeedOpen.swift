import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import StableDigests
import StableModel
import StableRules

extension JobKind {
  /// The horses that are not fed in the morning.
  package static let feedAM = feed(.am, "*-*-* 09:00:00")
  /// The horses that are not fed in the evening.
  package static let feedPM = feed(.pm, "*-*-* 19:30:00")

  private static func feed(_ slot: FeedSlot, _ rule: String) -> JobKind {
    let word = "feed-\(slot.rawValue)"
    return JobKind(
      word, severity: .warning, catchUp: .latest(within: .hours(3)), attemptRules: .notice,
      work: .decision(
        BarnScenario(
          suppressionReasons: [.notificationsOff, .disabled, .barnClosed(), .noSchedules, .allFed],
          rule: { _, _ in .calendar(rule) }, switchName: word, wants: [.feed],
          expiry: { start, _ in start.advanced(by: .hours(6)) },
          decide: { facts, moment in
            let today = FeedDates.date(at: moment.run.asOf, in: moment.digest.zone)
            switch facts.day(today).board().reminder(slot) {
            case .speaks(let rows): return .notice(.feedOpen(slot, horses: rows.map(\.horse), team: facts.team))
            case .allFed: return .suppressed(.allFed)
            case .noSchedules: return .suppressed(.noSchedules)
            }
          })))
  }
}
