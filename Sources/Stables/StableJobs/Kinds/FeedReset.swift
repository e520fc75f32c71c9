import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import StableDigests
import StableModel
import StableRules

extension JobKind {
  /// Closes the feed board of the ended day, at the first instant of the next day. Also closes days that were missed
  /// while the daemon was down, up to 31. Closed days stay unchanged.
  package static let feedReset = JobKind(
    "feed-reset", severity: .info, catchUp: .all(limit: 31), attemptRules: .notice,
    work: .decision(
      BarnScenario(
        suppressionReasons: [], rule: { _, _ in .daily(.midnight) }, switchName: nil, wants: [],
        expiry: { _, _ in nil },
        decide: { _, _ in .suppressed(.allFed) },
        recordToStore: { facts, moment in
          var day = facts.day(moment.closes)
          guard day.closed == nil else { return nil }
          _ = day.close()
          return .closeDay(day)
        },
        actionText: { facts, moment in
          var day = facts.day(moment.closes)
          if day.closed != nil { return "\(moment.closes) was closed already" }
          _ = day.close()
          let count = day.closed?.count ?? 0
          return "closed \(moment.closes): \(count) \(count == 1 ? "horse" : "horses")"
        })))
}

extension BarnMoment {
  /// The day that the run closes.
  fileprivate var closes: CivilDate { FeedDates.closed(by: run.asOf, in: digest.zone) }
}
