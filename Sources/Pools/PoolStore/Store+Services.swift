package import FlowCalendar
package import FlowModel
package import FlowStore
package import PoolModel

/// Reads and changes the dates of service of a team's pools.
package protocol Services: Sendable {
  func services(of team: TeamID) async throws -> ServiceCalendar

  /// Changes the pauses of a pool, all or nothing.
  ///
  /// - Parameters:
  ///   - today: the local date, and its first and last instant; nil plans no notice of changed stops.
  ///   - change: takes the pool's present service and returns the change, or throws.
  /// - Returns: the change with the numbers of the new pauses; nil if the pool no longer exists.
  func changePauses(
    of pool: PoolID, team: TeamID, today: ServiceToday?, change: @Sendable (PoolService) throws -> PauseChange
  ) async throws -> PauseChange?

  /// The dates of service of a team, and what a change of them is checked against, in one consistent snapshot.
  func serviceDates(of team: TeamID, today: ServiceToday) async throws -> ServiceDates

  /// Adds changed dates as one batch, all or nothing.
  ///
  /// - Parameters:
  ///   - today: the local date, and its first and last instant.
  ///   - plan: takes the team's present dates of service and returns the changes, whose numbers are ignored, or throws.
  /// - Returns: the changes with their numbers, and the dates before them.
  func changeDates(
    of team: TeamID, today: ServiceToday, plan: @Sendable (ServiceDates) throws -> [ServiceDateChange]
  ) async throws -> ServiceDateBatch

  /// Removes the changed dates of a batch, all or nothing.
  ///
  /// - Returns: the removed changes, and the dates before their removal.
  /// - Throws: `ServiceDateError` if there is no such batch, or if it cannot be undone.
  func undoDates(batch: Int64, of team: TeamID, today: ServiceToday) async throws -> ServiceDateBatch
}

/// Changed dates that one command made or undid.
package struct ServiceDateBatch: Sendable {
  package let changes: [ServiceDateChange]
  /// The dates of service before the command.
  package let dates: ServiceDates
}

/// An instant with its local date, and the first instants of this date and of the next one.
package struct ServiceToday: Hashable, Sendable {
  package let now: Timestamp
  package let date: CivilDate
  package let start: Timestamp
  package let end: Timestamp
  /// The team's zone.
  let zone: Zone

  package init(at now: Timestamp, in zone: Zone) {
    self.now = now
    self.zone = zone
    date = zone.local(at: now).date
    start = Self.midnight(date, zone)
    end = Self.midnight(date.adding(days: 1), zone)
  }

  /// The first instant of a date.
  func start(of date: CivilDate) -> Timestamp { Self.midnight(date, zone) }

  private static func midnight(_ date: CivilDate, _ zone: Zone) -> Timestamp {
    zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
  }

  package var tomorrow: CivilDate { date.adding(days: 1) }
}

extension Store: Services {
  package nonisolated func services(of team: TeamID) async throws -> ServiceCalendar {
    try await readConcurrently { try $0.services(of: team) }
  }

  package func changePauses(
    of pool: PoolID, team: TeamID, today: ServiceToday?, change: @Sendable (PoolService) throws -> PauseChange
  ) throws -> PauseChange? {
    try connection.transaction(of: [team]) {
      guard let state = try connection.poolState(pool, team: team) else { return nil }
      let service = try connection.services(of: team)[pool] ?? PoolService(weekday: state.pool.serviceDay)
      let change = try change(service)
      let added = try connection.add(change.added, to: pool, team: team)
      try connection.removePauses(change.removed.map(\.id), of: team)
      if let today {
        try connection.planChangeNotice(of: pool, since: service, technician: state.technician, team: team, today)
      }
      return PauseChange(added: added, removed: change.removed)
    }
  }

  package nonisolated func serviceDates(of team: TeamID, today: ServiceToday) async throws -> ServiceDates {
    try await readConcurrently { try $0.serviceDates(of: team, today) }
  }

  package func changeDates(
    of team: TeamID, today: ServiceToday, plan: @Sendable (ServiceDates) throws -> [ServiceDateChange]
  ) throws -> ServiceDateBatch {
    try connection.transaction(of: [team]) {
      let dates = try connection.serviceDates(of: team, today)
      let added = try connection.add(try plan(dates), to: team)
      try connection.planChangeNotice(of: added.flatMap(\.dates), team: team, today)
      try connection.removeOldServiceChanges(
        of: team, before: today.date.adding(days: -Limits.serviceChangesRetentionDays))
      return ServiceDateBatch(changes: added, dates: dates)
    }
  }

  package func undoDates(batch: Int64, of team: TeamID, today: ServiceToday) throws -> ServiceDateBatch {
    try connection.transaction(of: [team]) {
      let dates = try connection.serviceDates(of: team, today)
      let changes = dates.services.changes.filter { $0.batch == batch }
      guard !changes.isEmpty else { throw ServiceDateError.noSuchBatch(batch) }
      try dates.checkUndo(of: changes, lastVisits: try connection.lastVisits(for: changes, of: team, today))
      for (change, position) in dates.positions(without: changes) { try connection.setOrder(of: change, position) }
      try connection.removeServiceChanges(batch: batch, of: team)
      try connection.planChangeNotice(of: changes.flatMap(\.dates), team: team, today)
      return ServiceDateBatch(changes: changes, dates: dates)
    }
  }
}

extension Connection {
  /// The present dates of service of a team, and what a change of them is checked against.
  func serviceDates(of team: TeamID, _ today: ServiceToday) throws -> ServiceDates {
    let lines = try rows(
      """
      SELECT \(Self.poolColumns), pools.technician_id FROM pools WHERE team_id = ?
      ORDER BY service_day, route_order, pool_id
      """, .integer(team.number)
    ) { row throws(StoreError) in
      ServiceDates.Line(pool: try Self.pool(row), technicianID: TechnicianID(row.integer("technician_id")))
    }
    return ServiceDates(
      lines: lines, services: try services(of: team), technicians: try technicians(of: team),
      daysOff: try daysOff(of: team), visited: try visitedPools(of: team, from: today.start, to: today.end),
      today: today.date)
  }

  /// The date of the last visit before today to each pool whose stop was moved to a date now past, by pool; pools that were not
  /// visited since that date are left out.
  fileprivate func lastVisits(
    for changes: [ServiceDateChange], of team: TeamID, _ today: ServiceToday
  ) throws(StoreError) -> [PoolID: CivilDate] {
    guard let first = changes.compactMap(\.to).min(), first < today.date else { return [:] }
    let visits = try rows(
      """
      SELECT pool_id, max(at_ms) AS last_ms FROM service_events WHERE team_id = ? AND at_ms >= ? AND at_ms < ?
      GROUP BY pool_id
      """, .integer(team.number), .at(today.start(of: first)), .at(today.start)
    ) { row throws(StoreError) in
      (try row.id("pool_id", table: "service_events") as PoolID, today.zone.local(at: row.instant("last_ms")).date)
    }
    return Dictionary(visits, uniquingKeysWith: { first, _ in first })
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
