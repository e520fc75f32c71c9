import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
import StableDigests
import StableModel

extension JobKind {
  /// The notice that a stable's trial ends: sent once, one calendar day before, at the same local wall-clock time.
  /// Never without a trial.
  package static let barnTrial = JobKind(
    "trial-reminder", severity: .warning, catchUp: .untilDeadline, attemptRules: .notice,
    work: .decision(
      BarnScenario(
        suppressionReasons: [.notificationsOff, .notOnTrial, .alreadyPast],
        rule: { team, zone in
          guard case .trial(let expires) = team.plan else { return .never }
          let local = zone.local(at: expires)
          return .once(zone.resolve(LocalDateTime(date: local.date.adding(days: -1), time: local.time)).standard)
        },
        switchName: nil, wants: [],
        expiry: { _, team in if case .trial(let expires) = team.plan { expires } else { nil } },
        decide: { facts, moment in
          guard case .trial(let expires) = facts.team.plan else { return .suppressed(.notOnTrial) }
          return moment.run.now < expires ? .notice(.barnTrial(facts.team)) : .suppressed(.alreadyPast)
        })))
}

extension JobCatalogue {
  /// The job kinds of a stable. A new kind needs a file in `Kinds` and an entry here.
  package static let stables = JobCatalogue(
    ofTeam: [.feedReset, .barnDigest, .careDue, .feedAM, .blanket, .feedPM, .barnWeek, .barnTrial], ofServer: [],
    subscriptions: [.feed, .care, .blankets], ofTechnicians: [.feed, .care, .blankets])
}
