import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import PoolDigests
import PoolModel
import PoolRouting
import PoolStore

/// Computes the best stop order of days and stores it; used by the nightly job and by calls.
struct RoutePlanner: Sendable {
  let store: any Routes & Services
  let zones: SystemZones
  let clock: any WallClock
  /// The cache for teams without measured travel times.
  let cache: TravelTimeCache

  /// Result of planning: days computed, days unchanged, and minutes saved.
  struct Tally: Sendable {
    var planned = 0
    var unchanged = 0
    var savedMinutes = 0.0
    /// Days whose best order was applied.
    var applied = 0
  }

  init(store: any Routes & Services, zones: SystemZones, clock: any WallClock) {
    self.store = store
    self.zones = zones
    self.clock = clock
    cache = TravelTimeCache()
  }

  /// The stops that are served on the next date of each weekday, from today on in the team's zone.
  func stops(of team: Team) async throws -> [DayStop] {
    let stops = try await store.routeStops(of: team.id)
    let services = try await store.services(of: team.id)
    // A team of weekly pools needs no date, and so no zone.
    guard !services.isWeekly else { return stops }
    return stops.due(from: try zones.zone(named: team.zone).local(at: clock.now()).date, by: services)
  }

  /// The local date of the team, from which a weekday means its next date; nil for a team of weekly pools, whose weekdays are
  /// all alike.
  func firstDate(of team: Team) async throws -> CivilDate? {
    guard try await !store.services(of: team.id).isWeekly else { return nil }
    return try zones.zone(named: team.zone).local(at: clock.now()).date
  }

  /// Computes the days whose inputs changed since the last time, and deletes stored days without stops.
  ///
  /// - Parameter only: the days to compute; nil for all days.
  @concurrent
  @discardableResult
  func plan(_ team: Team, only: Set<RouteDay>? = nil) async throws -> Tally {
    let stops = Dictionary(grouping: try await stops(of: team), by: \.routeDay)
    let known = Dictionary(
      try await store.routes(of: team.id).map { ($0.routeDay, $0.inputHash) }, uniquingKeysWith: { first, _ in first })
    let (cache, table) = try await cachedTravelTimes(of: team)
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

  /// The nightly work for a team: computes its days and, if the team has chosen so, applies the best orders. Each can be
  /// undone.
  func plan(ofNight team: Team) async throws -> Tally {
    var tally = try await plan(team)
    guard team.settings.stopOrder == .best else { return tally }
    var applied: Set<RouteDay> = []
    let today = try await firstDate(of: team)
    for route in try await store.routes(of: team.id) where route.isWorthApplying {
      try Task.checkCancellation()
      // A day that was changed meanwhile keeps that change.
      let change = try await store.setRoute(
        route.best, known: route.current, on: route.routeDay, from: today, of: team.id, now: clock.now(), keeping: nil)
      if change == .done { applied.insert(route.routeDay) }
    }
    if !applied.isEmpty { try await plan(team, only: applied) }
    tally.applied = applied.count
    return tally
  }

  /// The cache for the team, and the version of its measured travel times; 0 without measured times.
  func cachedTravelTimes(of team: Team) async throws -> (cache: TravelTimeCache, table: UInt64) {
    guard let stored = try await store.travelTable(of: team.id) else { return (cache, 0) }
    let places = try stored.places.map { try Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    let table = try TabledTravelTimes(places: places, minutes: stored.minutes)
    return (TravelTimeCache(measured: table), UInt64(bitPattern: stored.importedAt.milliseconds))
  }
}

extension DayStop {
  /// The stop in the form that the optimiser takes.
  func routed(_ settings: TeamSettings) -> DayRoute.Stop {
    DayRoute.Stop(self, respectsWindows: settings.windows == .respect)
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
  /// True if the best order saves at least half a minute of driving, with lateness at customers weighed in.
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
