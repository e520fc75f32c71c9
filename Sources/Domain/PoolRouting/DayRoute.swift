package import PoolModel

/// A technician's stops of one weekday, and what putting them in order would save.
package enum DayRoute {
  package struct Stop: Hashable, Sendable {
    package let id: PoolID
    /// Degrees; 0 and 0 together mean "not located", and so does what is no place at all.
    package let latitude: Double
    package let longitude: Double
    package let routeOrder: Int

    package init(id: PoolID, latitude: Double, longitude: Double, routeOrder: Int) {
      self.id = id
      self.latitude = latitude
      self.longitude = longitude
      self.routeOrder = routeOrder
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
    package let currentMinutes: Double
    package let optimisedMinutes: Double
    package let currentMiles: Double
    package let optimisedMiles: Double
    /// Stops without coordinates; they keep their places.
    package let unresolved: [PoolID]
    package let isProvenOptimal: Bool

    /// Never below 0, also where the new order takes longer. Source: R-ROUTE-6.
    package var minutesSaved: Double { max(0, currentMinutes - optimisedMinutes) }
  }

  /// Puts a day in order. Stops may come in any sequence; `routeOrder` and then the id give the current one.
  ///
  /// Unresolved stops keep their absolute places and the others fill the rest (R-ROUTE-9). Displacement counts among the
  /// located stops (R-ROUTE-3); minutes and miles are theirs as well (R-ROUTE-4).
  /// - Throws: `RouteError.tooManyStops`.
  package static func optimise(
    _ stops: [Stop], objective: RouteObjective, algorithm: Algorithm, effort: Int = 1
  ) throws(RouteError) -> Optimisation {
    let sorted = stops.sorted { ($0.routeOrder, $0.id) < ($1.routeOrder, $1.id) }
    let places = sorted.compactMap(\.place)
    let located = sorted.filter { $0.place != nil }
    var order: [Int] = []
    var isProven = true
    if !places.isEmpty {
      let problem = try RouteProblem(.greatCircle(places), objective: objective)
      switch algorithm {
      case .reference:
        order = ReferenceOptimiser.order(problem)
        isProven = places.count <= 2
      case .strong:
        let solution = StrongOptimiser.solve(problem, effort: effort)
        order = solution.order
        isProven = solution.isProvenOptimal
      }
    }
    var rest = order.map { located[$0].id }[...]
    let ordered = sorted.map { $0.place == nil ? $0.id : rest.popFirst() ?? $0.id }
    let current = figures(Array(places.indices), places)
    let optimised = figures(order, places)
    return Optimisation(
      objective: objective, current: sorted.map(\.id), ordered: ordered, currentMinutes: current.minutes,
      optimisedMinutes: optimised.minutes, currentMiles: current.miles, optimisedMiles: optimised.miles,
      unresolved: sorted.filter { $0.place == nil }.map(\.id), isProvenOptimal: isProven)
  }

  /// Minutes and miles of the legs between `places` in `order`.
  package static func figures(_ order: [Int], _ places: [Coordinate]) -> (minutes: Double, miles: Double) {
    var minutes = 0.0
    var total = 0.0
    for (from, to) in zip(order, order.dropFirst()) {
      let miles = places[from].miles(to: places[to])
      minutes += LegEstimate.minutes(miles: miles)
      total += miles
    }
    return (minutes, total)
  }
}
