import PoolCalendar
import PoolDigests
import PoolModel
import PoolNotices
package import PoolWork

extension JobKind {
  /// That the trial ends: once, one calendar day before at the same local wall-clock time; without a trial, never.
  package static let trialReminder = JobKind(
    "trial-reminder", severity: .warning, catchUp: .untilDeadline, attemptRules: .notice,
    work: .decision(
      Scenario(
        facts: FactsWanted(), silences: [.notificationsOff, .notOnTrial, .alreadyPast],
        rule: { team, zone in
          if case .trial(let expires) = team.plan { .once(zone.oneDayBefore(expires)) } else { .never }
        },
        standingSilence: { _ in nil },
        decide: { facts, moment in
          guard case .trial(let expires) = facts.team.plan else { return .silent(.notOnTrial) }
          return moment.now < expires ? .speak(.trial(facts.team)) : .silent(.alreadyPast)
        },
        expiry: { _, team in if case .trial(let expires) = team.plan { expires } else { nil } },
        countWords: { _ in "" },
        switchWords: { facts in
          if case .trial(let expires) = facts.team.plan { "trial until \(expires)" } else { "no trial" }
        })))
}

extension Zone {
  /// One calendar day earlier at the same wall-clock time; a time that does not exist then is the first instant after
  /// the gap, one that occurs twice is the first.
  fileprivate func oneDayBefore(_ instant: Timestamp) -> Timestamp {
    let local = local(at: instant)
    let wanted = LocalDateTime(date: local.date.adding(days: -1), time: local.time)
    return resolve(wanted).standard
  }
}
