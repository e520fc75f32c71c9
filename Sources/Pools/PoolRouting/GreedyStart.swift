/// Builds an initial tour: joins the shortest candidate edges into fragments, then links each fragment to the nearest unused
/// one.
///
/// Source: J. L. Bentley, "Fast Algorithms for Geometric Traveling Salesman Problems", ORSA Journal on Computing 4, 1992.
struct GreedyStart {
  private let count: Int
  private var edges: [(cost: Double, from: Int32, to: Int32)] = []

  init(count: Int, candidates: borrowing CandidateGraph) {
    self.count = count
    for stop in 0..<Int32(truncatingIfNeeded: count) {
      for slot in 0..<candidates.width {
        let other = candidates.node(stop, slot)
        guard other >= 0 else { break }
        if stop < other || !candidates.contains(other, stop) {
          edges.append((candidates.cost(stop, slot), min(stop, other), max(stop, other)))
        }
      }
    }
  }

  /// - Returns: home (node `count`), the first stop, then all other stops in tour order.
  func tour<Legs: LegCosts & ~Copyable>(_ legs: borrowing Legs) -> [Int32] {
    // Non-negative doubles sort in the order of their bit patterns. The lowest bits, too small to matter as a cost, hold the
    // edge's index.
    let numbers = UInt64.max >> UInt64(edges.count.leadingZeroBitCount)
    var keys: [UInt64] = []
    keys.reserveCapacity(edges.count)
    for (number, edge) in edges.enumerated() { keys.append(edge.cost.bitPattern & ~numbers | UInt64(number)) }
    keys.sort()
    var fragments = Fragments(count: count)
    for key in keys {
      let edge = edges[Int(key & numbers)]
      fragments.join(edge.from, edge.to)
    }
    return fragments.joinedTour(legs)
  }
}

extension CandidateGraph {
  fileprivate borrowing func contains(_ node: Int32, _ other: Int32) -> Bool {
    for slot in 0..<width where self.node(node, slot) == other { return true }
    return false
  }
}

/// Path fragments that grow and merge (union-find); stop 0 gets at most one neighbour because the day starts there.
private struct Fragments {
  private var neighbours: [(Int32, Int32)]
  private var parent: [Int32]

  init(count: Int) {
    neighbours = Array(repeating: (-1, -1), count: count)
    parent = (0..<count).map { Int32(truncatingIfNeeded: $0) }
  }

  /// Representative of the node's fragment (union-find with path halving).
  private mutating func root(_ node: Int32) -> Int32 {
    var node = node
    while parent[Int(node)] != node {
      parent[Int(node)] = parent[Int(parent[Int(node)])]
      node = parent[Int(node)]
    }
    return node
  }

  /// True if the node cannot get another edge.
  private func isFull(_ node: Int32) -> Bool {
    neighbours[Int(node)].1 >= 0 || (node == 0 && neighbours[0].0 >= 0)
  }

  /// Adds the edge if both nodes have a free end and belong to different fragments.
  mutating func join(_ from: Int32, _ to: Int32) {
    guard !isFull(from), !isFull(to) else { return }
    let roots = (root(from), root(to))
    guard roots.0 != roots.1 else { return }
    parent[Int(roots.0)] = roots.1
    link(from, to)
    link(to, from)
  }

  private mutating func link(_ node: Int32, _ other: Int32) {
    if neighbours[Int(node)].0 < 0 { neighbours[Int(node)].0 = other } else { neighbours[Int(node)].1 = other }
  }

  /// Walks the first stop's fragment, then repeatedly the fragment whose end is nearest.
  /// - Returns: home, then all stops in tour order.
  func joinedTour<Legs: LegCosts & ~Copyable>(_ legs: borrowing Legs) -> [Int32] {
    var ends = (1..<neighbours.count).filter { neighbours[$0].1 < 0 }.map { Int32(truncatingIfNeeded: $0) }
    var isUsed = [Bool](repeating: false, count: neighbours.count)
    var tour = [Int32(truncatingIfNeeded: neighbours.count)]
    tour.reserveCapacity(neighbours.count + 1)
    var node: Int32? = 0
    while let begin = node {
      var walker = begin
      var before: Int32 = -1
      while true {
        isUsed[Int(walker)] = true
        tour.append(walker)
        let both = neighbours[Int(walker)]
        let following = both.0 != before ? both.0 : both.1
        guard following >= 0, !isUsed[Int(following)] else { break }
        before = walker
        walker = following
      }
      ends.removeAll { isUsed[Int($0)] }
      node = ends.min { (legs.cost(walker, $0), $0) < (legs.cost(walker, $1), $1) }
    }
    return tour
  }
}
