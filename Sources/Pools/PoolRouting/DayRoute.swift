package import FlowModel
package import PoolModel

/// Optimisation of one technician's stops on one weekday.
package enum DayRoute {
  /// A stop as the optimiser takes it: only the input of the algorithm, with the arrival window in minutes instead of text.
  package struct Stop: Hashable, Sendable {
    package let id: PoolID
    /// Degrees; 0 and 0, or values out of range, mean "not geocoded".
    package let latitude: Double
    package let longitude: Double
    package let routeOrder: Int
    /// Fixed position in the day, counted from 1; nil if the stop may be moved.
    package let pin: Int?
    /// Arrival window in minutes after local midnight.
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

    /// - Parameter respectsWindows: false to ignore the customer's arrival window.
    package init(_ stop: DayStop, respectsWindows: Bool) {
      self.init(
        id: stop.poolID, latitude: stop.latitude, longitude: stop.longitude, routeOrder: stop.routeOrder, pin: stop.pin,
        window: respectsWindows ? stop.window : nil)
    }

    /// The stop's location; nil if it is not geocoded.
    package var place: Coordinate? { Coordinate(ofLatitude: latitude, longitude: longitude) }
  }

  /// `reference` reproduces the app's optimiser; `strong` searches for the best order.
  package enum Algorithm: String, Sendable, CaseIterable {
    case reference, strong
  }

  /// Result: current and proposed order of all stops, with figures over the geocoded stops along an open path.
  package struct Optimisation: Hashable, Sendable {
    package let objective: TravelObjective
    package let current: [PoolID]
    package let ordered: [PoolID]
    package let figures: RouteFigures
    package let bestFigures: RouteFigures
    /// Stops without coordinates; they keep their positions.
    package let unresolved: [PoolID]
    /// Stops whose pin was ignored: the position is the first one, already pinned, or does not exist.
    package let unpinned: [PoolID]
    package let isProvenOptimal: Bool
  }

  /// Times of a working day; used only with arrival windows.
  package struct Timing: Hashable, Sendable {
    /// Start of the day, in minutes after local midnight.
    package let beginsAtMinute: Double
    /// Minutes spent at each stop, for example testing, dosing and brushing.
    package let minutesAtStop: Double

    package init(beginsAtMinute: Double = 8 * 60, minutesAtStop: Double = 20) {
      self.beginsAtMinute = beginsAtMinute
      self.minutesAtStop = minutesAtStop
    }
  }

  /// The stops in their current order: by `routeOrder`, then by id.
  package static func sorted(_ stops: [Stop]) -> [Stop] {
    stops.sorted { ($0.routeOrder, $0.id) < ($1.routeOrder, $1.id) }
  }

  /// Optimises a day. `stops` may have any order; `routeOrder` and then the id define the current one.
  ///
  /// Stops without coordinates keep their absolute positions, and the other stops fill the rest (R-ROUTE-9). Displacement
  /// (R-ROUTE-3), minutes and miles (R-ROUTE-4) count geocoded stops only. The reference algorithm ignores pins and windows.
  /// - Parameter legs: leg times between the geocoded stops in their current order; nil: great-circle estimates.
  /// - Throws: `RouteError.tooManyStops`.
  package static func optimise(
    _ stops: [Stop], objective: TravelObjective, algorithm: Algorithm, effort: Int = 1,
    legs: TravelTimeCache.Legs? = nil, timing: Timing = Timing()
  ) throws(RouteError) -> Optimisation {
    let sorted = sorted(stops)
    let coordinates = sorted.compactMap(\.place)
    let located = sorted.filter { $0.place != nil }
    let (pins, unpinned) = algorithm == .strong ? pins(of: sorted) : ([:], [])
    var figures = RouteFigures(minutes: 0, miles: 0)
    var bestFigures = figures
    var order: [Int] = []
    var isProven = true
    if !coordinates.isEmpty {
      let problem = try RouteProblem(
        legs.map { .table(objective == .distance ? $0.miles : $0.minutes) } ?? .greatCircle(coordinates),
        objective: objective, pins: pins, windows: algorithm == .strong ? windows(of: located, timing) : [:],
        minutesAtStop: timing.minutesAtStop)
      switch algorithm {
      case .reference:
        order = ReferenceOptimiser.order(problem)
        isProven = coordinates.count <= 2
      case .strong:
        let solution = StrongOptimiser.solve(problem, effort: effort)
        order = solution.order
        isProven = solution.isProvenOptimal
      }
      let given = Array(coordinates.indices)
      figures = Self.figures(given, coordinates, legs, late: problem.lateMinutes(of: given))
      bestFigures = Self.figures(order, coordinates, legs, late: problem.lateMinutes(of: order))
    }
    var rest = order.map { located[$0].id }[...]
    let ordered = sorted.map { $0.place == nil ? $0.id : rest.popFirst() ?? $0.id }
    return Optimisation(
      objective: objective, current: sorted.map(\.id), ordered: ordered, figures: figures, bestFigures: bestFigures,
      unresolved: sorted.filter { $0.place == nil }.map(\.id), unpinned: unpinned, isProvenOptimal: isProven)
  }

  /// Pins converted to positions among the geocoded stops. The first stop is fixed; if two stops want one position, the earlier
  /// one gets it.
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

  /// Arrival windows in minutes after the start of the day, by index in `located`.
  private static func windows(of located: [Stop], _ timing: Timing) -> [Int: RouteProblem.Window] {
    var windows: [Int: RouteProblem.Window] = [:]
    for (index, stop) in located.enumerated() {
      guard let window = stop.window else { continue }
      windows[index] = RouteProblem.Window(
        opens: max(0, window.opens - timing.beginsAtMinute), closes: max(0, window.closes - timing.beginsAtMinute))
    }
    return windows
  }

  /// Minutes and miles of the legs between `coordinates`, visited in `order`.
  package static func figures(
    _ order: [Int], _ coordinates: [Coordinate], _ legs: TravelTimeCache.Legs? = nil, late: Double = 0
  ) -> RouteFigures {
    var minutes = 0.0
    var total = 0.0
    for (from, to) in zip(order, order.dropFirst()) {
      let miles = legs?.miles(from: from, to: to) ?? coordinates[from].miles(to: coordinates[to])
      minutes += legs?.minutes(from: from, to: to) ?? LegEstimate.minutes(miles: miles)
      total += miles
    }
    return RouteFigures(minutes: minutes, miles: total, late: late)
  }
}

extension DayStop {
  /// The stop's location; nil if it is not geocoded.
  package var place: Coordinate? { Coordinate(ofLatitude: latitude, longitude: longitude) }

  /// The customer's arrival window in minutes after local midnight; nil if the text contains no time.
  package var window: RouteProblem.Window? { arrivalWindow.isEmpty ? nil : ArrivalWindow.read(arrivalWindow) }
}
