import PoolControl
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import PoolModel
import PoolStore

/// Finds the team, pool or technician that a caller named. Unknown names are refused with the nearest known one.
struct PoolFinder: Sendable {
  private let store: any Pools & TeamRecords
  private let teams: TeamFinder

  init(store: any Pools & TeamRecords, teams: TeamFinder) {
    self.store = store
    self.teams = teams
  }

  func team(named name: String) async throws -> Team { try await teams.team(named: name) }

  func technician(_ name: String, of team: Team) async throws -> Technician {
    try await teams.technician(name, of: team)
  }

  /// Refuses a name that no technician may have.
  func checkTechnician(_ name: String, field: String, of team: Team) async throws {
    try await teams.checkTechnician(name, field: field, of: team)
  }

  /// The pool that `text` names by id, by its customer's name or by a prefix of either. An exact match wins over names that
  /// start with the text.
  func pool(_ text: String, of team: Team) async throws -> Pool {
    // Mostly an unset variable in a script.
    guard !text.isEmpty else {
      throw ControlError.badValue(
        field: "pool", value: text, why: "name the pool by its name or the beginning of its id")
    }
    let found = try await store.pools(of: team.id, matching: text)
    guard let pool = found.first else {
      let names = try await store.allPools(of: team.id).map(\.customerName)
      throw ControlError.noSuchPool(text, team: team.name, suggestion: Suggestion.nearest(to: text, among: names))
    }
    guard found.count == 1 else {
      let ids = ShownIDs(records: found.map(\.id.description))
      throw ControlError.ambiguous(
        .ambiguousPool, text, "pools",
        found.map { ("\($0.customerName) (\(ids[$0.id.description]))", $0.id.description) }, isNamed: true)
    }
    return pool
  }
}
