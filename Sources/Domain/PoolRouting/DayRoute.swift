package import PoolModel

/// A technician's stops of one weekday, and what putting them in order would save.
package enum DayRoute {
  package struct Stop: Hashable, Sendable {
    package let id: PoolID
    /// Degrees; 0 and 0 together mean "not located", and so does what is no place at all.
    package let latitude: Double
    package let longitude: Double
    package let routeOrder: Int
    /// The place in the day that it must take, from 1; nil for any.
    package let pin: Int?
    /// In minutes after midnight, local.
    package let window: RouteProblem.Window?

    package init(
      id: PoolID, latitude: Double, longitude: Double, routeOrder: Int, pin: Int? = nil,
      window: RouteProblem.Window? = nil
    ) {
      self.id = id
      self.latitude = latitude
      self.longitude = longitude
      self.routeOrder = routeOrder
      self.pin = pin
      self.window = window
    }

    package init(_ pool: Pool) {
      self.init(id: pool.id, latitude: pool.latitude, longitude: pool.longitude, routeOrder: pool.routeOrder)
    }

    /// nil where nobody knows the place.
    package var place: Coordinate? {
      guard let place = try? Coordinate(latitude: latitude, longitude: longitude), place.isLocated else { return nil }
      return place
    }
  }

  package enum Algorithm: String, Sendable, CaseIterable {
    case reference, strong
  }

  /// The answer: both orders with every stop, and figures over the located ones, along an open path.
  package struct Optimisation: Hashable, Sendable {
    package let objective: RouteObjective
    package let current: [PoolID]
    package let ordered: [PoolID]
    package let figures: RouteFigures
    package let bestFigures: RouteFigures
    /// Stops without coordinates; they keep their places.
    package let unresolved: [PoolID]
    /// Stops whose pin cannot be: the place is the first, taken, or not there.
    package let unpinned: [PoolID]
    package let isProvenOptimal: Bool

    /// Never below 0, also where the new order takes longer. Source: R-ROUTE-6.
    package var minutesSaved: Double { max(0, figures.minutes - bestFigures.minutes) }
  }

  /// How a day runs, as far as arrival windows are concerned.
  package struct Timing: Hashable, Sendable {
    /// When it begins, in minutes after midnight: what windows are measured from.
    package let beginsAtMinute: Double
    /// What a stop takes beside the way there: testing, dosing, brushing.
    package let minutesAtStop: Double

    package init(beginsAtMinute: Double = 8 * 60, minutesAtStop: Double = 20) {
      self.beginsAtMinute = beginsAtMinute
      self.minutesAtStop = minutesAtStop
    }
  }

  /// In the current order.
  package static func sorted(_ stops: [Stop]) -> [Stop] {
    stops.sorted { ($0.routeOrder, $0.id) < ($1.routeOrder, $1.id) }
  }

  /// Puts a day in order. Stops may come in any sequence; `routeOrder` and then the id give the current one.
  ///
  /// Unresolved stops keep their absolute places and the others fill the rest (R-ROUTE-9). Displacement counts among the
  /// located stops (R-ROUTE-3); minutes and miles are theirs as well (R-ROUTE-4). The app's own optimiser knows neither
  /// pins nor windows.
  /// - Parameter legs: between the located stops in the current order; the estimate without it.
  /// - Throws: `RouteError.tooManyStops`.
  package static func optimise(
    _ stops: [Stop], objective: RouteObjective, algorithm: Algorithm, effort: Int = 1,
    legs: TravelTimeCache.Legs? = nil, timing: Timing = Timing()
  ) throws(RouteError) -> Optimisation {
    let sorted = sorted(stops)
    let places = sorted.compactMap(\.place)
    let located = sorted.filter { $0.place != nil }
    let (pins, unpinned) = algorithm == .strong ? pins(of: sorted) : ([:], [])
    var figures = RouteFigures(minutes: 0, miles: 0)
    var bestFigures = figures
    var order: [Int] = []
    var isProven = true
    if !places.isEmpty {
      let problem = try RouteProblem(
        legs.map { .table(objective == .distance ? $0.miles : $0.minutes) } ?? .greatCircle(places),
        objective: objective, pins: pins, windows: algorithm == .strong ? windows(of: located, timing) : [:],
        minutesAtStop: timing.minutesAtStop)
      switch algorithm {
      case .reference:
        order = ReferenceOptimiser.order(problem)
        isProven = places.count <= 2
      case .strong:
        let solution = StrongOptimiser.solve(problem, effort: effort)
        order = solution.order
        isProven = solution.isProvenOptimal
      }
      let given = Array(places.indices)
      figures = Self.figures(given, places, legs, late: problem.lateMinutes(of: given))
      bestFigures = Self.figures(order, places, legs, late: problem.lateMinutes(of: order))
    }
    var rest = order.map { located[$0].id }[...]
    let ordered = sorted.map { $0.place == nil ? $0.id : rest.popFirst() ?? $0.id }
    return Optimisation(
      objective: objective, current: sorted.map(\.id), ordered: ordered, figures: figures, bestFigures: bestFigures,
      unresolved: sorted.filter { $0.place == nil }.map(\.id), unpinned: unpinned, isProvenOptimal: isProven)
  }

  /// Pins as the problem counts them: the place among the located stops, by located stop. The first stop begins the day,
  /// and of two that want one place the earlier has it.
  private static func pins(of sorted: [Stop]) -> (pins: [Int: Int], unpinned: [PoolID]) {
    let slots = sorted.indices.filter { sorted[$0].place != nil }
    var pins: [Int: Int] = [:]
    var unpinned: [PoolID] = []
    for (stop, slot) in slots.enumerated() {
      guard let wanted = sorted[slot].pin else { continue }
      guard let place = slots.firstIndex(of: wanted - 1), (place == 0) == (stop == 0), !pins.values.contains(place)
      else {
        unpinned.append(sorted[slot].id)
        continue
      }
      pins[stop] = place
    }
    return (pins, unpinned)
  }

  /// Minutes after the day's beginning, by located stop.
  private static func windows(of located: [Stop], _ timing: Timing) -> [Int: RouteProblem.Window] {
    var windows: [Int: RouteProblem.Window] = [:]
    for (index, stop) in located.enumerated() {
      guard let window = stop.window else { continue }
      windows[index] = RouteProblem.Window(
        opens: max(0, window.opens - timing.beginsAtMinute), closes: max(0, window.closes - timing.beginsAtMinute))
    }
    return windows
  }

  /// Minutes and miles of the legs between `places` in `order`.
  package static func figures(
    _ order: [Int], _ places: [Coordinate], _ legs: TravelTimeCache.Legs? = nil, late: Double = 0
  ) -> RouteFigures {
    var minutes = 0.0
    var total = 0.0
    for (from, to) in zip(order, order.dropFirst()) {
      let miles = legs?.miles(from: from, to: to) ?? places[from].miles(to: places[to])
      minutes += legs?.minutes(from: from, to: to) ?? LegEstimate.minutes(miles: miles)
      total += miles
    }
    return RouteFigures(minutes: minutes, miles: total, late: late)
  }
}
