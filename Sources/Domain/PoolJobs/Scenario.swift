package import PoolCalendar
package import PoolDigests
package import PoolModel
package import PoolNotices
package import PoolWork

/// What a kind of notice decides: when it is due for a team, what it looks at, and whether it speaks.
///
/// A decision has no clock, no store and no sink: the same facts at the same moment give the same words, so that
/// `simulate` and `why` run the very same code as the daemon.
package struct Scenario: TeamDecision {
  /// What must be read of a team before it can be decided.
  package let facts: FactsWanted
  package let silences: [Silence]
  package let rule: @Sendable (Team, Zone) -> JobRule
  /// Why it would stay silent whatever the facts of a day; nil when it may speak.
  package let standingSilence: @Sendable (Team) -> Silence?
  /// Asked only where nothing silences it anyway.
  package let decide: @Sendable (TeamFacts, DecisionMoment) -> Decision
  /// How long after its slot a notice is still worth reading.
  package let expiry: @Sendable (Timestamp, Team) -> Timestamp?
  /// What `why` tells of the facts it looked at, besides the stops: numbers, no names. Empty for nothing.
  package let countWords: @Sendable (TeamFacts) -> String
  /// What `why` tells of the team's switches and plan, besides its notifications.
  package let switchWords: @Sendable (TeamFacts) -> String
  /// The closure for which a slot of a local date will be silent; nil where none is known to.
  package var closure: @Sendable (DaysOff, CivilDate) -> DayOff? = { _, _ in nil }
  /// What technicians are told by themselves; nil where the whole team alone is told.
  package var own: OwnNotices?

  /// A decision that reads days off observes them.
  package var closedDays: JobTiming.ClosedDays? { facts.daysOff == nil ? nil : .observe }

  package var wants: Set<Person.Want> { own.map { [$0.want] } ?? [] }

  /// The whole decision.
  package func decision(_ facts: TeamFacts, at moment: DecisionMoment) -> Decision {
    if let silence = silence(facts.team) { return .silent(silence) }
    guard moment.ignoresClosedDays, !facts.daysOff.isEmpty else { return decide(facts, moment) }
    var facts = facts
    facts.daysOff = DaysOff(facts.daysOff.all.filter { $0.technicianID != nil })
    return decide(facts, moment)
  }

  package func silence(_ team: Team) -> Silence? {
    team.settings.notificationsEnabled ? standingSilence(team) : .notificationsOff
  }
}

/// What technicians are told by themselves where the whole team is told something.
package struct OwnNotices: Sendable {
  /// What a technician must want to be told.
  let want: Person.Want
  /// The words for each technician, in their order, by facts in their language. The last gives their notices' ids.
  let decide: @Sendable (Scenario, TeamFacts, [Technician], DecisionMoment, (Technician) -> String) -> [Decision]

  /// What the whole team is told, said again to those whom `concerns` names.
  static func same(
    _ want: Person.Want,
    concerns: @escaping @Sendable (Technician, TeamFacts, JobKind) -> Bool = { _, _, _ in true }
  ) -> OwnNotices {
    OwnNotices(want: want) { scenario, facts, technicians, moment, id in
      technicians.map { technician in
        concerns(technician, facts, moment.kind)
          ? scenario.decision(facts, at: moment.run(as: id(technician))) : .silent(.forOthers)
      }
    }
  }

  /// Each technician's part of a day's route.
  static func route(
    daysAhead: Int, _ draft: @escaping @Sendable (MorningDigest, Team) -> NoticeDraft
  ) -> OwnNotices {
    OwnNotices(want: .route) { _, facts, technicians, moment, id in
      let digest = MorningDigest(facts, at: moment.digest.ahead(days: daysAhead))
      return technicians.map { technician in
        guard let own = digest.only(technician.name, run: id(technician)) else { return .silent(.noOwnStops) }
        return own.sections.contains { $0.isAway == true } ? .silent(.away) : .speak(draft(own, facts.team))
      }
    }
  }
}

extension Scenario {
  /// What each technician is told, or why he is not; nothing of a team none of whose technicians can be reached.
  func personal(_ facts: TeamFacts, _ run: RunContext, zone: Zone) -> [PersonalDecision] {
    guard let own else { return [] }
    return PersonalDecision.all(
      of: facts.technicians.map { (.technician($0.id), $0.name) }, known: facts.people, wanting: wants,
      language: facts.team.language
    ) { language, keys in
      var spoken = facts
      spoken.team.language = language
      let moment = DecisionMoment(
        digest: JobDecision.moment(of: run, team: spoken.team, zone: zone), now: run.now, kind: run.kind,
        ignoresClosedDays: run.timing.closed == .ignore)
      let told = facts.technicians.filter { keys.contains(.technician($0.id)) }
      return own.decide(self, spoken, told, moment) { run.noticeID(for: .technician($0.id)) }
    }
  }
}

// What `why` tells in the same words of several kinds.
extension Scenario {
  /// `2 of 7 chemicals low`.
  @Sendable static func lowStockWords(_ facts: TeamFacts) -> String {
    "\(facts.lowStock.count) of \(facts.stock.count) chemicals low"
  }

  static func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}

/// When a decision is taken, and about which day.
package struct DecisionMoment: Sendable {
  package let digest: DigestMoment
  package let now: Timestamp
  package let kind: JobKind
  /// To the job, a closed day is a day like any other.
  package let ignoresClosedDays: Bool

  package init(digest: DigestMoment, now: Timestamp, kind: JobKind, ignoresClosedDays: Bool = false) {
    self.digest = digest
    self.now = now
    self.kind = kind
    self.ignoresClosedDays = ignoresClosedDays
  }

  /// The same for a notice of another id.
  func run(as id: String) -> DecisionMoment {
    DecisionMoment(digest: digest.run(as: id), now: now, kind: kind, ignoresClosedDays: ignoresClosedDays)
  }

  /// The local day that the decision is about.
  package var date: CivilDate { digest.date }
}
