import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import PoolDigests

extension JobKind {
  /// End of the trial: sent once, one calendar day before at the same local time; never for a team without a trial.
  package static let trialReminder = JobKind(
    "trial-reminder", severity: .warning, catchUp: .untilDeadline, attemptRules: .notice,
    work: .decision(
      NoticeScenario(
        facts: RequiredFacts(), suppressionReasons: [.notificationsOff, .notOnTrial, .alreadyPast],
        rule: { team, zone in
          if case .trial(let expires) = team.plan { .once(zone.oneDayBefore(expires)) } else { .never }
        },
        permanentSuppression: { _ in nil },
        decide: { facts, moment in
          guard case .trial(let expires) = facts.team.plan else { return .suppressed(.notOnTrial) }
          return moment.now < expires ? .notice(.trial(facts.team)) : .suppressed(.alreadyPast)
        },
        expiry: { _, team in if case .trial(let expires) = team.plan { expires } else { nil } },
        countsText: { _ in "" },
        switchesText: { facts in
          if case .trial(let expires) = facts.team.plan { "trial until \(expires)" } else { "no trial" }
        })))
}

extension Zone {
  /// One calendar day earlier at the same local time, by the standard policy for skipped and repeated times.
  fileprivate func oneDayBefore(_ instant: Timestamp) -> Timestamp {
    let local = local(at: instant)
    let wanted = LocalDateTime(date: local.date.adding(days: -1), time: local.time)
    return resolve(wanted).standard
  }
}
