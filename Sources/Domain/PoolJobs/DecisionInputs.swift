import PoolCalendar
package import PoolDigests
package import PoolModel
package import PoolNotices
package import PoolWork

/// What a decision looked at, and what it told of a day's route.
package struct DecisionInputs: DecisionAccount {
  let scenario: Scenario
  /// The local day of the decision.
  let date: CivilDate
  package let facts: TeamFacts
  /// For the next one to be compared with; nil where the notice is about something else.
  package let route: ToldRoute?
  package let digest: (any PagedDigest)?
  package let personal: [PersonalDecision]

  /// - Parameter digest: what is told of the day's route; nil where nothing is.
  init(
    scenario: Scenario, date: CivilDate, facts: TeamFacts, digest: MorningDigest?, personal: [PersonalDecision] = []
  ) {
    self.init(scenario: scenario, date: date, facts: facts, route: digest?.route, digest: digest, personal: personal)
  }

  package init(
    scenario: Scenario, date: CivilDate, facts: TeamFacts, route: ToldRoute?, digest: MorningDigest? = nil,
    personal: [PersonalDecision] = []
  ) {
    self.scenario = scenario
    self.date = date
    self.facts = facts
    self.route = route
    self.digest = digest
    self.personal = personal
  }

  package var changesSeen: Int? { facts.changesSeen }
  package var record: (any TradeRecord)? { route }

  /// `Mon 2026-03-02: 2 pools; 1 of 7 chemicals low; notifications on, morning summary on`: numbers and switches, and of
  /// names those of technicians who were told nothing by themselves.
  package var words: String {
    var parts: [String] = []
    for days in scenario.facts.toldDays {
      let date = date.adding(days: days)
      let count = facts.stops(on: date.weekday).count
      parts.append("\(date.weekday.abbreviation) \(date): \(count) \(count == 1 ? "pool" : "pools")")
    }
    if let off = facts.daysOff.closure(on: date) { parts.append("closed" + (off.note.isEmpty ? "" : " (\(off.note))")) }
    let counts = scenario.countWords(facts)
    if !counts.isEmpty { parts.append(counts) }
    let notifications = "notifications \(Scenario.onOff(facts.team.settings.notificationsEnabled))"
    let switches = scenario.switchWords(facts)
    parts.append(switches.isEmpty ? notifications : "\(notifications), \(switches)")
    parts += PersonalDecision.words(of: personal, ("technician", "technicians"))
    return parts.joined(separator: "; ")
  }
}

/// What was told of a day's route: the next one is compared with it.
extension ToldRoute: TradeRecord {}
