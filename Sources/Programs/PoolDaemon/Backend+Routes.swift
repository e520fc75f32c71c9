import PoolCalendar
import PoolControl
import PoolModel
import PoolPlatform
import PoolRouting
import PoolStore

extension Backend {
  /// A day with all that is known of it.
  private struct Day {
    let key: RouteDay
    let technician: String
    /// In the order of now.
    let stops: [RouteStopRecord]
    let route: StoredRoute?
    /// Of the stops as they are now: the stored answer is to this question or to another one.
    let hash: UInt64
  }

  func show(_ call: RoutesCall.Show, _ caller: Caller) async throws -> RoutesCall.Show.Reply {
    let team = try await team(named: call.team)
    let days = try await days(of: team, day: call.day, technician: call.technician)
    return RoutesCall.Show.Reply(routes: try await views(of: days, team))
  }

  func optimise(_ call: RoutesCall.Optimise, _ caller: Caller) async throws -> RoutesCall.Optimise.Reply {
    let team = try await team(named: call.team)
    let days = try await planned(team, day: call.day, technician: call.technician)
    return RoutesCall.Optimise.Reply(routes: try await views(of: days, team))
  }

  func compare(_ call: RoutesCall.Compare, _ caller: Caller) async throws -> RoutesCall.Compare.Reply {
    let team = try await team(named: call.team)
    try await open(.routeOptimization, to: team, called: "route optimisation")
    let (cache, _) = try await planner.travelTimes(of: team)
    var comparisons: [RouteComparisonView] = []
    for day in try await days(of: team, day: call.day, technician: call.technician) {
      let stops = day.stops.map(\.routed)
      let legs = await legs(of: stops, cache)
      let app = try DayRoute.optimise(stops, objective: team.objective, algorithm: .reference, legs: legs)
      let best = try DayRoute.optimise(stops, objective: team.objective, algorithm: .strong, legs: legs)
      comparisons.append(
        RouteComparisonView(
          technician: day.technician, day: day.key.day.abbreviation, objective: team.objective.rawValue,
          stops: stops.count, unresolved: best.unresolved.count,
          now: RouteFiguresView(minutes: best.currentMinutes, miles: best.currentMiles),
          app: RouteFiguresView(minutes: app.optimisedMinutes, miles: app.optimisedMiles),
          best: RouteFiguresView(minutes: best.optimisedMinutes, miles: best.optimisedMiles),
          provider: legs?.provider ?? EstimatedTravelTimes().provider, proven: best.isProvenOptimal))
    }
    return RoutesCall.Compare.Reply(comparisons: comparisons)
  }

  func apply(_ call: RoutesCall.Apply, _ caller: Caller) async throws -> RoutesCall.Apply.Reply {
    let team = try await team(named: call.team)
    // The night may have been before the last change: what is applied is the answer to the day as it is.
    let days = try await planned(team, day: call.day, technician: call.technician)
    for day in days {
      guard let route = day.route else { continue }
      let change = try await refusing {
        try await store.setRoute(
          route.best, known: day.stops.map(\.poolID), on: day.key, of: team.id, now: clock.now())
      }
      if change == .changedMeanwhile { throw ControlError.routeChanged(day.key, team) }
      if change == .done { announce(team, "route of \(day.technician) on \(day.key.day) applied by \(caller.words)") }
    }
    return RoutesCall.Apply.Reply(
      routes: try await views(of: try await planned(team, day: call.day, technician: call.technician), team))
  }

  func undo(_ call: RoutesCall.Undo, _ caller: Caller) async throws -> RoutesCall.Undo.Reply {
    let team = try await team(named: call.team)
    let days = try await days(of: team, day: call.day, technician: call.technician)
    var undone = 0
    var stale: RouteDay?
    for day in days {
      switch try await refusing({ try await store.undoRoute(on: day.key, of: team.id) }) {
      case .done:
        undone += 1
        announce(team, "route of \(day.technician) on \(day.key.day) taken back by \(caller.words)")
      case .changedMeanwhile: stale = day.key
      case .nothing: break
      }
    }
    if undone == 0, let stale { throw ControlError.routeChanged(stale, team) }
    guard undone > 0 else {
      throw ControlError(
        .nothingToUndo, "no order of these days was changed here, or it was taken back already; see `pfctl route show`",
        facts: ["name": team.name])
    }
    return RoutesCall.Undo.Reply(
      routes: try await views(of: try await self.days(of: team, day: call.day, technician: call.technician), team))
  }

  func move(_ call: RoutesCall.Move, _ caller: Caller) async throws -> RoutesCall.Move.Reply {
    let team = try await team(named: call.team)
    let day = try await day(of: try await pool(call.pool, of: team), team)
    var order = day.stops.map(\.poolID)
    guard (1...order.count).contains(call.place) else {
      throw ControlError.badValue(
        field: "place", value: "\(call.place)", why: "the day has places 1 to \(order.count)")
    }
    let pool = try await pool(call.pool, of: team)
    order.removeAll { $0 == pool.id }
    order.insert(pool.id, at: call.place - 1)
    let change = try await refusing {
      try await store.setRoute(
        order, known: day.stops.map(\.poolID), on: day.key, of: team.id, now: clock.now())
    }
    if change == .changedMeanwhile { throw ControlError.routeChanged(day.key, team) }
    announce(team, "a stop of \(day.technician) on \(day.key.day) moved to place \(call.place) by \(caller.words)")
    let now = try await self.day(of: pool, team)
    guard let view = try await views(of: [now], team).first else { throw ControlError.routeChanged(day.key, team) }
    return RoutesCall.Move.Reply(route: view)
  }

  func pin(_ call: RoutesCall.Pin, _ caller: Caller) async throws -> RoutesCall.Pin.Reply {
    let team = try await team(named: call.team)
    let pool = try await pool(call.pool, of: team)
    let day = try await day(of: pool, team)
    if let place = call.place {
      guard (1...day.stops.count).contains(place) else {
        throw ControlError.badValue(
          field: "place", value: "\(place)", why: "the day has places 1 to \(day.stops.count)")
      }
      guard place != 1 || day.stops.first?.poolID == pool.id else {
        throw ControlError.badValue(
          field: "place", value: "1", why: "the day begins at its first stop; `pfctl route move` makes it another")
      }
      if let other = day.stops.first(where: { $0.pin == place && $0.poolID != pool.id }) {
        throw ControlError.badValue(
          field: "place", value: "\(place)", why: "'\(other.customerName)' is pinned there; set that one free first")
      }
    }
    _ = try await refusing { try await store.changeProfile(of: pool.id, team: team.id) { $0.setPin(call.place) } }
    announce(
      team,
      "a stop of \(day.technician) on \(day.key.day) \(call.place == nil ? "set free" : "pinned") by \(caller.words)")
    return RoutesCall.Pin.Reply(customer: pool.customerName, place: call.place)
  }

  func progress(_ call: RoutesCall.Progress, _ caller: Caller) async throws -> RoutesCall.Progress.Reply {
    let team = try await team(named: call.team)
    let visited = try await visitedToday(team)
    return RoutesCall.Progress.Reply(
      progress: try await days(of: team, day: nil, technician: call.technician).map { day in
        let missing = day.stops.filter { !visited.contains($0.poolID) }
        let progress = RouteProgress(pools: day.stops.count, serviced: day.stops.count - missing.count)
        return RouteProgressView(
          technician: day.technician, day: day.key.day.abbreviation, stops: progress.pools,
          serviced: progress.serviced, complete: progress.isComplete, missing: missing.map(\.customerName))
      })
  }

  /// Tells that a technician's route of today is complete, if the visit that was just logged was its last one.
  func noteCompletion(after visited: PoolID, of team: Team) async {
    do {
      let today = try zone(named: team.zone).local(at: clock.now()).date.weekday
      let stops = try await store.routeStops(of: team.id).filter { $0.day == today }
      guard let day = stops.first(where: { $0.poolID == visited })?.routeDay else { return }
      let pools = stops.filter { $0.routeDay == day }.map(\.poolID)
      let serviced = try await visitedToday(team)
      guard RouteProgress(pools: pools.count, serviced: pools.count { serviced.contains($0) }).countsAsRoute else {
        return
      }
      let name = try await store.technicians(of: team.id).first { $0.id == day.technicianID }?.name ?? team.name
      announce(team, "route of \(name) on \(today) complete: \(pools.count) stops")
    } catch {
      // The visit stands; only the news of it is missing.
      log.error("whether a route is complete could not be told: \(error)")
    }
  }

  private func visitedToday(_ team: Team) async throws -> Set<PoolID> {
    let zone = try zone(named: team.zone)
    let date = zone.local(at: clock.now()).date
    let midnight = TimeOfDay(secondOfDay: 0) ?? .sevenInTheMorning
    let start = zone.resolve(LocalDateTime(date: date, time: midnight)).standard
    let end = zone.resolve(LocalDateTime(date: date.adding(days: 1), time: midnight)).standard
    return try await refusing { try await store.serviced(of: team.id, from: start, to: end) }
  }

  // MARK: Measured times

  func importTable(_ call: RoutesCall.ImportTable, _ caller: Caller) async throws -> RoutesCall.ImportTable.Reply {
    let upload = try await uploads.finished(call.upload, connection: caller.connection)
    let team = try await team(named: call.team)
    try await open(.routeOptimization, to: team, called: "route optimisation")
    guard upload.bytes <= Limits.routeFileBytes else {
      throw ControlError.badFile(
        "'\(upload.fileName)' has \(upload.bytes) bytes; a table has at most \(Limits.routeFileBytes >> 20) MiB")
    }
    let table: TravelTableFile
    do {
      table = try TravelTableFile(
        bytes: try PrivateFiles.bytes(upload.path, limit: Limits.routeFileBytes), name: upload.fileName)
    } catch let fault as TravelTableFile.Fault {
      throw ControlError.badFile(fault.description)
    }
    try await refusing {
      try await store.setTravelTable(
        StoredTravelTable(
          name: upload.fileName, places: table.places.map { (latitude: $0.latitude, longitude: $0.longitude) },
          minutes: table.minutes, importedAt: clock.now()), of: team.id)
    }
    try await uploads.remove(call.upload, connection: caller.connection)
    announce(team, "measured times between \(table.places.count) places imported by \(caller.words)")
    let count = table.places.count
    return RoutesCall.ImportTable.Reply(
      places: count, known: table.known, pairs: count * (count - 1))
  }

  func removeTable(_ call: RoutesCall.RemoveTable, _ caller: Caller) async throws -> RoutesCall.RemoveTable.Reply {
    let team = try await team(named: call.team)
    let had = try await store.travelTable(of: team.id) != nil
    try await refusing { try await store.setTravelTable(nil, of: team.id) }
    if had { announce(team, "measured times removed by \(caller.words)") }
    return RoutesCall.RemoveTable.Reply(removed: had)
  }

  // MARK: Days

  /// The days asked about, each put in order unless its answer is known.
  private func planned(_ team: Team, day: String?, technician: String?) async throws -> [Day] {
    try await open(.routeOptimization, to: team, called: "route optimisation")
    let days = try await days(of: team, day: day, technician: technician)
    do {
      _ = try await refusing { try await planner.plan(team, only: Set(days.map(\.key))) }
    } catch let error as RouteError {
      throw ControlError.badValue(field: "day", value: day ?? "", why: "\(error)")
    }
    return try await self.days(of: team, day: day, technician: technician)
  }

  /// - Throws: `ControlError.noSuchRoute` where nobody has a stop then.
  private func days(of team: Team, day: String?, technician: String?) async throws -> [Day] {
    let technicians = try await store.technicians(of: team.id)
    var only: TechnicianID?
    if let technician {
      guard let found = technicians.first(where: { $0.name.lowercased() == technician.lowercased() }) else {
        throw ControlError.noSuchTechnician(
          technician, team: team.name, suggestion: Suggestion.nearest(to: technician, among: technicians.map(\.name)))
      }
      only = found.id
    }
    let today = try zone(named: team.zone).local(at: clock.now()).date.weekday
    let wanted: Weekday? = day?.lowercased() == "all" ? nil : try day.map { try weekday($0) } ?? today
    let stops = try await refusing { try await store.routeStops(of: team.id) }
    let routes = Dictionary(
      try await store.routes(of: team.id).map { ($0.routeDay, $0) }, uniquingKeysWith: { first, _ in first })
    let table = try await planner.travelTimes(of: team).table
    let groups = Dictionary(grouping: stops, by: \.routeDay)
    let names = Dictionary(technicians.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let days = groups.filter { key, _ in
      (wanted == nil || key.day == wanted) && (only == nil || key.technicianID == only)
    }.map { key, stops in
      Day(
        key: key, technician: names[key.technicianID] ?? team.name, stops: stops, route: routes[key],
        hash: NightlyRoute.inputHash(stops.map(\.routed), objective: team.objective, table: table))
    }
    guard !days.isEmpty else {
      let when = wanted.map { "on \($0)" } ?? "on any day"
      throw ControlError(
        .noSuchRoute, "\(technician ?? "team '\(team.name)'") has no stop \(when); `pfctl pool list` shows the days",
        facts: ["name": team.name])
    }
    return days.sorted { ($0.key.day.rawValue, $0.technician) < ($1.key.day.rawValue, $1.technician) }
  }

  /// The day of a pool.
  private func day(of pool: Pool, _ team: Team) async throws -> Day {
    let days = try await days(of: team, day: "all", technician: nil)
    guard let day = days.first(where: { $0.stops.contains { $0.poolID == pool.id } }) else {
      throw ControlError.noSuchPool(pool.customerName, team: team.name)
    }
    return day
  }

  private func legs(of stops: [DayRoute.Stop], _ cache: TravelTimeCache) async -> TravelTimeCache.Legs? {
    let places = DayRoute.sorted(stops).compactMap(\.place)
    return places.count > Limits.routeMatrixStops ? nil : await cache.legs(between: places)
  }

  private func views(of days: [Day], _ team: Team) async throws -> [RouteView] {
    let (cache, _) = try await planner.travelTimes(of: team)
    var views: [RouteView] = []
    for day in days {
      let stops = day.stops.map(\.routed)
      let legs = await legs(of: stops, cache)
      let places = stops.compactMap(\.place)
      let now = DayRoute.figures(Array(places.indices), places, legs)
      // An answer to another question is none.
      let best = day.route.flatMap { $0.inputHash == day.hash ? $0 : nil }
      let names = Dictionary(day.stops.map { ($0.poolID, $0.customerName) }, uniquingKeysWith: { first, _ in first })
      let bestPlaces = Dictionary(
        (best?.best ?? []).enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
      views.append(
        RouteView(
          technician: day.technician, day: day.key.day.abbreviation, objective: team.objective.rawValue,
          stops: zip(day.stops, stops).enumerated().map { index, stop in
            view(of: stop.0, stop.1, place: index + 1, bestPlace: bestPlaces[stop.0.poolID])
          },
          minutes: now.minutes, miles: now.miles, bestMinutes: best?.bestMinutes, bestMiles: best?.bestMiles,
          savedMinutes: best?.savedMinutes, provider: legs?.provider ?? EstimatedTravelTimes().provider,
          proven: best?.isProven ?? false, fresh: best != nil, computedAt: day.route?.computedAt.description,
          computedLocal: day.route.map { local($0.computedAt, zone: team.zone) },
          unpinned: (best?.unpinned ?? []).compactMap { names[$0] }))
    }
    return views
  }

  private func view(of record: RouteStopRecord, _ stop: DayRoute.Stop, place: Int, bestPlace: Int?) -> RouteStopView {
    RouteStopView(
      id: record.poolID.description, customer: record.customerName, address: record.address,
      latitude: stop.place?.latitude, longitude: stop.place?.longitude, place: place, bestPlace: bestPlace,
      pin: record.pin, window: stop.window == nil ? nil : record.arrivalWindow,
      opensMinute: stop.window.map { Int($0.opens) }, closesMinute: stop.window.map { Int($0.closes) })
  }
}

extension ControlError {
  fileprivate static func routeChanged(_ day: RouteDay, _ team: Team) -> ControlError {
    ControlError(
      .routeChanged,
      "the route of \(day.day) has other stops or another order than before; look again with "
        + "`pfctl route show \(team.name) --day \(day.day.abbreviation)`", facts: ["name": day.day.abbreviation])
  }
}
