/// Tours that are crossed until they agree: each child is its first parent with one ring of edges exchanged for the
/// second's.
///
/// Edges of which only one parent has each, taken in turn from the one and the other, close into rings; to exchange those
/// of one ring leaves every stop two edges. Where that makes several rings of the tour, the smallest is joined to its
/// neighbour by the cheapest exchange of two edges, until one is left. Local search sees no way from one good order of
/// whole clusters to another; between two tours, each good in other places, the ways lie open. Source: Y. Nagata,
/// S. Kobayashi, "A Powerful Genetic Algorithm Using Edge Assembly Crossover for the Traveling Salesman Problem",
/// INFORMS Journal on Computing 25, 2013, §3 (strategy "single").
struct EdgeAssembly: ~Copyable {
  /// Nodes of a tour, and tours.
  private let count: Int
  private let size: Int
  private var search: FlipSearch<WholeLegs>
  private var chance: SplitMix
  /// Both neighbours of every node, for each tour.
  private let links: FlatArray<Int32>
  private var costs: [Int]

  // The first parent as a ring.
  private let order: FlatArray<Int32>
  private let position: FlatArray<Int32>
  private var rings: EdgeRings

  // The child.
  private let child: FlatArray<Int32>
  private var changed: [Int32] = []
  private var cuts: [Int32] = []
  private var ringOf: [Int32] = []
  private var ringSize: [Int] = []

  /// - Parameters:
  ///   - count: Nodes of each tour: the stops and, as the highest number, home.
  ///   - size: How many tours.
  init(count: Int, size: Int, search: consuming FlipSearch<WholeLegs>, seed: UInt64) {
    self.count = count
    self.size = size
    self.search = search
    chance = SplitMix(seed: seed)
    links = FlatArray(repeating: 0, count: 2 * count * size)
    costs = Array(repeating: 0, count: size)
    order = FlatArray(repeating: 0, count: count)
    position = FlatArray(repeating: 0, count: count)
    rings = EdgeRings(count: count)
    child = FlatArray(repeating: 0, count: 2 * count)
  }

  /// Mends a tour by local search and puts it into the place `member`.
  mutating func put(_ nodes: [Int32], at member: Int) {
    search.mend(nodes)
    var cost = 0
    for node in 0..<Int32(truncatingIfNeeded: count) {
      let slot = 2 * (member * count + Int(node))
      links[slot] = search.tour.previous(node)
      links[slot + 1] = search.tour.next(node)
      cost += search.cost(node, links[slot + 1])
    }
    costs[member] = cost
  }

  /// The stops of the cheapest tour, from the first on, in the direction that leaves home behind.
  mutating func best() -> [Int] {
    var best = 0
    for member in 0..<size where costs[member] < costs[best] { best = member }
    spread(best)
    let home = Int(position[count - 1])
    let step = order[(home + 1) % count] == 0 ? 1 : count - 1
    return (1..<count).map { Int(order[(home + $0 * step) % count]) }
  }

  /// Crosses every tour with another until a whole round makes none cheaper.
  mutating func run() {
    for _ in 0..<Self.mostRounds where !round() { return }
  }

  /// Rounds after which even tours that still become cheaper are left as they are; the days of the bench need 60.
  private static let mostRounds = 500
  /// Children of one pair at most, a ring each.
  private static let children = 30

  private mutating func round() -> Bool {
    var sequence = Array(0..<size)
    for slot in stride(from: size - 1, to: 0, by: -1) { sequence.swapAt(slot, chance.below(slot + 1)) }
    var isBetter = false
    for slot in 0..<size where cross(sequence[slot], sequence[slot + 1 == size ? 0 : slot + 1]) { isBetter = true }
    return isBetter
  }

  // MARK: One pair

  /// Replaces tour `first` by its cheapest child with `second`, where that is cheaper.
  private mutating func cross(_ first: Int, _ second: Int) -> Bool {
    if costs[first] == costs[second] { return false }
    rings.find(links, 2 * count * first, 2 * count * second, &chance)
    guard rings.count > 0 else { return false }
    spread(first)
    child.copy(2 * count, from: links, at: 2 * count * first, to: 0)
    var bestChange = 0
    var bestLinks: [Int32] = []
    let begin = chance.below(rings.count)
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

  /// Writes a tour as a ring into `order` and `position`.
  private mutating func spread(_ member: Int) {
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

  // MARK: A child

  @inline(__always)
  private mutating func relink(_ node: Int32, _ old: Int32, _ new: Int32) {
    let slot = 2 * node + (child[2 * node] == old ? 0 : 1)
    changed.append(slot)
    changed.append(child[slot])
    child[slot] = new
  }

  @inline(__always)
  private borrowing func place(after place: Int32) -> Int32 { Int(place) + 1 == count ? 0 : place + 1 }

  @inline(__always)
  private borrowing func place(before place: Int32) -> Int32 {
    (place == 0 ? Int32(truncatingIfNeeded: count) : place) - 1
  }

  /// The first place of a stretch.
  @inline(__always)
  private borrowing func begin(of segment: Int) -> Int32 {
    place(after: cuts[segment == 0 ? cuts.count - 1 : segment - 1])
  }

  /// The stretch of the first parent in which a place lies: number s ends at the s-th cut.
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

  /// Exchanges the edges of one ring in `child`; `changed` tells what to put back.
  ///
  /// - Returns: what the child costs more than the first parent.
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
    // Joining rings seldom gains.
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
    nameRings()
    while ringSize.count > 1 {
      guard change < limit, let more = joinSmallest() else { return .max }
      change += more
    }
    return change
  }

  /// Gives each stretch the number of its ring, and each ring its size.
  private mutating func nameRings() {
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
        // The way on is the one that does not lead back: into the stretch, or along the edge by which we came.
        let back = left == right ? before : order[isLeft ? place(before: right) : place(after: left)]
        // At the very first, a stretch of one node may be left either way.
        let next = child[2 * end] == back ? child[2 * end + 1] : child[2 * end]
        before = end
        let there = position[next]
        segment = self.segment(of: there)
        isLeft = there == begin(of: segment)
      } while ringOf[segment] < 0
      ringSize.append(size)
    }
  }

  /// Joins the smallest ring to another by exchanging two edges near each other.
  private mutating func joinSmallest() -> Int? {
    var smallest: Int32 = 0
    for ring in 0..<ringSize.count where ringSize[ring] < ringSize[Int(smallest)] {
      smallest = Int32(truncatingIfNeeded: ring)
    }
    // No exchange costs as much, but one that would part home and the first stop.
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
          // What else is exchanged seldom gains.
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
    // The smallest takes the other's number, and the last ring the smallest's.
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
