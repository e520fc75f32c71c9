package import FlowModel
import FlowStore
package import PoolModel

/// A stop of a day's route.
package struct RouteStopRecord: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let address: String
  package let latitude: Double
  package let longitude: Double
  package fileprivate(set) var technicianID: TechnicianID
  package fileprivate(set) var day: Weekday
  package fileprivate(set) var routeOrder: Int
  /// Text from the customer profile; empty if there is none.
  package let arrivalWindow: String
  /// Pinned position, from 1; nil if not pinned.
  package fileprivate(set) var pin: Int?
}

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

  package var savedMinutes: Double { max(0, figures.minutes - bestFigures.minutes) }
}

/// Measured travel times between a team's locations.
package struct StoredTravelTable: Hashable, Sendable {
  package let name: String
  package let places: [(latitude: Double, longitude: Double)]
  /// Minutes row by row, from each location to each; nil if unknown.
  package let minutes: [Double?]
  package let importedAt: Timestamp

  package init(
    name: String, places: [(latitude: Double, longitude: Double)], minutes: [Double?], importedAt: Timestamp
  ) {
    self.name = name
    self.places = places
    self.minutes = minutes
    self.importedAt = importedAt
  }

  package static func == (left: StoredTravelTable, right: StoredTravelTable) -> Bool {
    left.name == right.name && left.importedAt == right.importedAt && left.minutes == right.minutes
      && left.places.elementsEqual(right.places, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(importedAt)
  }
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
  package func routeStops(of team: TeamID) throws -> [RouteStopRecord] { try connection.routeStops(of: team) }

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
      let stops = try connection.routeStops(of: team).stops(of: day, from: today, by: services).map(\.poolID)
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
      let changes = order.enumerated().compactMap { position, pool in
        date.flatMap { services.changedStop(of: pool, on: $0) }?.changes.last.map { (pool, (change: $0, position)) }
      }
      try connection.setOrder(
        whole, on: day.day, of: team, services, changes: Dictionary(changes, uniquingKeysWith: { first, _ in first }))
      // The order of a stop that is here on one date only ends with that date, so there is nothing to undo.
      func isRegular(_ pool: PoolID) -> Bool { date.flatMap { services.changedStop(of: pool, on: $0) } == nil }
      let (before, after) = (stops.filter(isRegular), whole.filter(isRegular))
      guard before != after else { return .done }
      try connection.run(
        """
        INSERT INTO route_undos (team_id, technician_id, service_day, before, after, applied_ms)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (team_id, technician_id, service_day) DO UPDATE SET before = excluded.before,
          after = excluded.after, applied_ms = excluded.applied_ms
        """, .integer(team.number), .integer(day.technicianID.number), .integer(day.day.rawValue), .text(before.words),
        .text(after.words), .at(now))
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
        (before: try Connection.poolIDs(row.text(0)), after: try Connection.poolIDs(row.text(1)))
      }
      guard let undo else { return .nothing }
      let stops = try connection.routeStops(of: team).filter { $0.routeDay == day }.map(\.poolID)
      guard stops == undo.after else { return .changedMeanwhile }
      try connection.setOrder(undo.before, on: day.day, of: team, try connection.services(of: team))
      try connection.run(
        "DELETE FROM route_undos WHERE team_id = ? AND technician_id = ? AND service_day = ?", .integer(team.number),
        .integer(day.technicianID.number), .integer(day.day.rawValue))
      return .done
    }
  }

  package func serviced(of team: TeamID, from start: Timestamp, to end: Timestamp) throws -> Set<PoolID> {
    try connection.visitedPools(of: team, from: start, to: end)
  }

  package func travelTable(of team: TeamID) throws -> StoredTravelTable? {
    try connection.first(
      "SELECT name, places, minutes, imported_ms FROM travel_tables WHERE team_id = ?", .integer(team.number)
    ) {
      row throws(StoreError) in
      let places = row.text("places").split(separator: " ").compactMap { place -> (Double, Double)? in
        let parts = place.split(separator: ",").compactMap { Double($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }
      let minutes = row.text("minutes").split(separator: " ").map { Double($0) }
      guard minutes.count == places.count * places.count else {
        throw .damaged(table: "travel_tables", column: "minutes", value: "\(minutes.count) numbers")
      }
      return StoredTravelTable(
        name: row.text("name"), places: places.map { (latitude: $0.0, longitude: $0.1) }, minutes: minutes,
        importedAt: row.instant("imported_ms"))
    }
  }

  package func setTravelTable(_ table: StoredTravelTable?, of team: TeamID) throws {
    try connection.transaction(of: [team]) {
      try connection.run("DELETE FROM travel_tables WHERE team_id = ?", .integer(team.number))
      guard let table else { return }
      try connection.run(
        "INSERT INTO travel_tables (team_id, name, places, minutes, imported_ms) VALUES (?, ?, ?, ?, ?)",
        .integer(team.number), .text(table.name),
        .text(table.places.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")),
        .text(table.minutes.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")), .at(table.importedAt))
    }
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

/// One technician's weekday.
package struct RouteDay: Hashable, Sendable {
  package let technicianID: TechnicianID
  package let day: Weekday

  package init(technicianID: TechnicianID, day: Weekday) {
    self.technicianID = technicianID
    self.day = day
  }
}

extension [RouteStopRecord] {
  /// The stops that are served on the next date of their weekday, each with the technician of that date. A stop that was moved
  /// to one of these dates is among them.
  ///
  /// - Parameter today: the first date; a weekday means its next date from then on.
  package func due(from today: CivilDate, by services: ServiceCalendar) -> [RouteStopRecord] {
    var changed: [(record: RouteStopRecord, position: Int?, change: Int64)] = []
    let kept = filter { stop in
      let date = today.next(stop.day)
      return services.changedStop(of: stop.poolID, on: date) == nil
        && services.isServed(stop.poolID, weekday: stop.day, on: date)
    }
    for pool in services.pools {
      guard let service = services[pool] else { continue }
      for date in service.changedDates where date >= today && date < today.adding(days: 7) {
        guard service.isServed(on: date), let stop = service.changedStop(on: date),
          let record = first(where: { $0.poolID == pool && $0.day == date.weekday })
            ?? first(where: { $0.poolID == pool })
        else { continue }
        changed.append((record.changed(by: stop, on: date), stop.routeOrder, stop.changes.last?.id ?? 0))
      }
    }
    guard !changed.isEmpty else { return kept }
    let placed = changed.compactMap { one in one.position.map { (stop: one.record, position: $0, change: one.change) } }
    return (kept + changed.filter { $0.position == nil }.map(\.record)).sorted().placing(
      placed.sorted { $0.change < $1.change }.map { ($0.stop, $0.position) },
      isSameDay: { $0.routeDay == $1.routeDay }
    ).sortedByDay()
  }

  /// Every stop that a technician's weekday may have, and those that changes put on its next date.
  ///
  /// - Parameter today: the first date; nil for the stops of the rules alone.
  fileprivate func stops(
    of day: RouteDay, from today: CivilDate?, by services: ServiceCalendar
  ) -> [RouteStopRecord] {
    let regular = filter { $0.routeDay == day }
    guard let today, !services.isWeekly else { return regular }
    let date = today.next(day.day)
    let due = due(from: today, by: services)
    let changed = due.filter {
      $0.routeDay == day && services.changedStop(of: $0.poolID, on: date) != nil
    }
    guard !changed.isEmpty else { return regular }
    let pools = Set(changed.map(\.poolID))
    var stops = regular.filter { !pools.contains($0.poolID) }
    // Stops that are not served on this date keep their order, and the others have that of the date.
    var before: PoolID?
    for stop in due where stop.routeDay == day {
      if pools.contains(stop.poolID) {
        stops.insert(stop, at: stops.firstIndex { $0.poolID == before }.map { $0 + 1 } ?? 0)
      }
      before = stop.poolID
    }
    return stops
  }

  /// The stops by weekday and technician, otherwise in the same order.
  fileprivate func sortedByDay() -> [RouteStopRecord] {
    enumerated().sorted {
      ($0.element.day, $0.element.technicianID.number, $0.offset)
        < ($1.element.day, $1.element.technicianID.number, $1.offset)
    }.map(\.element)
  }

  /// The stops by weekday, technician, route order and pool.
  fileprivate func sorted() -> [RouteStopRecord] {
    sorted {
      ($0.day, $0.technicianID.number, $0.routeOrder, $0.poolID)
        < ($1.day, $1.technicianID.number, $1.routeOrder, $1.poolID)
    }
  }
}

extension RouteStopRecord {
  /// The stop as changes made it on one date.
  fileprivate func changed(by stop: ChangedStop, on date: CivilDate) -> RouteStopRecord {
    var own = self
    own.day = date.weekday
    own.technicianID = stop.technician ?? technicianID
    own.routeOrder = stop.routeOrder ?? routeOrder
    return own
  }
}

extension CivilDate {
  /// The first date of a weekday from this date on.
  fileprivate func next(_ day: Weekday) -> CivilDate { adding(days: (day.rawValue - weekday.rawValue + 7) % 7) }
}

extension RouteStopRecord {
  package var routeDay: RouteDay { RouteDay(technicianID: technicianID, day: day) }
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

  func routeStops(of team: TeamID) throws(StoreError) -> [RouteStopRecord] {
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
    }.sorted()
  }

  /// A pool on one of its weekdays.
  private struct StopKey: Hashable {
    let pool: PoolID
    let day: Weekday
  }

  /// Every pool as a stop of its own weekday.
  private func weeklyStops(of team: TeamID) throws(StoreError) -> [RouteStopRecord] {
    try rows(
      """
      SELECT pools.pool_id, customer_name, address, latitude, longitude, technician_id, service_day, route_order,
        coalesce(arrival_window, '') AS arrival_window, coalesce(tags, '') AS tags
      FROM pools LEFT JOIN customer_profiles AS profile
        ON profile.team_id = pools.team_id AND profile.pool_id = pools.pool_id
      WHERE pools.team_id = ? ORDER BY service_day, technician_id, route_order, pools.pool_id
      """, .integer(team.number)
    ) { row throws(StoreError) in
      let id: PoolID = try row.id("pool_id", table: "pools")
      var profile = CustomerProfile.blank(id)
      profile.tagsCSV = row.text("tags")
      return RouteStopRecord(
        poolID: id, customerName: row.text("customer_name"), address: row.text("address"),
        latitude: row.real("latitude"), longitude: row.real("longitude"),
        technicianID: TechnicianID(row.integer("technician_id")),
        day: Weekday(rawValue: row.number("service_day")) ?? .sunday,
        routeOrder: row.number("route_order"), arrivalWindow: row.text("arrival_window"),
        pin: profile.pin)
    }
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

  /// Numbers the stops of a weekday from 0, like the app. A pool has one number for each of its weekdays, and another one for
  /// a date to which a change put it.
  ///
  /// - Parameter changes: the changes that put stops on the date of the order, and their positions in it.
  fileprivate func setOrder(
    _ order: [PoolID], on day: Weekday, of team: TeamID, _ services: ServiceCalendar,
    changes: [PoolID: (change: ServiceDateChange, position: Int)] = [:]
  ) throws(StoreError) {
    for (place, pool) in order.enumerated() {
      if let (change, position) = changes[pool] {
        try setOrder(of: change, position)
        continue
      }
      guard services[pool].map({ $0.weekday == day }) ?? true else {
        try run(
          """
          INSERT INTO service_orders (team_id, pool_id, service_day, route_order) VALUES (?, ?, ?, ?)
          ON CONFLICT (team_id, pool_id, service_day) DO UPDATE SET route_order = excluded.route_order
          """, .integer(team.number), .id(pool), .integer(day.rawValue), .integer(place))
        continue
      }
      try run(
        "UPDATE pools SET route_order = ? WHERE team_id = ? AND pool_id = ?", .integer(place), .integer(team.number),
        .id(pool))
    }
  }
}
