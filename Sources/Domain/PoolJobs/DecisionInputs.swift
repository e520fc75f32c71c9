import PoolModel
import PoolNotices

/// What a decision looked at. Most are never asked about, so the words are made only where they are written down.
package struct DecisionInputs: Sendable {
  let scenario: Scenario
  /// The local day of the decision.
  let date: CivilDate
  let facts: TeamFacts

  /// `Mon 2026-03-02: 2 pools; 1 of 7 chemicals low; notifications on, morning summary on`: numbers and switches, no names.
  package var words: String {
    var parts: [String] = []
    for days in scenario.facts.toldDays {
      let date = date.adding(days: days)
      let count = facts.stops(on: date.weekday).count
      parts.append("\(date.weekday.abbreviation) \(date): \(count) \(count == 1 ? "pool" : "pools")")
    }
    let counts = scenario.countWords(facts)
    if !counts.isEmpty { parts.append(counts) }
    let notifications = "notifications \(JobKind.onOff(facts.team.settings.notificationsEnabled))"
    parts.append("\(notifications), \(scenario.switchWords(facts))")
    return parts.joined(separator: "; ")
  }
}
