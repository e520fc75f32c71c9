package import FlowModel
package import FlowStore
package import PoolModel

/// Reads and changes the dates of service of a team's pools.
package protocol Services: Sendable {
  func services(of team: TeamID) async throws -> ServiceCalendar

  /// Changes the pauses of a pool, all or nothing.
  ///
  /// - Parameter change: takes the pool's present service and returns the change, or throws.
  /// - Returns: the change with the numbers of the new pauses; nil if the pool no longer exists.
  func changePauses(
    of pool: PoolID, team: TeamID, change: @Sendable (PoolService) throws -> PauseChange
  ) async throws -> PauseChange?
}

extension Store: Services {
  package nonisolated func services(of team: TeamID) async throws -> ServiceCalendar {
    try await readConcurrently { try $0.services(of: team) }
  }

  package func changePauses(
    of pool: PoolID, team: TeamID, change: @Sendable (PoolService) throws -> PauseChange
  ) throws -> PauseChange? {
    try connection.transaction(of: [team]) {
      guard let state = try connection.poolState(pool, team: team) else { return nil }
      let service = try connection.services(of: team)[pool] ?? PoolService(weekday: state.pool.serviceDay)
      let change = try change(service)
      let added = try connection.add(change.added, to: pool, team: team)
      try connection.removePauses(change.removed.map(\.id), of: team)
      return PauseChange(added: added, removed: change.removed)
    }
  }
}

/// Pauses that are added to a pool, and pauses that are removed.
package struct PauseChange: Sendable {
  package let added: [ServicePause]
  package let removed: [ServicePause]

  package init(added: [ServicePause] = [], removed: [ServicePause] = []) {
    self.added = added
    self.removed = removed
  }
}
