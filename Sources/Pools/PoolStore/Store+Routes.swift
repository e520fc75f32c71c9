package import FlowModel
import FlowStore
package import PoolModel

/// A technician's route for a weekday, as last computed.
package struct StoredRoute: Hashable, Sendable {
  package let technicianID: TechnicianID
  package let day: Weekday
  package let inputHash: UInt64
  package let objective: TravelObjective
  /// Source of the travel times: `haversine`, `table`, or both.
  package let provider: String
  /// Every stop, in the present and in the best order.
  package let current: [PoolID]
  package let best: [PoolID]
  /// Stops without coordinates; they keep their positions in both orders.
  package let unresolved: [PoolID]
  /// Stops whose pin could not be respected.
  package let unpinned: [PoolID]
  package let figures: RouteFigures
  package let bestFigures: RouteFigures
  package let isProven: Bool
  package let computedAt: Timestamp

  package init(
    technicianID: TechnicianID, day: Weekday, inputHash: UInt64, objective: TravelObjective, provider: String,
    current: [PoolID], best: [PoolID], unresolved: [PoolID], unpinned: [PoolID], figures: RouteFigures,
    bestFigures: RouteFigures, isProven: Bool, computedAt: Timestamp
  ) {
    self.technicianID = technicianID
    self.day = day
    self.inputHash = inputHash
    self.objective = objective
    self.provider = provider
    self.current = current
    self.best = best
    self.unresolved = unresolved
    self.unpinned = unpinned
    self.figures = figures
    self.bestFigures = bestFigures
    self.isProven = isProven
    self.computedAt = computedAt
  }

  package var savedMinutes: Double { figures.minutesSaved(by: bestFigures) }
}

/// The result of changing a day's order.
package enum RouteChange: Hashable, Sendable {
  case done
  /// The day's stops or their order differ from those that the caller has seen.
  case changedMeanwhile
  /// There is nothing to change or to undo.
  case nothing
}

extension Store {
  package func routeStops(of team: TeamID) throws -> [DayStop] { try connection.routeStops(of: team) }

  package func routes(of team: TeamID) throws -> [StoredRoute] { try connection.routes(of: team) }

  package func keep(
    _ routes: [StoredRoute], of team: TeamID, onlyDays days: Set<RouteDay>? = nil
  ) throws {
    try connection.transaction(of: [team]) {
      if let days {
        for known in try connection.routeDays(of: team) where !days.contains(known) {
          try connection.run(
            "DELETE FROM routes WHERE team_id = ? AND technician_id = ? AND service_day = ?", .integer(team.number),
            .integer(known.technicianID.number), .integer(known.day.rawValue))
        }
      }
      for route in routes { try connection.upsert(route, team: team) }
    }
  }

  package func setRoute(
    _ order: [PoolID], known: [PoolID], on day: RouteDay, from today: CivilDate?, of team: TeamID, now: Timestamp,
    keeping kept: (pool: PoolID, place: Int)?
  ) throws -> RouteChange {
    try connection.transaction(of: [team]) {
      let services = try connection.services(of: team)
      let date = today?.next(day.day)
      let before = try connection.routeStops(of: team).stops(of: day, from: today, by: services)
      let stops = before.map(\.poolID)
      let due = Set(known)
      // Only a pool with its own dates may be missing on one of the weekday's dates.
      guard stops.filter(due.contains) == known, stops.allSatisfy({ due.contains($0) || services[$0] != nil }),
        Set(order) == due, order.count == known.count
      else { return .changedMeanwhile }
      if let kept {
        // The first stop always stays first, without a pin.
        try connection.setPin(kept.place == 1 ? nil : kept.place, of: kept.pool, on: day.day, team: team, services)
      }
      guard order != known else { return .nothing }
      var rest = order[...]
      let whole = stops.map { due.contains($0) ? rest.popFirst() ?? $0 : $0 }
      let placed = date.map { services.placed(order, on: $0) } ?? [:]
      let undo = RouteUndo(
        before: before.map { stop in
          let change = placed[stop.poolID]?.change
          return .init(
            pool: stop.poolID, number: change == nil ? stop.routeOrder : change?.routeOrder, change: change?.id)
        },
        after: whole.enumerated().map { place, pool in
          .init(pool: pool, number: placed[pool]?.position ?? place, change: placed[pool]?.change.id)
        })
      try connection.setOrder(undo.changedStops, on: day.day, of: team, services)
      try connection.run(
        """
        INSERT INTO route_undos (team_id, technician_id, service_day, before, after, applied_ms)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (team_id, technician_id, service_day) DO UPDATE SET before = excluded.before,
          after = excluded.after, applied_ms = excluded.applied_ms
        """, .integer(team.number), .integer(day.technicianID.number), .integer(day.day.rawValue),
        .text(undo.before.words), .text(undo.after.words), .at(now))
      return .done
    }
  }

  package func setPin(_ place: Int?, of pool: PoolID, on day: Weekday, team: TeamID) throws {
    try connection.transaction(of: [team]) {
      try connection.setPin(place, of: pool, on: day, team: team, try connection.services(of: team))
    }
  }

  package func undoRoute(on day: RouteDay, of team: TeamID) throws -> RouteChange {
    try connection.transaction(of: [team]) {
      let undo = try connection.first(
        "SELECT before, after FROM route_undos WHERE team_id = ? AND technician_id = ? AND service_day = ?",
        .integer(team.number), .integer(day.technicianID.number), .integer(day.day.rawValue)
      ) { row throws(StoreError) in
        RouteUndo(before: try RouteUndo.stops(row.text(0)), after: try RouteUndo.stops(row.text(1)))
      }
      guard let undo else { return .nothing }
      let changed = Set(undo.after.filter { $0.change != nil }.map(\.pool))
      let stops = try connection.routeStops(of: team).filter { $0.routeDay == day && !changed.contains($0.poolID) }
      guard stops.map(\.poolID) == undo.after.regular else { return .changedMeanwhile }
      let services = try connection.services(of: team)
      try connection.setOrder(undo.restorable(services), on: day.day, of: team, services)
      try connection.run(
        "DELETE FROM route_undos WHERE team_id = ? AND technician_id = ? AND service_day = ?", .integer(team.number),
        .integer(day.technicianID.number), .integer(day.day.rawValue))
      return .done
    }
  }

  package func serviced(of team: TeamID, from start: Timestamp, to end: Timestamp) throws -> Set<PoolID> {
    try connection.visitedPools(of: team, from: start, to: end)
  }
}

extension Routes {
  /// Applies an order to the stops that the rules give to a weekday.
  package func setRoute(
    _ order: [PoolID], known: [PoolID], on day: RouteDay, of team: TeamID, now: Timestamp,
    keeping kept: (pool: PoolID, place: Int)?
  ) async throws -> RouteChange {
    try await setRoute(order, known: known, on: day, from: nil, of: team, now: now, keeping: kept)
  }
}

extension StoredRoute {
  package var routeDay: RouteDay { RouteDay(technicianID: technicianID, day: day) }
}

extension [PoolID] {
  fileprivate var words: String { map(\.description).joined(separator: " ") }
}

extension Connection {
  /// Parses pool ids separated by spaces.
  ///
  /// - Throws: `StoreError.damaged` for an invalid id.
  fileprivate static func poolIDs(_ text: String) throws(StoreError) -> [PoolID] {
    var ids: [PoolID] = []
    for word in text.split(separator: " ") {
      guard let id = PoolID(String(word)) else {
        throw .damaged(table: "routes", column: "current_order", value: String(word))
      }
      ids.append(id)
    }
    return ids
  }

  /// The pools of a team that were visited from `start` until before `end`.
  func visitedPools(of team: TeamID, from start: Timestamp, to end: Timestamp) throws(StoreError) -> Set<PoolID> {
    Set(
      try rows(
        "SELECT DISTINCT pool_id FROM service_events WHERE team_id = ? AND at_ms >= ? AND at_ms < ?",
        .integer(team.number), .at(start), .at(end)
      ) { row throws(StoreError) in try row.id(0, table: "service_events", name: "pool_id") as PoolID })
  }

  func routeStops(of team: TeamID) throws(StoreError) -> [DayStop] {
    let stops = try weeklyStops(of: team)
    let services = try services(of: team)
    guard !services.isWeekly else { return stops }
    let orders = Dictionary(
      try serviceOrders(of: team).map { (StopKey(pool: $0.pool, day: $0.order.day), $0.order) },
      uniquingKeysWith: { first, _ in first })
    return stops.flatMap { stop in
      (services[stop.poolID]?.weekdays ?? [stop.day]).map { day in
        var own = stop
        own.day = day
        if day != stop.day, let order = orders[StopKey(pool: stop.poolID, day: day)] {
          own.routeOrder = order.routeOrder
          own.pin = order.pin.map { $0 == 0 ? nil : $0 } ?? stop.pin
        }
        return own
      }
    }.inOrder()
  }

  /// A pool on one of its weekdays.
  private struct StopKey: Hashable {
    let pool: PoolID
    let day: Weekday
  }

  /// Every pool as a stop of its own weekday.
  private func weeklyStops(of team: TeamID) throws(StoreError) -> [DayStop] {
    try rows(
      """
      SELECT \(Self.stopColumns) FROM \(Self.stopTables)
      WHERE pools.team_id = ? ORDER BY service_day, technician_id, route_order, pools.pool_id
      """, .integer(team.number)
    ) { row throws(StoreError) in try Self.dayStop(row) }
  }

  /// Columns for `dayStop`, of `stopTables`.
  static let stopColumns = """
    pools.pool_id, customer_name, address, latitude, longitude, technician_id, service_day, route_order,
    coalesce(arrival_window, '') AS arrival_window, coalesce(tags, '') AS tags
    """

  static let stopTables = """
    pools LEFT JOIN customer_profiles AS profile ON profile.team_id = pools.team_id AND profile.pool_id = pools.pool_id
    """

  /// Reads a row with `stopColumns` as a stop of the pool's own weekday, without its care.
  static func dayStop(_ row: Statement) throws(StoreError) -> DayStop {
    let id: PoolID = try row.id("pool_id", table: "pools")
    var profile = CustomerProfile.blank(id)
    profile.tagsCSV = row.text("tags")
    return DayStop(
      poolID: id, customerName: row.text("customer_name"), address: row.text("address"),
      latitude: row.real("latitude"), longitude: row.real("longitude"),
      technicianID: TechnicianID(row.integer("technician_id")),
      day: Weekday(rawValue: row.number("service_day")) ?? .sunday, routeOrder: row.number("route_order"),
      arrivalWindow: row.text("arrival_window"), pin: profile.pin)
  }

  func routes(of team: TeamID) throws(StoreError) -> [StoredRoute] {
    try rows(
      """
      SELECT technician_id, service_day, input_hash, objective, provider, current_order, best_order, unresolved, unpinned,
        current_min, best_min, current_mi, best_mi, current_late_min, best_late_min, is_proven, computed_ms
      FROM routes WHERE team_id = ? ORDER BY service_day, technician_id
      """, .integer(team.number)
    ) { row throws(StoreError) in
      StoredRoute(
        technicianID: TechnicianID(row.integer("technician_id")),
        day: Weekday(rawValue: row.number("service_day")) ?? .sunday,
        inputHash: UInt64(bitPattern: row.integer("input_hash")), objective: try row.word("objective", table: "routes"),
        provider: row.text("provider"), current: try Self.poolIDs(row.text("current_order")),
        best: try Self.poolIDs(row.text("best_order")),
        unresolved: try Self.poolIDs(row.text("unresolved")), unpinned: try Self.poolIDs(row.text("unpinned")),
        figures: RouteFigures(
          minutes: row.real("current_min"), miles: row.real("current_mi"), late: row.real("current_late_min")),
        bestFigures: RouteFigures(
          minutes: row.real("best_min"), miles: row.real("best_mi"), late: row.real("best_late_min")),
        isProven: row.flag("is_proven"), computedAt: row.instant("computed_ms"))
    }
  }

  /// The days for which a computed route is stored.
  fileprivate func routeDays(of team: TeamID) throws(StoreError) -> [RouteDay] {
    try rows("SELECT technician_id, service_day FROM routes WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in
      RouteDay(technicianID: TechnicianID(row.integer(0)), day: Weekday(rawValue: row.number(1)) ?? .sunday)
    }
  }

  fileprivate func upsert(_ route: StoredRoute, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO routes (team_id, technician_id, service_day, input_hash, objective, provider, current_order,
        best_order, unresolved, unpinned, current_min, best_min, current_mi, best_mi, current_late_min, best_late_min, is_proven,
        computed_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (team_id, technician_id, service_day) DO UPDATE SET input_hash = excluded.input_hash,
        objective = excluded.objective, provider = excluded.provider, current_order = excluded.current_order,
        best_order = excluded.best_order, unresolved = excluded.unresolved, unpinned = excluded.unpinned,
        current_min = excluded.current_min, best_min = excluded.best_min, current_mi = excluded.current_mi,
        best_mi = excluded.best_mi, current_late_min = excluded.current_late_min,
        best_late_min = excluded.best_late_min, is_proven = excluded.is_proven, computed_ms = excluded.computed_ms
      """, .integer(team.number), .integer(route.technicianID.number), .integer(route.day.rawValue),
      .integer(Int64(bitPattern: route.inputHash)), .text(route.objective.rawValue), .text(route.provider),
      .text(route.current.words), .text(route.best.words), .text(route.unresolved.words), .text(route.unpinned.words),
      .real(route.figures.minutes), .real(route.bestFigures.minutes), .real(route.figures.miles),
      .real(route.bestFigures.miles), .real(route.figures.late), .real(route.bestFigures.late), .flag(route.isProven),
      .at(route.computedAt))
  }

  /// Pins a pool on a weekday: in its profile on its own one, otherwise with its order of that weekday.
  fileprivate func setPin(
    _ place: Int?, of pool: PoolID, on day: Weekday, team: TeamID, _ services: ServiceCalendar
  ) throws {
    guard let service = services[pool], service.weekday != day else {
      _ = try changeProfile(of: pool, team: team) { $0.pin = place }
      return
    }
    let order = try first(
      "SELECT route_order FROM pools WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(pool)
    ) { row throws(StoreError) in row.integer(0) }
    guard let order else { return }
    try run(
      """
      INSERT INTO service_orders (team_id, pool_id, service_day, route_order, pin) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (team_id, pool_id, service_day) DO UPDATE SET pin = excluded.pin
      """, .integer(team.number), .id(pool), .integer(day.rawValue), .integer(order), .integer(place ?? 0))
  }

  /// Sets the numbers of stops of a weekday, which begin with 0 as in the app. A pool has one number for each of its weekdays,
  /// and another one for a date to which a change put it.
  fileprivate func setOrder(
    _ stops: [RouteUndo.Stop], on day: Weekday, of team: TeamID, _ services: ServiceCalendar
  ) throws(StoreError) {
    let changes = Dictionary(services.changes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for stop in stops {
      if let change = stop.change {
        if let change = changes[change] { try setOrder(of: change, stop.number) }
        continue
      }
      let number = Int64(stop.number ?? 0)
      guard services[stop.pool].map({ $0.weekday == day }) ?? true else {
        try run(
          """
          INSERT INTO service_orders (team_id, pool_id, service_day, route_order) VALUES (?, ?, ?, ?)
          ON CONFLICT (team_id, pool_id, service_day) DO UPDATE SET route_order = excluded.route_order
          """, .integer(team.number), .id(stop.pool), .integer(day.rawValue), .integer(number))
        continue
      }
      try run(
        "UPDATE pools SET route_order = ? WHERE team_id = ? AND pool_id = ?", .integer(number), .integer(team.number),
        .id(stop.pool))
    }
  }
}
