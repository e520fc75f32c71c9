package import FlowCalendar
import FlowModel
import FlowNotices
package import FlowWork
package import PoolDigests

extension JobKind {
  /// The pool decision of this kind; nil for kinds without one.
  package var scenario: NoticeScenario? { decision as? NoticeScenario }
}

extension JobDecision {
  /// Runs the decision: facts in, outcome out.
  package static func decide(_ run: RunContext, facts: TeamFacts, zone: Zone) -> Outcome {
    guard let scenario = run.kind.scenario else { return serverTask(of: run.kind) }
    let moment = moment(of: run, team: facts.team, zone: zone)
    let decided = DecisionMoment(
      digest: moment, now: run.now, kind: run.kind, ignoresClosedDays: run.timing.closed == .ignore)
    let decision = scenario.decision(facts, at: decided)
    var digest: MorningDigest?
    var routes: [SentRoute] = []
    var personal: [PersonalDecision] = []
    switch decision {
    case .notice(let draft):
      digest = draft.kept as? MorningDigest
      routes = scenario.shownRoutes?(facts, decided) ?? digest.map { [$0.route] } ?? []
      personal = scenario.personal(facts, run, zone: zone)
    case .suppressed(let reason):
      if let days = scenario.routeDays, SuppressionReason.withoutStops.contains(reason.code) {
        routes = [SentRoute(date: moment.date.adding(days: days), stops: [])]
      }
    }
    return outcome(
      of: run, team: facts.team, at: moment, decision, personal: personal,
      expires: run.timing.expiry.map { run.slot.advanced(by: $0) } ?? scenario.expiry(run.slot, facts.team),
      account: DecisionInputs(
        scenario: scenario, moment: moment, facts: facts, routes: routes, digest: digest, personal: personal))
  }
}

extension TeamFacts: DecisionFacts {
  /// Decides any run of this team from these facts.
  package var decision: RunDecision { { run, zone in JobDecision.decide(run, facts: self, zone: zone) } }
}
