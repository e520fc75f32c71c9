import PoolCalendar
import PoolModel
import PoolNotices
package import PoolWork
import StableDigests
import StableModel
import StableRules

extension JobKind {
  /// Closes the board of the day that ended, at the first instant of the next one. Every day that was slept through is
  /// closed, too, up to a month of them; a day that is closed stays as it is.
  package static let feedReset = JobKind(
    "feed-reset", severity: .info, catchUp: .all(limit: 31), attemptRules: .notice,
    work: .decision(
      BarnScenario(
        silences: [], rule: { _, _ in .daily(.midnight) }, switchWord: nil, wants: [], expiry: { _, _ in nil },
        decide: { _, _ in .silent(.allFed) },
        leaves: { facts, moment in
          var day = facts.day(moment.closes)
          guard day.closed == nil else { return nil }
          _ = day.close()
          return .closeDay(day)
        },
        deed: { facts, moment in
          var day = facts.day(moment.closes)
          if day.closed != nil { return "\(moment.closes) was closed already" }
          _ = day.close()
          let count = day.closed?.count ?? 0
          return "closed \(moment.closes): \(count) \(count == 1 ? "horse" : "horses")"
        })))
}

extension BarnMoment {
  /// The day that its slot ends.
  fileprivate var closes: CivilDate { FeedDates.closed(by: run.asOf, in: digest.zone) }
}
