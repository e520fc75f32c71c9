internal import Glibc

/// For each stop, the few stops likely to be next to it in a good tour, cheapest first.
///
/// The nearest stops alone leave clusters unconnected, so the two nearest of each quadrant are added. On the benchmark's days,
/// eight nearest neighbours end 2 to 4 % above the best tour, with quadrants 1 %. Source for quadrant neighbours: D. S.
/// Johnson, L. A. McGeoch, "Experimental Analysis of Heuristics for the STSP", 2002, §3.1.
struct CandidateGraph: ~Copyable {
  /// Number of candidate slots per stop.
  let width: Int
  /// Candidate per slot; -1 marks an empty slot.
  private let nodes: FlatArray<Int32>
  private let costs: FlatArray<Double>

  @inline(__always)
  borrowing func node(_ stop: Int32, _ slot: Int) -> Int32 { nodes[Int(stop) * width + slot] }

  @inline(__always)
  borrowing func cost(_ stop: Int32, _ slot: Int) -> Double { costs[Int(stop) * width + slot] }

  static let nearest = 6
  static let perQuadrant = 2
  private static let slots = nearest + 4 * perQuadrant

  /// Great-circle neighbours; the node home gets the most isolated stops, because a day tends to end there.
  init<Legs: LegCosts & ~Copyable>(stops: [Coordinate], legs: borrowing Legs) {
    let count = stops.count
    width = min(Self.slots, max(1, count - 1))
    nodes = FlatArray(repeating: -1, count: (count + 1) * width)
    costs = FlatArray(repeating: 0, count: (count + 1) * width)
    let latitudes = FlatArray(stops.map(\.latitude), filler: 0)
    let longitudes = FlatArray(stops.map(\.longitude), filler: 0)
    for stop in 0..<count {
      var near = Nearest(limit: Self.nearest)
      var quadrants: InlineArray<4, Nearest> = .init(repeating: Nearest(limit: Self.perQuadrant))
      let latitude = latitudes[stop]
      let longitude = longitudes[stop]
      let shrink = cos(latitude * .pi / 180)
      for other in 0..<count where other != stop {
        let y = latitudes[other] - latitude
        var x = longitudes[other] - longitude
        if x > 180 { x -= 360 } else if x < -180 { x += 360 }
        x *= shrink
        let square = x * x + y * y
        if square < near.worst { near.take(Int32(truncatingIfNeeded: other), square) }
        // A stop at the same location has no direction.
        guard square > 0 else { continue }
        // Each half-axis belongs to exactly one quadrant.
        let quadrant = (y > 0 || (y == 0 && x > 0)) ? (x > 0 ? 0 : 1) : (x < 0 ? 2 : 3)
        if square < quadrants[quadrant].worst {
          quadrants[quadrant].take(Int32(truncatingIfNeeded: other), square)
        }
      }
      var found: [Int32] = near.nodes
      for quadrant in 0..<4 {
        for node in quadrants[quadrant].nodes where !found.contains(node) { found.append(node) }
      }
      store(found, of: Int32(truncatingIfNeeded: stop), legs)
    }
    fillHome(count)
  }

  /// The `width` legs of each stop with the lowest α, with priced costs; a leg to home means that the day ends there.
  init<Legs: LegCosts & ~Copyable>(_ bound: borrowing HeldKarpBound<Legs>, legs: borrowing Legs, count: Int, width: Int)
  {
    self.width = min(width, count - 1)
    nodes = FlatArray(repeating: -1, count: (count + 1) * self.width)
    costs = FlatArray(repeating: 0, count: (count + 1) * self.width)
    let home = Int32(truncatingIfNeeded: count)
    let limit = self.width
    var lonely = Nearest(limit: limit)
    for stop in 1..<count { lonely.take(Int32(truncatingIfNeeded: stop), bound.nearnessOfEnd(at: stop)) }
    let prices = bound.prices
    func put(_ stop: Int, _ slot: Int, _ node: Int32, _ cost: Double) {
      nodes[stop * limit + slot] = node
      costs[stop * limit + slot] = cost
    }
    for (slot, node) in lonely.nodes.enumerated() { put(count, slot, node, prices[Int(node)]) }
    bound.nearness(legs) { stop, alpha in
      var near = Nearest(limit: limit)
      if stop > 0 { near.take(home, bound.nearnessOfEnd(at: stop)) }
      for other in 0..<count where other != stop {
        // Ties in α go to the shorter leg.
        near.take(
          Int32(truncatingIfNeeded: other),
          alpha[other] + 1e-6 * legs.cost(Int32(truncatingIfNeeded: stop), Int32(truncatingIfNeeded: other)))
      }
      for (slot, node) in near.nodes.enumerated() {
        let leg = node == home ? 0 : legs.cost(Int32(truncatingIfNeeded: stop), node) + prices[Int(node)]
        put(stop, slot, node, leg + prices[stop])
      }
    }
  }

  /// Neighbours by leg cost alone, for tables without coordinates.
  init<Legs: LegCosts & ~Copyable>(count: Int, legs: borrowing Legs) {
    width = min(Self.slots, max(1, count - 1))
    nodes = FlatArray(repeating: -1, count: (count + 1) * width)
    costs = FlatArray(repeating: 0, count: (count + 1) * width)
    for stop in 0..<Int32(truncatingIfNeeded: count) {
      var near = Nearest(limit: width)
      for other in 0..<Int32(truncatingIfNeeded: count) where other != stop {
        near.take(other, legs.cost(stop, other))
      }
      store(near.nodes, of: stop, legs)
    }
    fillHome(count)
  }

  /// Stores the `width` cheapest of the found neighbours, cheapest first.
  private func store<Legs: LegCosts & ~Copyable>(_ found: [Int32], of stop: Int32, _ legs: borrowing Legs) {
    var priced: [(node: Int32, cost: Double)] = []
    for node in found { priced.append((node, legs.cost(stop, node))) }
    priced.sort { ($0.cost, $0.node) < ($1.cost, $1.node) }
    for (slot, entry) in priced.prefix(width).enumerated() {
      nodes[Int(stop) * width + slot] = entry.node
      costs[Int(stop) * width + slot] = entry.cost
    }
  }

  private init(count: Int, width: Int) {
    self.width = width
    nodes = FlatArray(repeating: -1, count: (count + 1) * width)
    costs = FlatArray(repeating: 0, count: (count + 1) * width)
  }

  /// The same graph after renumbering the stops: stop `sequence[n]` becomes stop n.
  borrowing func renumbered(_ sequence: [Int]) -> CandidateGraph {
    let count = sequence.count
    let graph = CandidateGraph(count: count, width: width)
    var number = [Int32](repeating: 0, count: count + 1)
    for (new, old) in sequence.enumerated() { number[old] = Int32(truncatingIfNeeded: new) }
    number[count] = Int32(truncatingIfNeeded: count)
    for old in 0...count {
      let row = Int(number[old]) * width
      for slot in 0..<width {
        let node = nodes[old * width + slot]
        graph.nodes[row + slot] = node < 0 ? -1 : number[Int(node)]
        graph.costs[row + slot] = costs[old * width + slot]
      }
    }
    return graph
  }

  /// Gives home the stops whose nearest neighbour is farthest away.
  private func fillHome(_ count: Int) {
    var lonely = Nearest(limit: width)
    for stop in 0..<count { lonely.take(Int32(truncatingIfNeeded: stop), -costs[stop * width]) }
    for (slot, node) in lonely.nodes.enumerated() { nodes[count * width + slot] = node }
  }
}

/// Collects the `limit` nodes with the smallest keys, in ascending order.
private struct Nearest {
  private(set) var nodes: [Int32] = []
  private var keys: [Double] = []
  private let limit: Int
  /// Keys at or above this are not accepted.
  private(set) var worst = Double.infinity

  init(limit: Int) {
    self.limit = limit
  }

  mutating func take(_ node: Int32, _ key: Double) {
    guard key < worst else { return }
    var slot = keys.count
    while slot > 0, keys[slot - 1] > key { slot -= 1 }
    keys.insert(key, at: slot)
    nodes.insert(node, at: slot)
    if keys.count > limit {
      keys.removeLast()
      nodes.removeLast()
    }
    if keys.count == limit { worst = keys[limit - 1] }
  }
}
