package import PoolModel

/// A day to put in order: an open path over the stops, which begins at stop 0.
///
/// Stops are numbers in the given order, from 0. Valid by construction.
package struct RouteProblem: Sendable {
  package enum Legs: Sendable {
    /// Great-circle legs between located places.
    case greatCircle([Coordinate])
    /// What the leg from `row` to `column` costs, row after row, in minutes, or in miles for the objective distance.
    case table([Double])
  }

  /// When a stop wants somebody to come, in minutes after the day begins.
  package struct Window: Hashable, Sendable {
    package let opens: Double
    package let closes: Double

    package init(opens: Double, closes: Double) {
      self.opens = opens
      self.closes = closes
    }
  }

  package let count: Int
  package let legs: Legs
  package let objective: RouteObjective
  /// For each place the stop that must take it, or nil; place 0 always has stop 0.
  let pinned: [Int?]
  /// For each stop its window; empty where no stop has one.
  let windows: [Window?]
  /// Minutes spent at every stop, which matter for windows alone.
  let minutesAtStop: Double

  /// - Parameter pins: The place that a stop must take, by stop.
  /// - Throws: `RouteError`, which names the stop or the leg at fault.
  package init(
    _ legs: Legs, objective: RouteObjective, pins: [Int: Int] = [:], windows: [Int: Window] = [:],
    minutesAtStop: Double = 0
  ) throws(RouteError) {
    switch legs {
    case .greatCircle(let stops):
      count = stops.count
      try Self.check(count: stops.count, limit: Limits.routeStops)
      for (index, stop) in stops.enumerated() where !stop.isLocated { throw .notLocated(stop: index) }
      isSymmetric = true
    case .table(let costs):
      count = Int(Double(costs.count).squareRoot().rounded())
      try Self.check(count: count, limit: Limits.routeMatrixStops)
      guard count * count == costs.count else {
        throw .matrixShape(stops: count, expected: count * count, found: costs.count)
      }
      for (index, cost) in costs.enumerated() where !(cost >= 0 && cost.isFinite) {
        throw .matrixValue(from: index / count, to: index % count, value: cost)
      }
      isSymmetric = Self.isSymmetric(costs, count: count)
    }
    self.legs = legs
    self.objective = objective
    pinned = try Self.places(pins, count: count)
    for (stop, window) in windows where !(window.opens <= window.closes) { throw .window(stop: stop) }
    self.windows = windows.isEmpty ? [] : (0..<count).map { windows[$0] }
    self.minutesAtStop = minutesAtStop
  }

  private static func check(count: Int, limit: Int) throws(RouteError) {
    guard count > 0 else { throw .noStops }
    guard count <= limit else { throw .tooManyStops(count: count, limit: limit) }
  }

  private static func places(_ pins: [Int: Int], count: Int) throws(RouteError) -> [Int?] {
    var places = [Int?](repeating: nil, count: count)
    places[0] = 0
    for (stop, place) in pins.sorted(by: { $0.key < $1.key }) {
      func fault(_ reason: RouteError.PinFault) -> RouteError { .pin(stop: stop, place: place, reason: reason) }
      guard places.indices.contains(stop) else { throw fault(.noSuchStop) }
      guard places.indices.contains(place) else { throw fault(.noSuchPlace) }
      guard (stop == 0) == (place == 0) else { throw fault(.startIsFixed) }
      guard place == 0 || places[place] == nil else { throw fault(.placeTaken) }
      places[place] = stop
    }
    return places
  }

  // MARK: Costs

  /// What the objective charges for the leg itself, by the definition.
  package func legCost(_ from: Int, _ to: Int) -> Double {
    switch legs {
    case .table(let costs): return costs[from * count + to]
    case .greatCircle(let stops):
      let miles = stops[from].miles(to: stops[to])
      return objective == .distance ? miles : LegEstimate.minutes(miles: miles)
    }
  }

  /// True where every leg costs the same in both directions.
  package let isSymmetric: Bool

  private static func isSymmetric(_ costs: [Double], count: Int) -> Bool {
    (0..<count).allSatisfy { row in
      (0..<row).allSatisfy { costs[row * count + $0] == costs[$0 * count + row] }
    }
  }

  /// What the objective charges for `stop` at `place`.
  @inline(__always)
  func placeCost(_ stop: Int, at place: Int) -> Double {
    objective == .balanced ? LegEstimate.minutesPerPlaceMoved * Double(abs(stop - place)) : 0
  }

  /// The whole day's cost: legs, displacement and lateness, in the objective's unit.
  ///
  /// Minutes for time and balanced, miles for distance.
  package func cost(of order: [Int]) -> Double {
    var total = 0.0
    for place in 1..<max(1, order.count) {
      total += legCost(order[place - 1], order[place]) + placeCost(order[place], at: place)
    }
    return total + lateMinutes(of: order) * RouteFigures.costOfLateMinute
  }

  var hasWindows: Bool { !windows.isEmpty }
  var hasPins: Bool { pinned.dropFirst().contains { $0 != nil } }

  /// Driving and waiting decide the arrival; a stop that is reached after its window closes counts each minute.
  package func lateMinutes(of order: [Int]) -> Double {
    guard hasWindows else { return 0 }
    var clock = 0.0
    var late = 0.0
    for (place, stop) in order.enumerated() {
      if place > 0 { clock += minutesAtStop + driveMinutes(order[place - 1], stop) }
      guard let window = windows[stop] else { continue }
      clock = max(clock, window.opens)
      late += max(0, clock - window.closes)
    }
    return late
  }

  func driveMinutes(_ from: Int, _ to: Int) -> Double {
    switch legs {
    case .greatCircle(let stops): LegEstimate.minutes(miles: stops[from].miles(to: stops[to]))
    // A table for the objective distance holds miles.
    case .table(let costs):
      objective == .distance ? LegEstimate.minutes(miles: costs[from * count + to]) : costs[from * count + to]
    }
  }

  /// The given order, bent only as far as pins demand.
  var firstOrder: [Int] {
    let isPinned = Set(pinned.compactMap { $0 })
    var free = (0..<count).filter { !isPinned.contains($0) }[...]
    return pinned.map { $0 ?? free.popFirst() ?? 0 }
  }
}
