import PoolModel
import PoolWork
import Synchronization

/// Which teams' records were changed, and when, by a count of the changes: so a decision whose facts were read before is known
/// for what it is, also where they were read beside the store.
final class FactChanges: Sendable {
  /// What decisions look at. What was told of a route is written by decisions themselves, with their claims.
  static let tables: Set<Substring> = [
    "barn_settings", "blanket_advice", "blanket_nights", "care_events", "chemical_doses", "customer_profiles",
    "days_off", "equipment", "feed_days", "feed_history", "feed_marks", "feed_schedules", "forecast_hours", "forecasts",
    "horses", "inventory_items",
    "people", "pools", "reminders", "routes", "service_events", "teams", "technicians", "water_crossings",
  ]

  /// Whether a statement that writes writes one of them. The table stands among the first words: INSERT INTO pools (…
  static func areMade(by sql: String) -> Bool {
    let words = sql.split(maxSplits: 6) { $0.isWhitespace || $0 == "(" }.prefix(6)
    if words.contains(where: { tables.contains($0) }) { return true }
    // Which jobs there are; how far each has come changes with every claim.
    return words.contains("jobs") && words.first != "UPDATE"
  }

  private struct State {
    var count = 0
    var lastOfAll = 0
    /// Bounded by the teams there have been in this life.
    var last: [TeamID: Int] = [:]
    var lastOfShare = [Int](repeating: 0, count: ShareSet.count)
  }

  private let state = Mutex(State())

  /// Asked for before facts are read: what is changed meanwhile then counts as later.
  var count: Int { state.withLock { $0.count } }

  /// Called between a change's commit and whatever the store does next.
  ///
  /// - Parameter teams: nil where it may be any.
  func note(_ teams: Set<TeamID>?) {
    state.withLock { state in
      state.count += 1
      guard let teams else { return state.lastOfAll = state.count }
      for team in teams { state.last[team] = state.count }
    }
  }

  /// Others may have changed whatever belongs to these shares.
  func note(_ shares: ShareSet) {
    state.withLock { state in
      state.count += 1
      for share in shares.shares { state.lastOfShare[share] = state.count }
    }
  }

  /// Whether what was decided looks at facts that are not the team's any more.
  func outdate(_ settlement: RunSettlement) -> Bool {
    guard let team = settlement.run.teamID, let seen = settlement.outcome.account?.changesSeen else { return false }
    return state.withLock { max($0.lastOfAll, $0.lastOfShare[ShareSet.share(of: team)], $0.last[team] ?? 0) } > seen
  }
}
