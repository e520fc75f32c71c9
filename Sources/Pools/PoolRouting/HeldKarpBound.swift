/// The Held-Karp lower bound of an open day, and the α-nearness of edges derived from it.
///
/// A tour is a spanning tree of the stops plus two edges of home, one of them to the first stop. The cheapest such 1-tree is no
/// longer than the best tour. A price per stop, raised if the tree has too many edges there and lowered if too few, brings both
/// within a percent. α is the cost of forcing an edge into the tree; a low α marks a promising edge.
///
/// Sources: M. Held, R. M. Karp, Operations Research 18, 1970 and Mathematical Programming 1, 1971; step sizes after B. T.
/// Polyak, 1969; α-nearness from K. Helsgaun, "An effective implementation of the Lin-Kernighan traveling salesman heuristic",
/// European Journal of Operational Research 126, 2000, §4.
struct HeldKarpBound<Legs: LegCosts & ~Copyable>: ~Copyable {
  private let count: Int
  /// Price of each stop; home has no price.
  private(set) var prices: [Double]
  /// Lower bound of the cost of every order.
  private(set) var bound = -Double.infinity
  private let parent: FlatArray<Int32>
  private let parentCost: FlatArray<Double>
  /// Stops in the order in which Prim's algorithm added them, first stop first.
  private let sequence: FlatArray<Int32>
  /// Cost of the cheapest leg from the tree to each stop outside it, in Prim's algorithm.
  private let reach: FlatArray<Double>
  /// End of the day in the current 1-tree: the stop with the lowest price.
  private var last = 0

  /// - Parameters:
  ///   - upper: cost of a known order, which scales the first step sizes.
  ///   - rounds: upper limit of subgradient iterations.
  init(stops: Int, legs: borrowing Legs, upper: Double, rounds: Int) {
    count = stops
    prices = Array(repeating: 0, count: stops)
    parent = FlatArray(repeating: 0, count: stops)
    parentCost = FlatArray(repeating: 0, count: stops)
    sequence = FlatArray(repeating: 0, count: stops)
    reach = FlatArray(repeating: 0, count: stops)
    raise(legs, upper: upper, rounds: rounds)
  }

  /// Subgradient ascent: adjusts the prices to raise the bound and keeps the best ones.
  private mutating func raise(_ legs: borrowing Legs, upper: Double, rounds: Int) {
    let trial = FlatArray<Double>(repeating: 0, count: count)
    var degrees = [Int](repeating: 0, count: count)
    var before = [Int](repeating: 0, count: count)
    var factor = 1.0
    var stale = 0
    for round in 0..<rounds {
      let weight = tree(legs, trial)
      for stop in 0..<count { degrees[stop] = 0 }
      degrees[0] = 1
      degrees[last] += 1
      for index in 1..<count {
        let stop = sequence[index]
        degrees[Int(stop)] += 1
        degrees[Int(parent[stop])] += 1
      }
      var sum = 0.0
      var square = 0
      for stop in 0..<count {
        sum += trial[stop]
        square += (degrees[stop] - 2) * (degrees[stop] - 2)
      }
      let value = weight - 2 * sum
      if value > bound {
        bound = value
        prices = trial.array
        stale = 0
      } else {
        stale += 1
        if stale == 6 {
          factor /= 2
          stale = 0
        }
      }
      // A 1-tree in which every node has two edges is an optimal tour.
      guard square > 0, round + 1 < rounds else { break }
      let step = factor * max(upper - value, 0.001 * upper.magnitude) / Double(square)
      for stop in 0..<count {
        trial[stop] += step * (0.7 * Double(degrees[stop] - 2) + 0.3 * Double(before[stop]))
        before[stop] = degrees[stop] - 2
      }
    }
    for stop in 0..<count { trial[stop] = prices[stop] }
    _ = tree(legs, trial)
  }

  /// Builds the minimum spanning tree by Prim's algorithm on priced legs and adds home's two edges.
  ///
  /// - Returns: the 1-tree's cost.
  private mutating func tree(_ legs: borrowing Legs, _ prices: borrowing FlatArray<Double>) -> Double {
    let waiting = FlatArray<Int32>(repeating: 0, count: count)
    for stop in 1..<count {
      waiting[stop - 1] = Int32(truncatingIfNeeded: stop)
      reach[stop] = .infinity
    }
    sequence[0] = 0
    parent[0] = -1
    var weight = prices[0]
    var newest: Int32 = 0
    var left = count - 1
    for taken in 1..<count {
      var nearest = 0
      var nearestCost = Double.infinity
      let base = prices[newest]
      for slot in 0..<left {
        let stop = waiting[slot]
        let cost = legs.cost(newest, stop) + base + prices[stop]
        if cost < reach[stop] {
          reach[stop] = cost
          parent[stop] = newest
        }
        if reach[stop] < nearestCost {
          nearestCost = reach[stop]
          nearest = slot
        }
      }
      newest = waiting[nearest]
      left -= 1
      waiting[nearest] = waiting[left]
      sequence[taken] = newest
      parentCost[newest] = nearestCost
      weight += nearestCost
    }
    last = 1
    for stop in 1..<count where prices[stop] < prices[last] { last = stop }
    return weight + prices[last]
  }

  // MARK: α

  /// Calls `row` for every stop with α to all other stops: the increase of the 1-tree's cost if that leg is forced in.
  func nearness(_ legs: borrowing Legs, _ row: (_ stop: Int, _ alpha: borrowing FlatArray<Double>) -> Void) {
    let alpha = FlatArray<Double>(repeating: 0, count: count)
    let onPath = FlatArray<Int32>(repeating: -1, count: count)
    for stop in 0..<count {
      // The costliest edge on the tree path from `stop` to each stop: first up to the root, then down the tree.
      alpha[stop] = -Double.infinity
      onPath[stop] = Int32(truncatingIfNeeded: stop)
      var walker = Int32(truncatingIfNeeded: stop)
      while parent[walker] >= 0 {
        let above = parent[walker]
        alpha[above] = max(alpha[walker], parentCost[walker])
        onPath[above] = Int32(truncatingIfNeeded: stop)
        walker = above
      }
      for index in 1..<count {
        let other = sequence[index]
        guard onPath[other] != Int32(truncatingIfNeeded: stop) else { continue }
        alpha[other] = max(alpha[parent[other]], parentCost[other])
      }
      for other in 0..<count where other != stop {
        let cost = legs.cost(Int32(truncatingIfNeeded: stop), Int32(truncatingIfNeeded: other))
        alpha[other] = max(0, cost + prices[stop] + prices[other] - alpha[other])
      }
      row(stop, alpha)
    }
  }

  /// α of the leg from `stop` to home, which ends the day at `stop`.
  func nearnessOfEnd(at stop: Int) -> Double { prices[stop] - prices[last] }
}
