/// AB-cycles of two tours: closed walks that alternate between edges of only the first tour and edges of only the second.
///
/// Every node has equally many edges of both kinds, so an alternating random walk always closes. Source: Y. Nagata, S.
/// Kobayashi, INFORMS Journal on Computing 25, 2013, §3.1.
struct EdgeRings: ~Copyable {
  private let nodeCount: Int
  /// Nodes of all rings, one ring after the other; each ring begins with an edge of the first tour.
  private var cycles: [Int32] = []
  private var cycleStarts: [Int] = []
  /// Per node: up to two neighbours by edges only in the first tour, then up to two by edges only in the second.
  private let rest: FlatArray<Int32>
  private let restCount: FlatArray<Int32>
  /// Per node: its index on the current walk when reached after an even, and after an odd number of steps; -1 if not reached.
  private let visited: FlatArray<Int32>
  private var walk: [Int32] = []
  private var waiting: [Int32] = []

  /// - Parameter count: number of nodes of a tour.
  init(count: Int) {
    nodeCount = count
    rest = FlatArray(repeating: 0, count: 4 * count)
    restCount = FlatArray(repeating: 0, count: 2 * count)
    visited = FlatArray(repeating: -1, count: 2 * count)
  }

  var count: Int { cycleStarts.count }

  /// Indices of a ring's nodes, for `node(_:)`; their number is even.
  borrowing func nodes(of ring: Int) -> Range<Int> {
    cycleStarts[ring]..<(ring + 1 < cycleStarts.count ? cycleStarts[ring + 1] : cycles.count)
  }

  borrowing func node(_ index: Int) -> Int32 { cycles[index] }

  /// Finds the rings of two tours; replaces the rings found before.
  ///
  /// - Parameters:
  ///   - links: for each tour in sequence, the two neighbours of every node.
  ///   - a: index in `links` at which the first tour begins.
  ///   - b: index in `links` at which the second tour begins.
  mutating func find(_ links: borrowing FlatArray<Int32>, _ a: Int, _ b: Int, _ random: inout SplitMix) {
    cycles.removeAll(keepingCapacity: true)
    cycleStarts.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    for node in 0..<nodeCount { compare(links, a, b, node) }
    while !waiting.isEmpty {
      let slot = random.below(waiting.count)
      let start = waiting[slot]
      if restCount[2 * Int(start)] == 0 {
        waiting.swapAt(slot, waiting.count - 1)
        waiting.removeLast()
        continue
      }
      walkRandomly(from: start, &random)
    }
  }

  /// Stores the node's edges that occur in only one of the two tours.
  private mutating func compare(_ links: borrowing FlatArray<Int32>, _ a: Int, _ b: Int, _ node: Int) {
    let a0 = links[a + 2 * node]
    let a1 = links[a + 2 * node + 1]
    let b0 = links[b + 2 * node]
    let b1 = links[b + 2 * node + 1]
    var left: Int32 = 0
    var right: Int32 = 0
    if a0 != b0, a0 != b1 {
      rest[4 * node] = a0
      left = 1
    }
    if a1 != b0, a1 != b1 {
      rest[4 * node + Int(left)] = a1
      left += 1
    }
    if b0 != a0, b0 != a1 {
      rest[4 * node + 2] = b0
      right = 1
    }
    if b1 != a0, b1 != a1 {
      rest[4 * node + 2 + Int(right)] = b1
      right += 1
    }
    restCount[2 * node] = left
    restCount[2 * node + 1] = right
    if left > 0 { waiting.append(Int32(truncatingIfNeeded: node)) }
  }

  /// Walks alternating edges from `start` and stores each ring that closes, until no edge is left at the walk's end.
  private mutating func walkRandomly(from start: Int32, _ random: inout SplitMix) {
    walk.removeAll(keepingCapacity: true)
    walk.append(start)
    visited[2 * Int(start)] = 0
    while true {
      let steps = walk.count - 1
      let parity = steps & 1
      let node = Int(walk[steps])
      let left = Int(restCount[2 * node + parity])
      if left == 0 { break }
      let next = rest[4 * node + 2 * parity + (left == 1 ? 0 : random.below(2))]
      take(Int32(truncatingIfNeeded: node), next, parity)
      take(next, Int32(truncatingIfNeeded: node), parity)
      let arrived = steps + 1
      let seen = Int(visited[2 * Int(next) + (arrived & 1)])
      if seen < 0 {
        visited[2 * Int(next) + (arrived & 1)] = Int32(truncatingIfNeeded: arrived)
        walk.append(next)
        continue
      }
      cycleStarts.append(cycles.count)
      // A ring starts with an edge of the first tour.
      for offset in 0..<(arrived - seen) {
        var index = seen + offset + (seen & 1)
        if index >= arrived { index -= arrived - seen }
        cycles.append(walk[index])
      }
      for index in (seen + 1)..<arrived { visited[2 * Int(walk[index]) + (index & 1)] = -1 }
      walk.removeLast(walk.count - seen - 1)
    }
    for (index, node) in walk.enumerated() { visited[2 * Int(node) + (index & 1)] = -1 }
  }

  /// Removes the edge from `node` to `other` from `rest`.
  @inline(__always)
  private func take(_ node: Int32, _ other: Int32, _ parity: Int) {
    let base = 4 * Int(node) + 2 * parity
    let left = restCount[2 * Int(node) + parity] - 1
    if rest[base] == other { rest[base] = rest[base + Int(left)] }
    restCount[2 * Int(node) + parity] = left
  }
}
