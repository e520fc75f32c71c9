import PoolDigests
import PoolModel
import PoolPlatform
import PoolRouting
import PoolStore

/// Works out the best order of days and keeps it: for the night's job, and for whoever asks in between.
struct RoutePlanner: Sendable {
  let store: any Routes
  let clock: any WallClock
  /// Of every team that has no measured times of its own.
  let cache: TravelTimeCache

  /// How many days were worked out, and how many had not changed.
  struct Tally: Sendable {
    var planned = 0
    var unchanged = 0
    var savedMinutes = 0.0
    /// Days that were given their best order.
    var applied = 0
  }

  init(store: any Routes, clock: any WallClock) {
    self.store = store
    self.clock = clock
    cache = TravelTimeCache()
  }

  /// Puts a team's days in order whose inputs are others than at the last time, and forgets days without stops.
  ///
  /// - Parameter only: these days; nil for all of them.
  @concurrent
  @discardableResult
  func plan(_ team: Team, only: Set<RouteDay>? = nil) async throws -> Tally {
    let stops = Dictionary(grouping: try await store.routeStops(of: team.id), by: \.routeDay)
    let known = Dictionary(
      try await store.routes(of: team.id).map { ($0.routeDay, $0.inputHash) }, uniquingKeysWith: { first, _ in first })
    let (cache, table) = try await travelTimes(of: team)
    var tally = Tally()
    var planned: [StoredRoute] = []
    for (day, stops) in stops where only?.contains(day) ?? true {
      try Task.checkCancellation()
      let answer = try await NightlyRoute.plan(
        stops.map { $0.routed(team.settings) }, objective: team.objective, known: known[day], cache: cache,
        table: table,
        timing: DayRoute.Timing(team.settings))
      guard let answer else {
        tally.unchanged += 1
        continue
      }
      let route = StoredRoute(day, answer, at: clock.now())
      tally.planned += 1
      tally.savedMinutes += route.savedMinutes
      planned.append(route)
    }
    try await store.keep(planned, of: team.id, onlyDays: only == nil ? Set(stops.keys) : nil)
    return tally
  }

  /// The night's work for a team: its days worked out, and, where the team wants it so, put into their best order; each
  /// can be taken back.
  func plan(ofNight team: Team) async throws -> Tally {
    var tally = try await plan(team)
    guard team.settings.routeOrder == .best else { return tally }
    var applied: Set<RouteDay> = []
    for route in try await store.routes(of: team.id) where route.isWorthApplying {
      try Task.checkCancellation()
      // A day that somebody changes meanwhile is his.
      let change = try await store.setRoute(
        route.best, known: route.current, on: route.routeDay, of: team.id, now: clock.now(), keeping: nil)
      if change == .done { applied.insert(route.routeDay) }
    }
    if !applied.isEmpty { try await plan(team, only: applied) }
    tally.applied = applied.count
    return tally
  }

  /// A cache for the team, and the number of its table of measured times; 0 without one.
  func travelTimes(of team: Team) async throws -> (cache: TravelTimeCache, table: UInt64) {
    guard let stored = try await store.travelTable(of: team.id) else { return (cache, 0) }
    let places = try stored.places.map { try Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    let table = try TabledTravelTimes(places: places, minutes: stored.minutes)
    return (TravelTimeCache(measured: table), UInt64(bitPattern: stored.importedAt.milliseconds))
  }
}

extension RouteStopRecord {
  /// As the optimiser takes it.
  func routed(_ settings: TeamSettings) -> DayRoute.Stop {
    DayRoute.Stop(
      id: poolID, latitude: latitude, longitude: longitude, routeOrder: routeOrder, pin: pin,
      window: arrivalWindow.isEmpty || settings.windows != .respect ? nil : ArrivalWindow.read(arrivalWindow))
  }
}

extension DayRoute.Timing {
  init(_ settings: TeamSettings) {
    self.init(
      beginsAtMinute: Double(DayEstimate.firstStop(settings).secondOfDay / 60),
      minutesAtStop: Double(settings.stopMinutes))
  }
}

extension StoredRoute {
  /// Less than half a minute, of driving or of what customers' waiting is worth, is no reason for another order.
  fileprivate var isWorthApplying: Bool { best != current && bestFigures.gain(over: figures) >= 0.5 }

  init(_ day: RouteDay, _ answer: NightlyRoute, at now: Timestamp) {
    let best = answer.optimisation
    self.init(
      technicianID: day.technicianID, day: day.day, inputHash: answer.inputHash, objective: best.objective,
      provider: answer.provider, current: best.current, best: best.ordered, unresolved: best.unresolved,
      unpinned: best.unpinned, figures: best.figures, bestFigures: best.bestFigures, isProven: best.isProvenOptimal,
      computedAt: now)
  }
}
