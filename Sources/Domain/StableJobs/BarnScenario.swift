package import PoolCalendar
package import PoolModel
package import PoolNotices
package import PoolWork
package import StableModel

/// What a stable's kind of work decides: when it is due, whether it speaks, and what it leaves behind.
///
/// A decision has no clock, no store and no sink: the same facts at the same moment give the same words.
package struct BarnScenario: TeamDecision {
  package let silences: [Silence]
  package let rule: @Sendable (Team, Zone) -> JobRule
  /// The word of the job in `TeamSettings.silenced`; nil for what cannot be switched off.
  let switchWord: String?
  package let wants: Set<Person.Want>
  /// How long after its slot a notice is still worth reading.
  package let expiry: @Sendable (Timestamp, Team) -> Timestamp?
  /// Asked only where nothing silences it anyway.
  let decide: @Sendable (BarnFacts, BarnMoment) -> Decision
  /// What is written with the run, whatever it says; nil for nothing.
  var leaves: @Sendable (BarnFacts, BarnMoment) -> StableRecord? = { _, _ in nil }
  /// What a run did that tells nobody; nil for a kind that speaks.
  var deed: (@Sendable (BarnFacts, BarnMoment) -> String)?

  /// Horses eat on a closed day: a notice ignores closed days until it is told to observe them.
  package var closedDays: JobTiming.ClosedDays? { silences.contains(.barnClosed()) ? .ignore : nil }

  package var closure: @Sendable (DaysOff, CivilDate) -> DayOff? { { $0.closure(on: $1) } }

  package func silence(_ team: Team) -> Silence? {
    if deed != nil { return nil }
    if !team.settings.notificationsEnabled { return .notificationsOff }
    guard let switchWord, team.settings.silenced.contains(switchWord) else { return nil }
    return .disabled
  }
}

/// When a decision is taken, about which day, and for whose job.
package struct BarnMoment: Sendable {
  let digest: DigestMoment
  let run: RunContext

  var date: CivilDate { digest.date }
}

/// What a stable's decision looked at.
package struct BarnInputs: DecisionAccount {
  package let facts: BarnFacts
  let date: CivilDate
  let kept: StableRecord?
  package var personal: [PersonalDecision] = []
  package let digest: (any PagedDigest)?

  package var changesSeen: Int? { facts.changesSeen }
  package var record: (any TradeRecord)? { kept }

  /// `Mon 2026-03-02: 3 horses; 12 pieces of care; forecast of 2026-03-02T06:00:00Z; notifications on`: numbers and
  /// switches, no names.
  package var words: String {
    func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
    var parts = ["\(date.weekday.abbreviation) \(date): \(count(facts.horses.count, "horse", "horses"))"]
    parts.append(count(facts.care.count, "piece of care", "pieces of care"))
    parts.append(facts.forecast.map { "forecast of \($0.issuedAt)" } ?? "no forecast")
    parts.append("notifications \(facts.team.settings.notificationsEnabled ? "on" : "off")")
    let off = facts.team.settings.silenced.sorted()
    if !off.isEmpty { parts.append("switched off: \(off.joined(separator: ", "))") }
    parts += PersonalDecision.words(of: personal, ("person", "people"))
    return parts.joined(separator: "; ")
  }
}

extension StableRecord: TradeRecord {}

extension JobDecision {
  /// The decision itself: facts in, outcome out.
  ///
  /// A kind's word is the same in every trade that has it, and so is its job; what it decides is the trade's own.
  package static func decide(_ run: RunContext, facts: BarnFacts, zone: Zone) -> Outcome {
    let kind = JobCatalogue.stables.kind(named: run.kind.rawValue) ?? run.kind
    guard let scenario = kind.decision as? BarnScenario else { return effect(of: run.kind) }
    let about = moment(of: run, team: facts.team, zone: zone)
    let moment = BarnMoment(digest: about, run: run)
    let record = scenario.leaves(facts, moment)
    var account = BarnInputs(facts: facts, date: about.date, kept: record, digest: nil)
    if let deed = scenario.deed {
      return Outcome(result: .done, detail: deed(facts, moment), account: account)
    }
    let decision = scenario.decision(facts, moment)
    if case .speak(let draft) = decision {
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
  func decision(_ facts: BarnFacts, _ moment: BarnMoment) -> Decision {
    if let silence = silence(facts.team) { return .silent(silence) }
    if let standard = closedDays, (moment.run.timing.closed ?? standard) == .observe,
      let off = closure(facts.daysOff, moment.date)
    {
      return .silent(.barnClosed(off))
    }
    return decide(facts, moment)
  }

  /// What is told the whole barn, said again to each of its people who wants it, in his language.
  func personal(_ facts: BarnFacts, _ run: RunContext, zone: Zone) -> [PersonalDecision] {
    guard !wants.isEmpty else { return [] }
    return PersonalDecision.all(
      of: facts.staff.map { (.technician($0.id), $0.name) }, known: facts.people, wanting: wants,
      language: facts.team.language
    ) { language, keys in
      var spoken = facts
      spoken.team.language = language
      let moment = JobDecision.moment(of: run, team: spoken.team, zone: zone)
      return keys.map { key in
        decision(spoken, BarnMoment(digest: moment.run(as: run.noticeID(for: key)), run: run))
      }
    }
  }
}

extension BarnFacts: DecisionFacts {
  /// Whatever a run of the team's decides by these facts.
  package var decision: RunDecision { { run, zone in JobDecision.decide(run, facts: self, zone: zone) } }
}
