import PoolModel
import PoolNotices

/// What a decision looked at. Most are never asked about, so the words are made only where they are written down.
package struct DecisionInputs: Sendable {
  let kind: JobKind
  /// The local day of the decision.
  let date: CivilDate
  let facts: TeamFacts

  /// `Mon 2026-03-02: 2 pools; 1 chemical low; notifications on, morning summary on`: numbers and switches, no names.
  package var words: String {
    var parts: [String] = []
    for day in kind.daysLookedAt(on: date) {
      let date = day == date.weekday ? date : date.adding(days: 1)
      let count = facts.stops(on: day).count
      parts.append("\(day.abbreviation) \(date): \(count) \(count == 1 ? "pool" : "pools")")
    }
    if kind == .morningSummary || kind == .lowStock {
      let low = facts.lowStock.count
      parts.append("\(low) of \(facts.stock.count) chemicals low")
    }
    let settings = facts.team.settings
    func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
    let switches =
      switch kind {
      case .morningSummary: ", morning summary \(word(settings.morningRouteSummary))"
      case .lowStock:
        ", low stock \(word(settings.lowStockForTomorrow)), morning summary \(word(settings.morningRouteSummary))"
      case .weeklyDigest: ", weekly digest \(word(settings.weeklyDigest))"
      case .trialReminder:
        if case .trial(let expires) = facts.team.plan { ", trial until \(expires)" } else { ", no trial" }
      case .backup, .lsiRefresh, .routePrecompute: ""
      }
    parts.append("notifications \(word(settings.notificationsEnabled))\(switches)")
    return parts.joined(separator: "; ")
  }
}
