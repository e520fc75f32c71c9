import PoolCalendar
package import PoolDigests
package import PoolModel
package import PoolNotices
import PoolWork

/// What a decision looked at, and what it told of a day's route.
package struct DecisionInputs: DecisionAccount {
  let scenario: Scenario
  /// The local day of the decision.
  let date: CivilDate
  let facts: TeamFacts
  /// For the next one to be compared with; nil where the notice is about something else.
  package let route: ToldRoute?
  /// What became of each technician's own notice.
  let personal: [PersonalDecision]

  package init(
    scenario: Scenario, date: CivilDate, facts: TeamFacts, route: ToldRoute?, personal: [PersonalDecision] = []
  ) {
    self.scenario = scenario
    self.date = date
    self.facts = facts
    self.route = route
    self.personal = personal
  }

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
    return (parts + personalWords).joined(separator: "; ")
  }

  /// `own notices for 2 of 4 technicians`, `Dan: no stops`, `Eve: no address`.
  private var personalWords: [String] {
    guard !personal.isEmpty else { return [] }
    let silent = personal.compactMap { own -> String? in
      if case .silent(let silence) = own.decision { "\(own.name): \(silence.sentence)" } else { nil }
    }
    let count = personal.count
    let told = "own notices for \(count - silent.count) of \(count) technician\(count == 1 ? "" : "s")"
    let rest = silent.count - Limits.techniciansOfPage
    return [told] + silent.prefix(Limits.techniciansOfPage) + (rest > 0 ? ["and \(rest) more"] : [])
  }
}
