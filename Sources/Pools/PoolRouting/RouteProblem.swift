package import FlowModel
import PoolModel

/// Input of the optimisers: find the cheapest open path over all stops that starts at stop 0.
///
/// Stops are numbered from 0 in the given order. The initializer validates everything.
package struct RouteProblem: Sendable {
  /// Source of the leg costs.
  package enum Legs: Sendable {
    /// Great-circle legs between geocoded locations.
    case greatCircle([Coordinate])
    /// Row-major matrix of leg costs from row to column, in miles for the distance objective and in minutes otherwise.
    case table([Double])
  }

  /// A customer's arrival window, in minutes after the start of the day.
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
  package let objective: TravelObjective
  /// The stop pinned to each position, or nil; position 0 always has stop 0.
  let pinned: [Int?]
  /// Arrival window of each stop; empty if no stop has one.
  let windows: [Window?]
  /// Minutes spent at every stop; used only with arrival windows.
  let minutesAtStop: Double

  /// - Parameters:
  ///   - pins: fixed position (from 0) by stop number.
  ///   - windows: arrival window by stop number.
  /// - Throws: `RouteError` that names the invalid stop or leg.
  package init(
    _ legs: Legs, objective: TravelObjective, pins: [Int: Int] = [:], windows: [Int: Window] = [:],
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
    pinned = try Self.pinnedStops(pins, count: count)
    for (stop, window) in windows where !(window.opens <= window.closes) { throw .window(stop: stop) }
    self.windows = windows.isEmpty ? [] : (0..<count).map { windows[$0] }
    self.minutesAtStop = minutesAtStop
  }

  private static func check(count: Int, limit: Int) throws(RouteError) {
    guard count > 0 else { throw .noStops }
    guard count <= limit else { throw .tooManyStops(count: count, limit: limit) }
  }

  /// The stop pinned to each position; position 0 gets stop 0.
  private static func pinnedStops(_ pins: [Int: Int], count: Int) throws(RouteError) -> [Int?] {
    var pinnedStops = [Int?](repeating: nil, count: count)
    pinnedStops[0] = 0
    for (stop, place) in pins.sorted(by: { $0.key < $1.key }) {
      func fault(_ reason: RouteError.PinFault) -> RouteError { .pin(stop: stop, place: place, reason: reason) }
      guard pinnedStops.indices.contains(stop) else { throw fault(.noSuchStop) }
      guard pinnedStops.indices.contains(place) else { throw fault(.noSuchPlace) }
      guard (stop == 0) == (place == 0) else { throw fault(.startIsFixed) }
      guard place == 0 || pinnedStops[place] == nil else { throw fault(.placeTaken) }
      pinnedStops[place] = stop
    }
    return pinnedStops
  }

  // MARK: Costs

  /// The leg's cost in the objective's unit, without displacement and lateness.
  package func legCost(_ from: Int, _ to: Int) -> Double {
    switch legs {
    case .table(let costs): return costs[from * count + to]
    case .greatCircle(let stops):
      let miles = stops[from].miles(to: stops[to])
      return objective == .distance ? miles : LegEstimate.minutes(miles: miles)
    }
  }

  /// True if every leg costs the same in both directions.
  package let isSymmetric: Bool

  private static func isSymmetric(_ costs: [Double], count: Int) -> Bool {
    (0..<count).allSatisfy { row in
      (0..<row).allSatisfy { costs[row * count + $0] == costs[$0 * count + row] }
    }
  }

  /// Displacement cost of `stop` at position `place`; 0 except for the balanced objective.
  @inline(__always)
  func placeCost(_ stop: Int, at place: Int) -> Double {
    objective == .balanced ? LegEstimate.minutesPerPlaceMoved * Double(abs(stop - place)) : 0
  }

  /// The cost of the whole day: legs, displacement and lateness.
  ///
  /// Unit: miles for the distance objective, minutes otherwise.
  package func cost(of order: [Int]) -> Double {
    var total = 0.0
    for place in 1..<max(1, order.count) {
      total += legCost(order[place - 1], order[place]) + placeCost(order[place], at: place)
    }
    return total + lateMinutes(of: order) * RouteFigures.costOfLateMinute
  }

  var hasWindows: Bool { !windows.isEmpty }
  var hasPins: Bool { pinned.dropFirst().contains { $0 != nil } }

  /// Total minutes by which arrivals miss the end of their windows; an early technician waits until the window opens.
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

  /// Driving minutes of a leg.
  func driveMinutes(_ from: Int, _ to: Int) -> Double {
    switch legs {
    case .greatCircle(let stops): LegEstimate.minutes(miles: stops[from].miles(to: stops[to]))
    // For the distance objective a table contains miles.
    case .table(let costs):
      objective == .distance ? LegEstimate.minutes(miles: costs[from * count + to]) : costs[from * count + to]
    }
  }

  /// The given order with pinned stops moved to their positions.
  var firstOrder: [Int] {
    let isPinned = Set(pinned.compactMap { $0 })
    var free = (0..<count).filter { !isPinned.contains($0) }[...]
    return pinned.map { $0 ?? free.popFirst() ?? 0 }
  }
}
