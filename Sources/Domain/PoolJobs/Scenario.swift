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

  /// The local day that the decision is about.
  package var date: CivilDate { digest.date }
}
