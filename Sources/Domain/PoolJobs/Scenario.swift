package import PoolCalendar
package import PoolModel
package import PoolNotices

/// What a kind of notice decides: when it is due for a team, what it looks at, and whether it speaks.
///
/// A decision has no clock, no store and no sink: the same facts at the same moment give the same words, so that
/// `simulate` and `why` run the very same code as the daemon.
package struct Scenario: Sendable {
  /// What must be read of a team before it can be decided.
  package let facts: FactsWanted
  /// Every reason it may have to say nothing.
  package let silences: [Silence]
  /// When it is due by default, in the team's zone.
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

  /// The whole decision.
  package func decision(_ facts: TeamFacts, at moment: DecisionMoment) -> Decision {
    if let silence = silence(facts.team) { return .silent(silence) }
    return decide(facts, moment)
  }

  /// Why a team's switches keep it silent; nil when it may speak.
  package func silence(_ team: Team) -> Silence? {
    team.settings.notificationsEnabled ? standingSilence(team) : .notificationsOff
  }
}

/// When a decision is taken, and about which day.
package struct DecisionMoment: Sendable {
  package let digest: DigestMoment
  package let now: Timestamp

  package init(digest: DigestMoment, now: Timestamp) {
    self.digest = digest
    self.now = now
  }

  /// The local day that the decision is about.
  package var date: CivilDate { digest.date }
}

/// Which of a team's facts a decision looks at; days are counted from its local date, 0 is that day.
package struct FactsWanted: Hashable, Sendable {
  /// The days whose stops are read.
  package let days: [Int]
  /// The days that `why` tells the number of stops of.
  package let toldDays: [Int]
  /// How far back crossings of the water are read; nil for none.
  package let crossingDays: Int?
  /// Whether the route last told of this weekday is read.
  package let lastRoute: Bool
  /// How far back the use of low stock is counted; nil for none.
  package let useDays: Int?
  /// How far back the visits of every pool are read; nil for none.
  package let weekDays: Int?

  package init(
    days: [Int] = [], toldDays: [Int]? = nil, crossingDays: Int? = nil, lastRoute: Bool = false, useDays: Int? = nil,
    weekDays: Int? = nil
  ) {
    self.days = days
    self.toldDays = toldDays ?? days
    self.crossingDays = crossingDays
    self.lastRoute = lastRoute
    self.useDays = useDays
    self.weekDays = weekDays
  }
}

extension CivilDate {
  /// The weekdays so many days after this date.
  package func weekdays(after days: [Int]) -> [Weekday] { days.map { adding(days: $0).weekday } }
}
