internal import PoolModel

/// The app's own optimiser, decision for decision: nearest neighbour from the first stop, then two passes of 2-opt.
///
/// Source: PRODUCT.md, Routes; golden files `routes.json`, R-ROUTE-1 to R-ROUTE-9.
package enum ReferenceOptimiser {
  /// Days with fewer stops keep their order. Source: D-6.
  static let fewestStops = 3
  static let passes = 2
  /// With more stops, stretches are not turned where that asks of each stop in them.
  static let mostWeighed = 1_000
  /// An exchange must save more than this, in the objective's unit.
  static let leastSaving = 0.01

  /// The order of the stops, the first first.
  package static func order(_ problem: RouteProblem) -> [Int] {
    if problem.count <= Limits.routeMatrixStops {
      return order(problem, legs: TableLegs(problem))
    }
    guard case .greatCircle(let stops) = problem.legs else { return problem.firstOrder }
    return order(problem, legs: ObjectiveLegs(SphereLegs(stops), objective: problem.objective))
  }

  /// Its two passes of 2-opt from the given order, without the nearest neighbours before: where places count, the given
  /// order is often the better start.
  package static func orderFromGiven(_ problem: RouteProblem) -> [Int] {
    let given = Array(0..<problem.count)
    if problem.count <= Limits.routeMatrixStops { return refined(given, problem, TableLegs(problem)) }
    guard case .greatCircle(let stops) = problem.legs else { return given }
    return refined(given, problem, ObjectiveLegs(SphereLegs(stops), objective: problem.objective))
  }

  /// Its order with the cost; with at most two stops there is no other.
  package static func solve(_ problem: RouteProblem) -> RouteSolution {
    let order = order(problem)
    return RouteSolution(order: order, cost: problem.cost(of: order), isProvenOptimal: problem.count <= 2)
  }

  /// - Parameter legs: The problem's legs, in the objective's unit.
  static func order<Legs: LegCosts & ~Copyable>(_ problem: RouteProblem, legs: borrowing Legs) -> [Int] {
    guard problem.count >= fewestStops else { return Array(0..<problem.count) }
    return refined(nearestNeighbour(problem, legs), problem, legs)
  }

  /// Each time the cheapest leg from where we are, displacement included; of equals the stop given earlier.
  static func nearestNeighbour<Legs: LegCosts & ~Copyable>(_ problem: RouteProblem, _ legs: borrowing Legs) -> [Int] {
    var order = [0]
    var waiting = Array(1..<problem.count)
    while !waiting.isEmpty {
      let from = order[order.count - 1]
      var best = 0
      var bestScore = Double.infinity
      for (slot, stop) in waiting.enumerated() {
        let score =
          legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: stop))
          + problem.placeCost(stop, at: order.count)
        if score < bestScore {
          best = slot
          bestScore = score
        }
      }
      order.append(waiting.remove(at: best))
    }
    return order
  }

  /// 2-opt on an open path: every stretch between the first and the last stop is turned where that saves enough, at
  /// once, and the scan goes on.
  static func refined<Legs: LegCosts & ~Copyable>(
    _ start: [Int], _ problem: RouteProblem, _ legs: borrowing Legs
  ) -> [Int] {
    var order = start.map { Int32(truncatingIfNeeded: $0) }
    let count = order.count
    // What a turned stretch displaces, or costs backwards, is asked of all its stops: the cube of their number.
    guard count > 3, count <= mostWeighed || problem.isSymmetric && problem.objective != .balanced else { return start }
    for _ in 0..<passes {
      for first in 1..<(count - 2) {
        let before = order[first - 1]
        for last in (first + 1)..<(count - 1) {
          var change =
            legs.cost(before, order[last]) + legs.cost(order[first], order[last + 1])
            - legs.cost(before, order[first]) - legs.cost(order[last], order[last + 1])
          if !problem.isSymmetric { change += turning(order[first...last], legs) }
          if problem.objective == .balanced { change += displacing(order[first...last], problem) }
          if change < -leastSaving { order[first...last].reverse() }
        }
      }
    }
    return order.map { Int($0) }
  }

  /// What driving a stretch backwards adds: 0 between places on a sphere, not so in a table.
  private static func turning<Legs: LegCosts & ~Copyable>(
    _ stretch: ArraySlice<Int32>, _ legs: borrowing Legs
  ) -> Double {
    var change = 0.0
    for place in stretch.indices.dropLast() {
      change += legs.cost(stretch[place + 1], stretch[place]) - legs.cost(stretch[place], stretch[place + 1])
    }
    return change
  }

  /// What turning a stretch adds to the displacement of its stops.
  private static func displacing(_ stretch: ArraySlice<Int32>, _ problem: RouteProblem) -> Double {
    let ends = stretch.startIndex + stretch.endIndex - 1
    var moved = 0
    for place in stretch.indices {
      let stop = Int(stretch[place])
      moved += abs(stop - (ends - place)) - abs(stop - place)
    }
    return LegEstimate.minutesPerPlaceMoved * Double(moved)
  }
}
