import PoolControl
import FlowControl
import FlowModel
import FlowStore
import PoolModel
import PoolRouting
import PoolStore

/// A technician's day: its stops, its stored route, and checks of changes to it.
struct TechnicianDay: Sendable {
  let key: RouteDay
  let technician: String
  /// In the present order.
  let stops: [DayStop]
  let route: StoredRoute?
  /// Hash of the present stops; the stored route is valid only if it has the same hash.
  let hash: UInt64

  /// The stored route if it is for the present stops; otherwise nil.
  private var best: StoredRoute? { route.flatMap { $0.inputHash == hash ? $0 : nil } }

  func progress(_ visited: Set<PoolID>) -> RouteProgress {
    RouteProgress(pools: stops.count, serviced: stops.count { visited.contains($0.poolID) })
  }

  /// The day's order with one stop moved to another position, counted from 1.
  func moving(_ pool: PoolID, to place: Int) throws(ControlError) -> [PoolID] {
    try checkPosition(place)
    var order = stops.map(\.poolID).filter { $0 != pool }
    order.insert(pool, at: place - 1)
    return order
  }

  /// Refuses a pin at an invalid position, at position 1 unless the stop is there already, or where another stop is pinned.
  func checkPin(of pool: PoolID, at place: Int) throws(ControlError) {
    try checkPosition(place)
    guard place != 1 || stops.first?.poolID == pool else {
      throw ControlError.badValue(
        field: "place", value: "1",
        why: "the first stop of the day cannot be moved; `pfctl route move` can make another stop the first")
    }
    if let other = stops.first(where: { $0.pin == place && $0.poolID != pool }) {
      throw ControlError.badValue(
        field: "place", value: "\(place)", why: "'\(other.customerName)' is pinned there; set that one free first")
    }
  }

  private func checkPosition(_ place: Int) throws(ControlError) {
    guard (1...stops.count).contains(place) else {
      throw ControlError.badValue(
        field: "place", value: "\(place)", why: "the positions of this day are 1 to \(stops.count)")
    }
  }

  /// The refusal of a change to a route that was changed meanwhile.
  func changedMeanwhileError(_ team: Team) -> ControlError {
    ControlError(
      .routeChanged,
      "the route of \(key.day.abbreviation) has changed: its stops or their order differ; see the current order with "
        + "`pfctl route show --team \(team.name) --day \(key.day.abbreviation)`", facts: ["name": key.day.abbreviation])
  }

  /// The day in the form that callers get.
  ///
  /// - Parameter local: formats an instant for people.
  func view(of team: Team, legs: TravelTimeCache.Legs?, local: (Timestamp) -> String) -> RouteView {
    let routed = stops.map { $0.routed(team.settings) }
    let places = routed.compactMap(\.place)
    let now = DayRoute.figures(Array(places.indices), places, legs)
    let names = Dictionary(stops.map { ($0.poolID, $0.customerName) }, uniquingKeysWith: { first, _ in first })
    let bestPlaces = Dictionary(
      (best?.best ?? []).enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    return RouteView(
      technician: technician, day: DayView(key.day), objective: ObjectiveView(team.objective),
      stops: zip(stops, routed).enumerated().map { index, stop in
        Self.view(of: stop.0, stop.1, place: index + 1, bestPlace: bestPlaces[stop.0.poolID])
      },
      minutes: now.minutes, miles: now.miles, bestMinutes: best?.bestFigures.minutes,
      bestMiles: best?.bestFigures.miles, savedMinutes: best?.savedMinutes, lateMinutes: best?.figures.late,
      bestLateMinutes: best?.bestFigures.late, provider: legs?.provider ?? EstimatedTravelTimes().provider,
      proven: best?.isProven ?? false, fresh: best != nil, computedAt: route?.computedAt.description,
      computedLocal: route.map { local($0.computedAt) },
      appliedByNight: team.settings.stopOrder == .best, unpinned: (best?.unpinned ?? []).compactMap { names[$0] })
  }

  /// A stop in the form of the interface.
  private static func view(
    of record: DayStop, _ stop: DayRoute.Stop, place: Int, bestPlace: Int?
  ) -> RouteStopView {
    RouteStopView(
      id: record.poolID.description, customer: record.customerName, address: record.address,
      latitude: stop.place?.latitude, longitude: stop.place?.longitude, place: place, bestPlace: bestPlace,
      pin: record.pin, window: stop.window == nil ? nil : record.arrivalWindow,
      opensMinute: stop.window.map { Int($0.opens) }, closesMinute: stop.window.map { Int($0.closes) })
  }
}

/// A route that a visit completed.
struct CompletedRoute: Hashable {
  let day: RouteDay
  let stops: Int

  /// Nil if a stop is left to do, or if the route is too short for a notice.
  ///
  /// - Parameter stops: all stops of the visit's date.
  init?(by visited: PoolID, among stops: [DayStop], serviced: Set<PoolID>) {
    guard let day = stops.first(where: { $0.poolID == visited })?.routeDay else { return nil }
    let own = stops.filter { $0.routeDay == day }
    let done = own.count { serviced.contains($0.poolID) }
    guard RouteProgress(pools: own.count, serviced: done).countsAsRoute else { return nil }
    self.day = day
    self.stops = own.count
  }
}
