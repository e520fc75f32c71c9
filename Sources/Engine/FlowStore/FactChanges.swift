import FlowModel
import FlowWork
import Synchronization

/// Counts changes per team. A decision made with facts from before a change is thereby detected as outdated, even if the facts
/// were read on another connection.
package final class FactChanges: Sendable {
  /// The engine's tables that decisions read.
  static let tables: Set<Substring> = [
    "days_off", "forecast_hours", "forecasts", "people", "reminders", "teams", "technicians",
  ]

  /// True if a writing statement changes one of these tables, whose name is among the statement's first words: `INSERT INTO
  /// pools (…`.
  static func areAffected(by sql: String, _ tables: Set<Substring>) -> Bool {
    let words = sql.split(maxSplits: 6) { $0.isWhitespace || $0 == "(" }.prefix(6)
    if words.contains(where: { tables.contains($0) }) { return true }
    // New and removed jobs count; updates do not, because each claim moves a job's cursor.
    return words.contains("jobs") && words.first != "UPDATE"
  }

  /// The change count, and its value at the last change of all teams, of each team and of each partition.
  private struct State {
    var count = 0
    var lastOfAll = 0
    /// Limited by the number of teams seen by this process.
    var last: [TeamID: Int] = [:]
    var lastOfPartition = [Int](repeating: 0, count: PartitionSet.count)
  }

  private let state = Mutex(State())

  /// The change count; read it before facts are read, so that changes during the read count as later.
  package var count: Int { state.withLock { $0.count } }

  /// Counts a change. Call it right after the commit, before other work of the store.
  ///
  /// - Parameter teams: the changed teams; nil if any team may have changed.
  func note(_ teams: Set<TeamID>?) {
    state.withLock { state in
      state.count += 1
      guard let teams else { return state.lastOfAll = state.count }
      for team in teams { state.last[team] = state.count }
    }
  }

  /// Counts a possible change by another node to any team of these partitions.
  func note(_ partitions: PartitionSet) {
    state.withLock { state in
      state.count += 1
      for partition in partitions.partitions { state.lastOfPartition[partition] = state.count }
    }
  }

  /// True if the team's facts have changed since the decision read them.
  func isOutdated(_ settlement: RunSettlement) -> Bool {
    guard let team = settlement.run.teamID, let seen = settlement.outcome.account?.changesSeen else { return false }
    return state.withLock {
      max($0.lastOfAll, $0.lastOfPartition[PartitionSet.partition(of: team)], $0.last[team] ?? 0)
    } > seen
  }
}
