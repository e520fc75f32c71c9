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
    let decision = scenario.decision(
      facts,
      at: DecisionMoment(
        digest: moment, now: run.now, kind: run.kind, ignoresClosedDays: run.timing.closed == .ignore))
    var digest: MorningDigest?
    var personal: [PersonalDecision] = []
    if case .notice(let draft) = decision {
      digest = draft.kept as? MorningDigest
      personal = scenario.personal(facts, run, zone: zone)
    }
    return outcome(
      of: run, team: facts.team, at: moment, decision, personal: personal,
      expires: run.timing.expiry.map { run.slot.advanced(by: $0) } ?? scenario.expiry(run.slot, facts.team),
      account: DecisionInputs(scenario: scenario, date: moment.date, facts: facts, digest: digest, personal: personal))
  }
}

extension TeamFacts: DecisionFacts {
  /// Decides any run of this team from these facts.
  package var decision: RunDecision { { run, zone in JobDecision.decide(run, facts: self, zone: zone) } }
}
