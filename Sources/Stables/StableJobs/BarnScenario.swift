package import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowWork
package import StableModel

/// The decision logic of one kind of stable job: its schedule, whether it sends a notice, and the record it writes.
///
/// A decision uses no clock, store or sink: the same facts at the same moment give the same notice.
package struct BarnScenario: TeamDecision {
  package let suppressionReasons: [SuppressionReason]
  package let rule: @Sendable (Team, Zone) -> JobRule
  /// The job's key in `TeamSettings.disabledJobs`; nil if the team cannot switch the job off.
  let switchName: String?
  package let wants: Set<Person.Subscription>
  /// The time until which a notice is worth delivering.
  package let expiry: @Sendable (Timestamp, Team) -> Timestamp?
  /// Makes the decision. Called only if no general reason suppresses the notice.
  let decide: @Sendable (BarnFacts, BarnMoment) -> Decision
  /// The record to write with the run, whether a notice is sent or not; nil for none.
  var recordToStore: @Sendable (BarnFacts, BarnMoment) -> StableRecord? = { _, _ in nil }
  /// A description of the work of a job that never sends a notice; nil for jobs that send notices.
  var actionText: (@Sendable (BarnFacts, BarnMoment) -> String)?

  /// Notices for stables ignore closed days unless the team sets them to `observe`: horses eat on closed days too.
  package var closedDays: JobTiming.ClosedDays? { suppressionReasons.contains(.barnClosed()) ? .ignore : nil }

  package var closure: @Sendable (DaysOff, CivilDate) -> DayOff? { { $0.closure(on: $1) } }

  /// The reason for suppressing the notice that follows from the team's settings alone; nil if there is none.
  package func silence(_ team: Team) -> SuppressionReason? {
    if actionText != nil { return nil }
    if !team.settings.notificationsEnabled { return .notificationsOff }
    guard let switchName, team.settings.disabledJobs.contains(switchName) else { return nil }
    return .disabled
  }
}

/// The moment of a decision: the day it is about, and the run.
package struct BarnMoment: Sendable {
  let digest: DigestMoment
  let run: RunContext

  var date: CivilDate { digest.date }
}

/// The input of a stable's decision, for explanations (`pfctl why`) and for the run's record.
package struct BarnInputs: DecisionExplanation {
  package let facts: BarnFacts
  let date: CivilDate
  let kept: StableRecord?
  package var personal: [PersonalDecision] = []
  package let digest: (any PagedDigest)?

  package var changesSeen: Int? { facts.changesSeen }
  package var record: (any TradeRecord)? { kept }

  /// A summary with numbers and switches, without names: `Mon 2026-03-02: 3 horses; 12 pieces of care; forecast of
  /// 2026-03-02T06:00:00Z; notifications on`.
  package var words: String {
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    var parts = ["\(date.weekday.abbreviation) \(date): \(count(facts.horses.count, "horse", "horses"))"]
    parts.append(count(facts.care.count, "piece of care", "pieces of care"))
    parts.append(facts.forecast.map { "forecast of \($0.issuedAt)" } ?? "no forecast")
    parts.append("notifications \(facts.team.settings.notificationsEnabled ? "on" : "off")")
    let off = facts.team.settings.disabledJobs.sorted()
    if !off.isEmpty { parts.append("switched off: \(off.joined(separator: ", "))") }
    parts += PersonalDecision.words(of: personal, ("person", "people"))
    return parts.joined(separator: "; ")
  }
}

extension StableRecord: TradeRecord {}

extension JobDecision {
  /// Decides a run: facts in, outcome out.
  ///
  /// A kind's raw value is the same in each trade that has the kind, and so is its job; the decision differs per trade.
  package static func decide(_ run: RunContext, facts: BarnFacts, zone: Zone) -> Outcome {
    let kind = JobCatalogue.stables.kind(named: run.kind.rawValue) ?? run.kind
    guard let scenario = kind.decision as? BarnScenario else { return serverTask(of: run.kind) }
    let about = moment(of: run, team: facts.team, zone: zone)
    let moment = BarnMoment(digest: about, run: run)
    let record = scenario.recordToStore(facts, moment)
    var account = BarnInputs(facts: facts, date: about.date, kept: record, digest: nil)
    if let actionText = scenario.actionText {
      return Outcome(result: .done, detail: actionText(facts, moment), account: account)
    }
    let decision = scenario.decision(facts, moment)
    if case .notice(let draft) = decision {
      account = BarnInputs(
        facts: facts, date: about.date, kept: record, personal: scenario.personal(facts, run, zone: zone),
        digest: draft.kept)
    }
    return outcome(
      of: run, team: facts.team, at: about, decision, personal: account.personal,
      expires: run.timing.expiry.map { run.slot.advanced(by: $0) } ?? scenario.expiry(run.slot, facts.team),
      account: account)
  }
}

extension BarnScenario {
  /// The decision: a suppression by the team's settings, a closed day, or the result of `decide`.
  func decision(_ facts: BarnFacts, _ moment: BarnMoment) -> Decision {
    if let silence = silence(facts.team) { return .suppressed(silence) }
    if let standard = closedDays, (moment.run.timing.closed ?? standard) == .observe,
      let off = closure(facts.daysOff, moment.date)
    {
      return .suppressed(.barnClosed(off))
    }
    return decide(facts, moment)
  }

  /// The decisions for each person of the barn with a subscription to this kind of notice, in the person's language.
  func personal(_ facts: BarnFacts, _ run: RunContext, zone: Zone) -> [PersonalDecision] {
    guard !wants.isEmpty else { return [] }
    return PersonalDecision.all(
      of: facts.staff.map { (.technician($0.id), $0.name) }, known: facts.people, wanting: wants,
      language: facts.team.language
    ) { language, keys in
      var translated = facts
      translated.team.language = language
      let moment = JobDecision.moment(of: run, team: translated.team, zone: zone)
      return keys.map { key in
        decision(translated, BarnMoment(digest: moment.run(as: run.noticeID(for: key)), run: run))
      }
    }
  }
}

extension BarnFacts: DecisionFacts {
  /// The decision for any run of the team, based on these facts.
  package var decision: RunDecision { { run, zone in JobDecision.decide(run, facts: self, zone: zone) } }
}
