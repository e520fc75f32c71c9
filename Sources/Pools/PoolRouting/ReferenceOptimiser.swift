internal import FlowModel
internal import PoolModel

/// Reimplementation of the mobile app's optimiser, with identical decisions: nearest neighbour from the first stop, then two
/// passes of 2-opt.
///
/// Source: product.md, Routes; golden files `routes.json`, R-ROUTE-1 to R-ROUTE-9.
package enum ReferenceOptimiser {
  /// Minimum number of stops for optimisation; shorter days keep their order. Source: D-6.
  static let fewestStops = 3
  static let passes = 2
  /// Maximum number of stops for 2-opt if a reversal's cost depends on every stop in the segment.
  static let mostWeighed = 1_000
  /// Minimum saving for a reversal to be made, in the objective's unit.
  static let leastSaving = 0.01

  /// - Returns: the stops in visiting order, first stop first.
  package static func order(_ problem: RouteProblem) -> [Int] {
    if problem.count <= Limits.routeMatrixStops {
      return order(problem, legs: TableLegs(problem))
    }
    guard case .greatCircle(let stops) = problem.legs else { return problem.firstOrder }
    return order(problem, legs: ObjectiveLegs(SphereLegs(stops), objective: problem.objective))
  }

  /// Two passes of 2-opt from the given order, without nearest neighbour: a better start if the balanced objective charges for
  /// moved stops.
  package static func orderFromGiven(_ problem: RouteProblem) -> [Int] {
    let given = Array(0..<problem.count)
    if problem.count <= Limits.routeMatrixStops { return refined(given, problem, TableLegs(problem)) }
    guard case .greatCircle(let stops) = problem.legs else { return given }
    return refined(given, problem, ObjectiveLegs(SphereLegs(stops), objective: problem.objective))
  }

  /// The order and its cost; proven optimal only if there are at most two stops.
  package static func solve(_ problem: RouteProblem) -> RouteSolution {
    let order = order(problem)
    return RouteSolution(order: order, cost: problem.cost(of: order), isProvenOptimal: problem.count <= 2)
  }

  /// - Parameter legs: the problem's legs, in the objective's unit.
  static func order<Legs: LegCosts & ~Copyable>(_ problem: RouteProblem, legs: borrowing Legs) -> [Int] {
    guard problem.count >= fewestStops else { return Array(0..<problem.count) }
    return refined(nearestNeighbour(problem, legs), problem, legs)
  }

  /// Nearest-neighbour order from stop 0, displacement cost included; ties go to the stop given earlier.
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

  /// 2-opt on an open path: reverses a segment between the first and the last stop as soon as that saves enough, then continues
  /// the scan.
  static func refined<Legs: LegCosts & ~Copyable>(
    _ start: [Int], _ problem: RouteProblem, _ legs: borrowing Legs
  ) -> [Int] {
    var order = start.map { Int32(truncatingIfNeeded: $0) }
    let count = order.count
    // Asymmetric legs and displacement need a sum over the whole segment, which makes a pass cubic.
    guard count > 3, count <= mostWeighed || problem.isSymmetric && problem.objective != .balanced else { return start }
    for _ in 0..<passes {
      for first in 1..<(count - 2) {
        let before = order[first - 1]
        for last in (first + 1)..<(count - 1) {
          var change =
            legs.cost(before, order[last]) + legs.cost(order[first], order[last + 1])
            - legs.cost(before, order[first]) - legs.cost(order[last], order[last + 1])
          if !problem.isSymmetric { change += reversalChange(order[first...last], legs) }
          if problem.objective == .balanced { change += displacementChange(order[first...last], problem) }
          if change < -leastSaving { order[first...last].reverse() }
        }
      }
    }
    return order.map { Int($0) }
  }

  /// Extra cost of driving a segment backwards; nonzero only in asymmetric tables.
  private static func reversalChange<Legs: LegCosts & ~Copyable>(
    _ segment: ArraySlice<Int32>, _ legs: borrowing Legs
  ) -> Double {
    var change = 0.0
    for position in segment.indices.dropLast() {
      change +=
        legs.cost(segment[position + 1], segment[position]) - legs.cost(segment[position], segment[position + 1])
    }
    return change
  }

  /// Extra displacement cost of the stops of a reversed segment.
  private static func displacementChange(_ segment: ArraySlice<Int32>, _ problem: RouteProblem) -> Double {
    let ends = segment.startIndex + segment.endIndex - 1
    var moved = 0
    for position in segment.indices {
      let stop = Int(segment[position])
      moved += abs(stop - (ends - position)) - abs(stop - position)
    }
    return LegEstimate.minutesPerPlaceMoved * Double(moved)
  }
}
