/// Proves the optimal order by dynamic programming over sets of visited stops.
///
/// Source: R. Bellman, "Dynamic Programming Treatment of the Travelling Salesman Problem", Journal of the ACM 9, 1962; M. Held,
/// R. M. Karp, Journal of SIAM 10, 1962. A stop's position is the size of the set, so displacement costs and pins fit in.
/// States are pruned if their cost plus a lower bound exceeds the best known order. The bound is the cheapest leg into each
/// unvisited stop.
enum ExactOptimiser {
  /// Maximum number of stops. The table of 2ⁿ⁻¹ × (n - 1) costs takes 4 MB for 16 stops; beyond, it exceeds the CPU cache.
  static let mostStops = 16

  /// - Parameter known: the cost of a known order, the upper bound.
  /// - Returns: the optimal order, or nil if no order is cheaper than `known`.
  static func order(
    _ problem: RouteProblem, legs: borrowing TableLegs, below known: Double
  ) -> [Int]? {
    // Bit n of a set is stop n + 1; a state is a set and its last stop.
    let free = problem.count - 1
    let sets = 1 << free
    let costs = FlatArray<Double>(unwritten: sets * free)
    let isReached = FlatArray<Bool>(repeating: false, count: sets)
    let cheapestIn = rest(problem.count, legs)
    let charges = placeCharges(problem)
    func reach(_ set: Int) {
      guard !isReached[set] else { return }
      isReached[set] = true
      for stop in 0..<free { costs[set * free + stop] = .infinity }
    }
    for stop in 0..<free {
      reach(1 << stop)
      costs[(1 << stop) * free + stop] = legs.cost(0, Int32(truncatingIfNeeded: stop + 1)) + charges[free + stop]
    }
    for set in 1..<(sets - 1) where isReached[set] {
      let position = set.nonzeroBitCount + 1
      var least = 0.0
      for stop in 0..<free where set & (1 << stop) == 0 { least += cheapestIn[stop] }
      let limit = known - least
      for last in 0..<free where set & (1 << last) != 0 {
        let cost = costs[set * free + last]
        guard cost < limit else { continue }
        var waiting = ~set & (sets - 1)
        while waiting != 0 {
          let stop = waiting.trailingZeroBitCount
          waiting &= waiting - 1
          let next = set | 1 << stop
          reach(next)
          let leg = legs.cost(Int32(truncatingIfNeeded: last + 1), Int32(truncatingIfNeeded: stop + 1))
          let total = cost + leg + charges[position * free + stop]
          if total < costs[next * free + stop] { costs[next * free + stop] = total }
        }
      }
    }
    guard isReached[sets - 1] else { return nil }
    return walkBack(problem, legs, costs, isReached, below: known)
  }

  /// Displacement cost of each stop at each position; infinite if a pin forbids the position.
  private static func placeCharges(_ problem: RouteProblem) -> FlatArray<Double> {
    let free = problem.count - 1
    let charges = FlatArray<Double>(repeating: 0, count: problem.count * free)
    for position in 1..<problem.count {
      for stop in 1..<problem.count {
        let mayStand = problem.pinned[position].map { $0 == stop } ?? !problem.pinned.contains(stop)
        charges[position * free + stop - 1] = mayStand ? problem.placeCost(stop, at: position) : .infinity
      }
    }
    return charges
  }

  /// The cheapest leg into each stop; their sum is a lower bound for the unvisited stops.
  private static func rest(_ count: Int, _ legs: borrowing TableLegs) -> [Double] {
    var cheapest = [Double](repeating: .infinity, count: count - 1)
    for stop in 1..<count {
      for from in 0..<count where from != stop {
        cheapest[stop - 1] = min(
          cheapest[stop - 1], legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: stop)))
      }
    }
    return cheapest
  }

  /// Reconstructs the optimal order from the table, last stop first.
  ///
  /// - Parameter known: the exclusive upper bound for the cost.
  /// - Returns: the order, or nil if its cost is not below `known`.
  private static func walkBack(
    _ problem: RouteProblem, _ legs: borrowing TableLegs, _ costs: borrowing FlatArray<Double>,
    _ isReached: borrowing FlatArray<Bool>, below known: Double
  ) -> [Int]? {
    let free = problem.count - 1
    var set = (1 << free) - 1
    var last = 0
    for stop in 0..<free where costs[set * free + stop] < costs[set * free + last] { last = stop }
    guard costs[set * free + last] < known else { return nil }
    var order = [last + 1]
    while set.nonzeroBitCount > 1 {
      let target = costs[set * free + last]
      let before = set & ~(1 << last)
      let position = set.nonzeroBitCount
      var predecessor = -1
      var nearest = Double.infinity
      for stop in 0..<free where before & (1 << stop) != 0 && isReached[before] {
        let total =
          costs[before * free + stop]
          + legs.cost(Int32(truncatingIfNeeded: stop + 1), Int32(truncatingIfNeeded: last + 1))
          + problem.placeCost(last + 1, at: position)
        // The forward pass computed the same sum, so one candidate matches apart from rounding.
        let distance = (total - target).magnitude
        if distance < nearest {
          nearest = distance
          predecessor = stop
        }
      }
      last = predecessor
      set = before
      order.append(last + 1)
    }
    return [0] + order.reversed()
  }
}
