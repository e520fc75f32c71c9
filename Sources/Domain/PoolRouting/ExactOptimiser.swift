/// The best order there is, proven: dynamic programming over sets of visited stops.
///
/// Source: R. Bellman, "Dynamic Programming Treatment of the Travelling Salesman Problem", Journal of the ACM 9, 1962;
/// M. Held, R. M. Karp, Journal of SIAM 10, 1962. The place of a stop is the size of the set, so displacement and pins
/// fit in; states that cannot lead below the best order known are not followed.
enum ExactOptimiser {
  /// Beyond this the table of 2ⁿ⁻¹ × (n - 1) costs leaves the cache: 16 stops take 4 MB.
  static let mostStops = 16

  /// The best order, or nil where none is cheaper than `known`.
  ///
  /// - Parameter known: The cost of an order that is at hand.
  static func order<Legs: LegCosts & ~Copyable>(
    _ problem: RouteProblem, legs: borrowing Legs, below known: Double
  ) -> [Int]? {
    // Stops 1... are bits 0...; a set and its last stop make a state.
    let free = problem.count - 1
    let sets = 1 << free
    let costs = FlatArray<Double>(repeating: .infinity, count: sets * free)
    let cheapestIn = rest(problem, legs)
    let charges = placeCharges(problem)
    for stop in 0..<free {
      costs[(1 << stop) * free + stop] = legs.cost(0, Int32(truncatingIfNeeded: stop + 1)) + charges[free + stop]
    }
    for set in 1..<(sets - 1) {
      let place = set.nonzeroBitCount + 1
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
          let state = (set | 1 << stop) * free + stop
          let leg = legs.cost(Int32(truncatingIfNeeded: last + 1), Int32(truncatingIfNeeded: stop + 1))
          let total = cost + leg + charges[place * free + stop]
          if total < costs[state] { costs[state] = total }
        }
      }
    }
    return walkBack(problem, legs, costs, below: known)
  }

  /// What each stop pays at each place: its displacement, or without end where pins keep it away.
  private static func placeCharges(_ problem: RouteProblem) -> FlatArray<Double> {
    let free = problem.count - 1
    let charges = FlatArray<Double>(repeating: 0, count: problem.count * free)
    for place in 1..<problem.count {
      for stop in 1..<problem.count {
        let mayStand = problem.pinned[place].map { $0 == stop } ?? !problem.pinned.contains(stop)
        charges[place * free + stop - 1] = mayStand ? problem.placeCost(stop, at: place) : .infinity
      }
    }
    return charges
  }

  /// The cheapest leg into each stop: what is left costs at least the sum.
  private static func rest<Legs: LegCosts & ~Copyable>(_ problem: RouteProblem, _ legs: borrowing Legs) -> [Double] {
    var cheapest = [Double](repeating: .infinity, count: problem.count - 1)
    for stop in 1..<problem.count {
      for from in 0..<problem.count where from != stop {
        cheapest[stop - 1] = min(
          cheapest[stop - 1], legs.cost(Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: stop)))
      }
    }
    return cheapest
  }

  private static func walkBack<Legs: LegCosts & ~Copyable>(
    _ problem: RouteProblem, _ legs: borrowing Legs, _ costs: borrowing FlatArray<Double>, below known: Double
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
      let place = set.nonzeroBitCount
      var predecessor = -1
      var nearest = Double.infinity
      for stop in 0..<free where before & (1 << stop) != 0 {
        let total =
          costs[before * free + stop]
          + legs.cost(Int32(truncatingIfNeeded: stop + 1), Int32(truncatingIfNeeded: last + 1))
          + problem.placeCost(last + 1, at: place)
        // The same sum as on the way there, so one is equal.
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
