/// Genetic search with edge assembly crossover: a child is its first parent with the edges of one AB-cycle replaced by the
/// second parent's.
///
/// An AB-cycle (`EdgeRings`) alternates between edges of only one parent, so its exchange leaves every node two edges. If the
/// child splits into several rings, the smallest ring is merged into a neighbour by the cheapest 2-exchange until one ring is
/// left. Local search cannot move from one good order of clusters to another; crossover of two good tours can.
///
/// Source: Y. Nagata, S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman
/// Problem", INFORMS Journal on Computing 25, 2013, §3 (strategy "single").
struct EdgeAssembly: ~Copyable {
  /// Number of nodes of each tour (`count`) and number of tours (`size`).
  private let count: Int
  private let size: Int
  private var search: FlipSearch
  private var random: SplitMix
  /// For each tour in sequence, the two neighbours of every node.
  private let links: FlatArray<Int32>
  private var costs: [Int]

  // The first parent as an array of nodes, and each node's index in it.
  private let order: FlatArray<Int32>
  private let position: FlatArray<Int32>
  private var rings: EdgeRings

  // The child: both neighbours of every node, and its differences from the first parent.
  private let child: FlatArray<Int32>
  private var changed: [Int32] = []
  private var cuts: [Int32] = []
  private var ringOf: [Int32] = []
  private var ringSize: [Int] = []

  /// - Parameters:
  ///   - count: nodes of each tour: the stops and home, the highest-numbered node.
  ///   - size: number of tours.
  init(count: Int, size: Int, search: consuming FlipSearch, seed: UInt64) {
    self.count = count
    self.size = size
    self.search = search
    random = SplitMix(seed: seed)
    links = FlatArray(repeating: 0, count: 2 * count * size)
    costs = Array(repeating: 0, count: size)
    order = FlatArray(repeating: 0, count: count)
    position = FlatArray(repeating: 0, count: count)
    rings = EdgeRings(count: count)
    child = FlatArray(repeating: 0, count: 2 * count)
  }

  /// Improves a tour by local search and stores it as tour number `member`.
  mutating func store(_ nodes: [Int32], at member: Int) {
    search.improveTour(nodes)
    var cost = 0
    for node in 0..<Int32(truncatingIfNeeded: count) {
      let slot = 2 * (member * count + Int(node))
      links[slot] = search.tour.previous(node)
      links[slot + 1] = search.tour.next(node)
      cost += search.cost(node, links[slot + 1])
    }
    costs[member] = cost
  }

  /// - Returns: the stops of the cheapest tour, first stop first, in the direction that leads away from home.
  mutating func best() -> [Int] {
    var best = 0
    for member in 0..<size where costs[member] < costs[best] { best = member }
    writeSequence(best)
    let home = Int(position[count - 1])
    let step = order[(home + 1) % count] == 0 ? 1 : count - 1
    return (1..<count).map { Int(order[(home + $0 * step) % count]) }
  }

  /// Crosses every tour with another until a whole round improves none.
  mutating func run() {
    for _ in 0..<Self.mostRounds where !round() { return }
  }

  /// Upper limit of rounds; the benchmark's days need 60.
  private static let mostRounds = 500
  /// Upper limit of children per pair; each child uses one ring.
  private static let children = 30

  /// Crosses each tour with the next in a random cyclic order.
  ///
  /// - Returns: true if a tour became cheaper.
  private mutating func round() -> Bool {
    var sequence = Array(0..<size)
    for slot in stride(from: size - 1, to: 0, by: -1) { sequence.swapAt(slot, random.below(slot + 1)) }
    var isBetter = false
    for slot in 0..<size where cross(sequence[slot], sequence[slot + 1 == size ? 0 : slot + 1]) { isBetter = true }
    return isBetter
  }

  // MARK: One pair

  /// Replaces tour `first` by its cheapest child with tour `second`, if that is cheaper.
  private mutating func cross(_ first: Int, _ second: Int) -> Bool {
    if costs[first] == costs[second] { return false }
    rings.find(links, 2 * count * first, 2 * count * second, &random)
    guard rings.count > 0 else { return false }
    writeSequence(first)
    child.copy(2 * count, from: links, at: 2 * count * first, to: 0)
    var bestChange = 0
    var bestLinks: [Int32] = []
    let begin = random.below(rings.count)
    for index in 0..<min(Self.children, rings.count) {
      let ring = begin + index < rings.count ? begin + index : begin + index - rings.count
      let change = assemble(ring, below: bestChange)
      if change < bestChange {
        bestChange = change
        bestLinks.removeAll(keepingCapacity: true)
        for slot in stride(from: 0, to: changed.count, by: 2) {
          bestLinks.append(changed[slot])
          bestLinks.append(child[changed[slot]])
        }
      }
      for slot in stride(from: changed.count - 2, through: 0, by: -2) { child[changed[slot]] = changed[slot + 1] }
    }
    guard bestChange < 0 else { return false }
    for slot in stride(from: 0, to: bestLinks.count, by: 2) {
      links[2 * count * first + Int(bestLinks[slot])] = bestLinks[slot + 1]
    }
    costs[first] += bestChange
    return true
  }

  /// Writes a tour as a node sequence into `order` and `position`.
  private mutating func writeSequence(_ member: Int) {
    let base = 2 * count * member
    var before: Int32 = -1
    var node: Int32 = 0
    for place in 0..<count {
      order[place] = node
      position[node] = Int32(truncatingIfNeeded: place)
      let left = links[base + 2 * Int(node)]
      let next = left != before ? left : links[base + 2 * Int(node) + 1]
      before = node
      node = next
    }
  }

  // MARK: Offspring tours

  /// Replaces the child's edge from `node` to `old` by one to `new`, and logs the change in `changed`.
  @inline(__always)
  private mutating func relink(_ node: Int32, _ old: Int32, _ new: Int32) {
    let slot = 2 * node + (child[2 * node] == old ? 0 : 1)
    changed.append(slot)
    changed.append(child[slot])
    child[slot] = new
  }

  /// The index after `place`; the last index is followed by 0.
  @inline(__always)
  private borrowing func place(after place: Int32) -> Int32 { Int(place) + 1 == count ? 0 : place + 1 }

  /// The index before `place`; 0 is preceded by the last index.
  @inline(__always)
  private borrowing func place(before place: Int32) -> Int32 {
    (place == 0 ? Int32(truncatingIfNeeded: count) : place) - 1
  }

  /// The index in `order` at which a segment of the first parent begins.
  @inline(__always)
  private borrowing func begin(of segment: Int) -> Int32 {
    place(after: cuts[segment == 0 ? cuts.count - 1 : segment - 1])
  }

  /// The segment of the first parent that contains index `place` of `order`; segment s ends at `cuts[s]`.
  @inline(__always)
  private borrowing func segment(of place: Int32) -> Int {
    var low = 0
    var high = cuts.count
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low == cuts.count ? 0 : low
  }

  /// Exchanges the edges of one ring in `child`; `changed` logs the old neighbours for the undo.
  ///
  /// - Returns: the cost of the child minus that of the first parent, or `Int.max` if it is not below `limit`.
  private mutating func assemble(_ ring: Int, below limit: Int) -> Int {
    changed.removeAll(keepingCapacity: true)
    cuts.removeAll(keepingCapacity: true)
    var change = 0
    let nodes = rings.nodes(of: ring)
    for index in stride(from: nodes.lowerBound, to: nodes.upperBound, by: 2) {
      let from = rings.node(index)
      let to = rings.node(index + 1)
      let after = rings.node(index + 2 == nodes.upperBound ? nodes.lowerBound : index + 2)
      change += search.cost(to, after) - search.cost(from, to)
      let place = position[from]
      cuts.append(order[self.place(after: place)] == to ? place : position[to])
    }
    // Merging rings rarely reduces the cost.
    guard change < limit else { return .max }
    for index in stride(from: nodes.lowerBound, to: nodes.upperBound, by: 2) {
      let before = rings.node((index == nodes.lowerBound ? nodes.upperBound : index) - 1)
      let from = rings.node(index)
      let to = rings.node(index + 1)
      let after = rings.node(index + 2 == nodes.upperBound ? nodes.lowerBound : index + 2)
      relink(from, to, before)
      relink(to, from, after)
    }
    cuts.sort()
    numberRings()
    while ringSize.count > 1 {
      guard change < limit, let more = mergeSmallestRing() else { return .max }
      change += more
    }
    return change
  }

  /// Assigns each segment the number of its ring, and computes the size of each ring.
  private mutating func numberRings() {
    let segments = cuts.count
    ringOf.removeAll(keepingCapacity: true)
    for _ in 0..<segments { ringOf.append(-1) }
    ringSize.removeAll(keepingCapacity: true)
    for start in 0..<segments where ringOf[start] < 0 {
      let ring = Int32(truncatingIfNeeded: ringSize.count)
      var size = 0
      var segment = start
      var isLeft = true
      var before: Int32 = -1
      repeat {
        ringOf[segment] = ring
        let left = begin(of: segment)
        let right = cuts[segment]
        size += Int(right - left) + (right < left ? count : 0) + 1
        let end = order[isLeft ? right : left]
        // Leave by the neighbour that was not visited last: neither inside this segment nor the previous node.
        let back = left == right ? before : order[isLeft ? place(before: right) : place(after: left)]
        // At the start, a segment of one node can be left either way.
        let next = child[2 * end] == back ? child[2 * end + 1] : child[2 * end]
        before = end
        let there = position[next]
        segment = self.segment(of: there)
        isLeft = there == begin(of: segment)
      } while ringOf[segment] < 0
      ringSize.append(size)
    }
  }

  /// Merges the smallest ring into another by exchanging two nearby edges.
  ///
  /// - Returns: the change of cost, or nil if no exchange is possible.
  private mutating func mergeSmallestRing() -> Int? {
    var smallest: Int32 = 0
    for ring in 0..<ringSize.count where ringSize[ring] < ringSize[Int(smallest)] {
      smallest = Int32(truncatingIfNeeded: ring)
    }
    // Initial value above the cost of every exchange, except one that removes the edge between home and the first stop.
    var best = NeighbourList.emptySlot
    var edges: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    var other: Int32 = 0
    let segments = cuts.count
    for segment in 0..<segments where ringOf[segment] == smallest {
      var here = begin(of: segment)
      while true {
        let u = order[here]
        let left = child[2 * Int(u)]
        let right = child[2 * Int(u) + 1]
        let most = max(search.cost(u, left), search.cost(u, right))
        for slot in 0..<search.neighbours.width {
          let added = search.neighbours.cost(u, slot)
          if added == NeighbourList.emptySlot { break }
          // The other two edges of the exchange, (w,x) and (v,x), rarely make up for that.
          if added - most >= best { break }
          let v = search.neighbours.node(u, slot)
          let ring = ringOf[self.segment(of: position[v])]
          if ring == smallest { continue }
          for far in 0..<2 {
            let x = child[2 * Int(v) + far]
            let removed = search.cost(v, x)
            for side in 0..<2 {
              let w = side == 0 ? left : right
              let change = added - search.cost(u, w) + search.cost(w, x) - removed
              if change < best {
                best = change
                edges = (u, w, v, x)
                other = ring
              }
            }
          }
        }
        if here == cuts[segment] { break }
        here = place(after: here)
      }
    }
    guard best < NeighbourList.emptySlot else { return nil }
    let (u, w, v, x) = edges
    relink(u, w, v)
    relink(v, x, u)
    relink(w, u, x)
    relink(x, v, w)
    // The smallest ring gets the other ring's number, and the last ring gets the number that becomes free.
    ringSize[Int(other)] += ringSize[Int(smallest)]
    let last = Int32(truncatingIfNeeded: ringSize.count - 1)
    for segment in 0..<segments where ringOf[segment] == smallest { ringOf[segment] = other }
    if smallest != last {
      for segment in 0..<segments where ringOf[segment] == last { ringOf[segment] = smallest }
      ringSize[Int(smallest)] = ringSize[Int(last)]
    }
    ringSize.removeLast()
    return best
  }
}
