import PoolControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolModel
import PoolRouting
import PoolStore

/// Answers `org.poolflow.Routes`.
struct RoutesAnswers: RoutesService {
  let store: any Pools & Routes & Services & Teams
  let planner: RoutePlanner
  let uploads: Uploads
  let plans: PlanFeatureGate
  let finder: PoolFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements
  let log: DaemonLog
  /// Plans the notice of a changed route; nil where there is no scheduler.
  var scheduling: TeamScheduling?

  func show(_ call: RoutesCall.Show, _ caller: Caller) async throws -> RoutesCall.Show.Reply {
    let team = try await finder.team(named: call.team)
    let days = try await days(of: team, day: call.day, technician: call.technician)
    return RoutesCall.Show.Reply(routes: try await views(of: days, team))
  }

  func optimise(_ call: RoutesCall.Optimise, _ caller: Caller) async throws -> RoutesCall.Optimise.Reply {
    let team = try await finder.team(named: call.team)
    let days = try await planned(team, day: call.day, technician: call.technician)
    return RoutesCall.Optimise.Reply(routes: try await views(of: days, team))
  }

  func compare(_ call: RoutesCall.Compare, _ caller: Caller) async throws -> RoutesCall.Compare.Reply {
    let team = try await finder.team(named: call.team)
    try await plans.requireAccess(.travelOptimization, to: team, called: "route optimisation")
    let (cache, _) = try await planner.cachedTravelTimes(of: team)
    var comparisons: [RouteComparisonView] = []
    for day in try await days(of: team, day: call.day, technician: call.technician) {
      let stops = day.stops.map { $0.routed(team.settings) }
      let legs = await cache.legs(of: stops)
      let app = try DayRoute.optimise(stops, objective: team.objective, algorithm: .reference, legs: legs)
      let best = try DayRoute.optimise(
        stops, objective: team.objective, algorithm: .strong, legs: legs,
        timing: DayRoute.Timing(team.settings))
      comparisons.append(
        RouteComparisonView(
          technician: day.technician, day: DayView(day.key.day), objective: ObjectiveView(team.objective),
          stops: stops.count, unresolved: best.unresolved.count,
          now: RouteFiguresView(best.figures), app: RouteFiguresView(app.bestFigures),
          best: RouteFiguresView(best.bestFigures),
          provider: legs?.provider ?? EstimatedTravelTimes().provider, proven: best.isProvenOptimal))
    }
    return RoutesCall.Compare.Reply(comparisons: comparisons)
  }

  func apply(_ call: RoutesCall.Apply, _ caller: Caller) async throws -> RoutesCall.Apply.Reply {
    let team = try await finder.team(named: call.team)
    // The stored route may be older than the last change, so recompute it for the present stops.
    let days = try await planned(team, day: call.day, technician: call.technician)
    let today = try await planner.firstDate(of: team)
    for day in days {
      guard let route = day.route else { continue }
      let change = try await mappingErrors {
        try await store.setRoute(
          route.best, known: day.stops.map(\.poolID), on: day.key, from: today, of: team.id, now: clock.now(),
          keeping: nil)
      }
      if change == .changedMeanwhile { throw day.changedMeanwhileError(team) }
      if change == .done {
        announce(team, "route of \(day.technician) on \(day.key.day.abbreviation) applied by \(caller.words)")
      }
    }
    return RoutesCall.Apply.Reply(
      routes: try await views(of: try await planned(team, day: call.day, technician: call.technician), team))
  }

  func undo(_ call: RoutesCall.Undo, _ caller: Caller) async throws -> RoutesCall.Undo.Reply {
    let team = try await finder.team(named: call.team)
    let days = try await days(of: team, day: call.day, technician: call.technician)
    var undone = 0
    var stale: TechnicianDay?
    for day in days {
      switch try await mappingErrors({ try await store.undoRoute(on: day.key, of: team.id) }) {
      case .done:
        undone += 1
        announce(team, "route of \(day.technician) on \(day.key.day.abbreviation) undone by \(caller.words)")
      case .changedMeanwhile: stale = day
      case .nothing: break
      }
    }
    if undone == 0, let stale { throw stale.changedMeanwhileError(team) }
    guard undone > 0 else {
      throw ControlError(
        .nothingToUndo,
        "the order of these days was not changed here, or that was undone already; see `pfctl route show`",
        facts: ["name": team.name])
    }
    return RoutesCall.Undo.Reply(
      routes: try await views(of: try await self.days(of: team, day: call.day, technician: call.technician), team))
  }

  /// Moves a stop; where routes are optimised nightly, the stop is also pinned to its new position.
  func move(_ call: RoutesCall.Move, _ caller: Caller) async throws -> RoutesCall.Move.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let weekday = try await weekday(call.day, of: pool, team)
    let (day, date) = try await requiredDay(of: pool, on: weekday, team)
    let order = try day.moving(pool.id, to: call.place)
    let change = try await mappingErrors {
      try await store.setRoute(
        order, known: day.stops.map(\.poolID), on: day.key, from: date, of: team.id, now: clock.now(),
        keeping: team.settings.stopOrder == .best ? (pool.id, call.place) : nil)
    }
    if change == .changedMeanwhile { throw day.changedMeanwhileError(team) }
    announce(
      team, "a stop of \(day.technician) on \(day.key.day.abbreviation) moved to place \(call.place) by \(caller.words)"
    )
    let now = try await requiredDay(of: pool, on: weekday, team).day
    guard let view = try await views(of: [now], team).first else { throw day.changedMeanwhileError(team) }
    return RoutesCall.Move.Reply(route: view)
  }

  func pin(_ call: RoutesCall.Pin, _ caller: Caller) async throws -> RoutesCall.Pin.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let weekday = try await weekday(call.day, of: pool, team)
    // A pool that is not served any more can be unpinned, too.
    let day = try await day(of: pool, on: weekday, team)?.day
    if let place = call.place {
      guard let day else { throw Self.noDate(of: pool, on: weekday, team) }
      try day.checkPin(of: pool.id, at: place)
    }
    try await mappingErrors { try await store.setPin(call.place, of: pool.id, on: weekday, team: team.id) }
    announce(
      team,
      "a stop\(day.map { " of \($0.technician)" } ?? "") on \(weekday.abbreviation) "
        + "\(call.place == nil ? "unpinned" : "pinned") by \(caller.words)"
    )
    return RoutesCall.Pin.Reply(customer: pool.customerName, place: call.place)
  }

  func progress(_ call: RoutesCall.Progress, _ caller: Caller) async throws -> RoutesCall.Progress.Reply {
    let team = try await finder.team(named: call.team)
    let visited = try await visitedToday(team)
    return RoutesCall.Progress.Reply(
      progress: try await days(of: team, day: nil, technician: call.technician).map { day in
        let missing = day.stops.filter { !visited.contains($0.poolID) }
        let progress = day.progress(visited)
        return RouteProgressView(
          technician: day.technician, day: DayView(day.key.day), stops: progress.pools,
          serviced: progress.serviced, complete: progress.isComplete, missing: missing.map(\.customerName))
      })
  }

  /// Announces that a technician's route of today is complete if the visit just logged was its last one.
  func noteCompletion(after visited: PoolID, of team: Team) async {
    do {
      let today = try today(team)
      let stops = try await planner.stops(of: team).filter { $0.day == today }
      guard stops.contains(where: { $0.poolID == visited }),
        let done = CompletedRoute(by: visited, among: stops, serviced: try await visitedToday(team))
      else { return }
      let name = try await store.technicians(of: team.id).first { $0.id == done.day.technicianID }?.name ?? team.name
      announce(team, "route of \(name) on \(today.abbreviation) complete: \(done.stops) stops")
    } catch {
      // The visit is stored; only its announcement fails.
      log.error("could not determine whether a route is complete: \(error)")
    }
  }

  private func today(_ team: Team) throws -> Weekday {
    try zones.zone(asked: team.zone).local(at: clock.now()).date.weekday
  }

  /// Pools with a visit on today's date in the team's zone.
  private func visitedToday(_ team: Team) async throws -> Set<PoolID> {
    let zone = try zones.zone(asked: team.zone)
    let date = zone.local(at: clock.now()).date
    let midnight = TimeOfDay(secondOfDay: 0) ?? .sevenInTheMorning
    let start = zone.resolve(LocalDateTime(date: date, time: midnight)).standard
    let end = zone.resolve(LocalDateTime(date: date.adding(days: 1), time: midnight)).standard
    return try await mappingErrors { try await store.serviced(of: team.id, from: start, to: end) }
  }

  // MARK: Measured times

  func importTable(_ call: RoutesCall.ImportTable, _ caller: Caller) async throws -> RoutesCall.ImportTable.Reply {
    let upload = try await uploads.finished(call.upload, connection: caller.connection)
    let team = try await finder.team(named: call.team)
    try await plans.requireAccess(.travelOptimization, to: team, called: "route optimisation")
    guard upload.bytes <= Limits.routeFileBytes else {
      throw ControlError.badFile(
        "'\(upload.fileName)' has \(sizeText(upload.bytes)); a table has at most \(sizeText(Limits.routeFileBytes))")
    }
    let table: TravelTableFile
    do {
      table = try TravelTableFile(
        bytes: try PrivateFiles.bytes(upload.path, limit: Limits.routeFileBytes), name: upload.fileName)
    } catch let fault as TravelTableFile.Fault {
      throw ControlError.badFile(fault.description)
    }
    try await mappingErrors {
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
    let team = try await finder.team(named: call.team)
    let had = try await store.travelTable(of: team.id) != nil
    try await mappingErrors { try await store.setTravelTable(nil, of: team.id) }
    if had { announce(team, "measured times removed by \(caller.words)") }
    return RoutesCall.RemoveTable.Reply(removed: had)
  }

  // MARK: Days

  /// The days of the query, each with an up-to-date route.
  private func planned(_ team: Team, day: String?, technician: String?) async throws -> [TechnicianDay] {
    try await plans.requireAccess(.travelOptimization, to: team, called: "route optimisation")
    let days = try await days(of: team, day: day, technician: technician)
    do {
      _ = try await mappingErrors { try await planner.plan(team, only: Set(days.map(\.key))) }
    } catch let error as RouteError {
      throw ControlError.badValue(field: "day", value: day ?? "", why: "\(error)")
    }
    return try await self.days(of: team, day: day, technician: technician)
  }

  /// The days of the query.
  ///
  /// - Parameter day: a weekday, or `all`; nil for today.
  /// - Throws: `ControlError.noSuchRoute` if no stop matches.
  private func days(of team: Team, day: String?, technician: String?) async throws -> [TechnicianDay] {
    let only = if let technician { try await finder.technician(technician, of: team).id } else { nil as TechnicianID? }
    let wanted: Weekday? = day?.lowercased() == "all" ? nil : try day.map { try Weekday(asked: $0) } ?? today(team)
    let days = try await days(of: team) {
      (wanted == nil || $0.day == wanted) && (only == nil || $0.technicianID == only)
    }
    guard !days.isEmpty else {
      let when = wanted.map { "on \($0.abbreviation)" } ?? "on any day"
      throw ControlError(
        .noSuchRoute, "\(technician ?? "team '\(team.name)'") has no stop \(when); `pfctl pool list` shows the days",
        facts: ["name": team.name])
    }
    return days
  }

  /// Days with stops, by weekday and technician.
  private func days(of team: Team, where isWanted: (RouteDay) -> Bool) async throws -> [TechnicianDay] {
    try await days(of: team, stops: try await mappingErrors { try await planner.stops(of: team) }, where: isWanted)
  }

  private func days(
    of team: Team, stops: [DayStop], where isWanted: (RouteDay) -> Bool
  ) async throws -> [TechnicianDay] {
    let routes = Dictionary(
      try await store.routes(of: team.id).map { ($0.routeDay, $0) }, uniquingKeysWith: { first, _ in first })
    let table = try await planner.cachedTravelTimes(of: team).table
    let names = Dictionary(
      try await store.technicians(of: team.id).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return Dictionary(grouping: stops, by: \.routeDay).filter { key, _ in isWanted(key) }.map { key, stops in
      TechnicianDay(
        key: key, technician: names[key.technicianID] ?? team.name, stops: stops, route: routes[key],
        hash: NightlyRoute.inputHash(
          stops.map { $0.routed(team.settings) }, objective: team.objective, table: table,
          timing: DayRoute.Timing(team.settings)))
    }.sorted { ($0.key.day.rawValue, $0.technician) < ($1.key.day.rawValue, $1.technician) }
  }

  /// The weekday of a pool that a call concerns.
  ///
  /// - Parameter text: the call's weekday; nil for the pool's only one.
  private func weekday(_ text: String?, of pool: Pool, _ team: Team) async throws -> Weekday {
    let weekdays = try await store.services(of: team.id)[pool.id]?.weekdays ?? [pool.serviceDay]
    let served =
      "the pool of \(pool.customerName) is served on " + weekdays.map(\.abbreviation).joined(separator: ", ")
    if let text {
      let asked = try Weekday(asked: text)
      guard weekdays.contains(asked) else { throw ControlError.badValue(field: "day", value: text, why: served) }
      return asked
    }
    guard weekdays.count == 1, let only = weekdays.first else {
      throw ControlError.badValue(field: "day", value: "", why: served + "; name one of these weekdays with --day")
    }
    return only
  }

  /// The stops of the technician who serves a pool on the next date of a weekday on which it is served.
  ///
  /// - Returns: the day and its date; nil if no date is left. The date is nil for a team of weekly pools, whose weekdays are all
  ///   alike.
  private func day(
    of pool: Pool, on weekday: Weekday, _ team: Team
  ) async throws -> (day: TechnicianDay, date: CivilDate?)? {
    let services = try await store.services(of: team.id)
    let service = services[pool.id] ?? PoolService(weekday: pool.serviceDay)
    var date = service.next(onOrAfter: try zones.zone(asked: team.zone).local(at: clock.now()).date)
    while let found = date, found.weekday != weekday { date = service.next(onOrAfter: found.adding(days: 1)) }
    guard let date else { return nil }
    let stops = try await mappingErrors { try await store.routeStops(of: team.id) }.due(from: date, by: services)
    guard let own = stops.first(where: { $0.poolID == pool.id && $0.day == weekday })?.routeDay,
      let day = try await days(of: team, stops: stops, where: { $0 == own }).first
    else { return nil }
    return (day, services.isWeekly ? nil : date)
  }

  private func requiredDay(
    of pool: Pool, on weekday: Weekday, _ team: Team
  ) async throws -> (day: TechnicianDay, date: CivilDate?) {
    guard let day = try await day(of: pool, on: weekday, team) else {
      throw Self.noDate(of: pool, on: weekday, team)
    }
    return day
  }

  private static func noDate(of pool: Pool, on weekday: Weekday, _ team: Team) -> ControlError {
    ControlError(
      .noSuchRoute,
      "the pool of \(pool.customerName) is not served on any \(weekday.abbreviation) from today on; `pfctl service list "
        + "--team \(team.name)` shows its dates", facts: ["name": pool.customerName])
  }

  private func views(of days: [TechnicianDay], _ team: Team) async throws -> [RouteView] {
    let (cache, _) = try await planner.cachedTravelTimes(of: team)
    var views: [RouteView] = []
    for day in days {
      views.append(
        day.view(of: team, legs: await cache.legs(of: day.stops.map { $0.routed(team.settings) })) {
          zones.local($0, zone: team.zone)
        })
    }
    return views
  }
}

extension RouteFiguresView {
  fileprivate init(_ figures: RouteFigures) {
    self.init(minutes: figures.minutes, miles: figures.miles, lateMinutes: figures.late)
  }
}

extension TravelTimeCache {
  /// The travel times between the stops; nil if the day has more than `Limits.routeMatrixStops` stops.
  fileprivate func legs(of stops: [DayRoute.Stop]) -> Legs? {
    let places = DayRoute.sorted(stops).compactMap(\.place)
    return places.count > Limits.routeMatrixStops ? nil : legs(between: places)
  }
}
