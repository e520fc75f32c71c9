/// Local search by sequential exchanges of up to five edges, in the manner of Lin and Kernighan.
///
/// An exchange removes (t0,t1), (t2,t3), … and adds (t1,t2), (t3,t4), … and the closing edge; it is followed only while
/// what was removed outweighs what was added, and only to near neighbours. Intermediate steps need not be tours: whether
/// an exchange makes one ring is asked when it would pay. Nodes whose surroundings have not changed are not looked at.
/// Sources: S. Lin, B. W. Kernighan, "An Effective Heuristic Algorithm for the Traveling-Salesman Problem", Operations
/// Research 21, 1973; the k-opt step of K. Helsgaun, "General k-opt submoves for the Lin-Kernighan TSP heuristic",
/// Mathematical Programming Computation 1, 2009; don't-look bits of J. L. Bentley, ORSA Journal on Computing 4, 1992.
struct KOptSearch<Legs: LegCosts & ~Copyable>: ~Copyable {
  var tour: Tour
  private let legs: Legs
  private let candidates: CandidateGraph
  /// The node that stands for "home": between the last stop and the first, at no cost.
  private let home: Int32
  private let start: Int32
  private let ends: FlatArray<Int32>
  private let queue: FlatArray<Int32>
  private let isQueued: FlatArray<Bool>
  private var queueHead = 0
  private var queueCount = 0
  private let widths: InlineArray<6, Int>
  private let depth: Int
  /// True while the first removed edge is taken in the tour's direction.
  private var isAlong = true
  /// Exchanges applied so far.
  private(set) var moves = 0

  /// An exchange must gain more than this, in the unit of the legs: rounding must not look like progress.
  static var leastGain: Double { 1e-9 }

  /// - Parameters:
  ///   - tour: Every stop and, as the highest number, home; home stands before `start`.
  ///   - widths: How many neighbours are tried for the first, second, … added edge; as many edges are exchanged at most.
  init(tour: consuming Tour, legs: consuming Legs, candidates: consuming CandidateGraph, start: Int32, widths: [Int]) {
    let count = tour.count
    home = Int32(truncatingIfNeeded: count - 1)
    self.start = start
    self.tour = tour
    self.legs = legs
    self.candidates = candidates
    ends = FlatArray(repeating: 0, count: 2 * Tour.widestChange)
    queue = FlatArray(repeating: 0, count: count)
    isQueued = FlatArray(repeating: false, count: count)
    self.widths = InlineArray { $0 < widths.count ? widths[$0] : 0 }
    depth = widths.count + 1
  }

  @inline(__always)
  borrowing func cost(_ from: Int32, _ to: Int32) -> Double {
    legs.cost(from, to)
  }

  /// Home and the first stop stay together: the day begins there.
  @inline(__always)
  private borrowing func isFixed(_ from: Int32, _ to: Int32) -> Bool {
    (from == home && to == start) || (from == start && to == home)
  }

  // MARK: The queue

  mutating func look(at node: Int32) {
    guard !isQueued[node] else { return }
    isQueued[node] = true
    var slot = queueHead + queueCount
    if slot >= queue.count { slot -= queue.count }
    queue[slot] = node
    queueCount += 1
  }

  /// Applies exchanges until no queued node has one that pays.
  ///
  /// - Returns: what they gained.
  mutating func run() -> Double {
    var gained = 0.0
    while queueCount > 0 {
      let node = queue[queueHead]
      queueHead = queueHead + 1 == queue.count ? 0 : queueHead + 1
      queueCount -= 1
      isQueued[node] = false
      while let gain = improve(node) { gained += gain }
    }
    return gained
  }

  // MARK: One exchange

  private mutating func improve(_ node: Int32) -> Double? {
    for forward in [true, false] {
      let other = forward ? tour.next(node) : tour.previous(node)
      guard !isFixed(node, other) else { continue }
      ends[0] = node
      ends[1] = other
      isAlong = forward
      if let gain = extend(1, cost(node, other)) { return gain }
    }
    return nil
  }

  /// Adds one more edge to the exchange of `edges` removed ones, whose gain so far is `gain`.
  private mutating func extend(_ edges: Int, _ gain: Double) -> Double? {
    let from = ends[2 * edges - 1]
    let before = tour.previous(from)
    let after = tour.next(from)
    for slot in 0..<min(widths[edges - 1], candidates.width) {
      let to = candidates.node(from, slot)
      guard to >= 0 else { break }
      let opened = gain - candidates.cost(from, slot)
      guard opened > Self.leastGain else { continue }
      guard to != before, to != after else { continue }
      for isForward in 0..<2 {
        let end = isForward == 0 ? tour.next(to) : tour.previous(to)
        guard !isFixed(to, end), !isRemoved(to, end, edges) else { continue }
        let removed = opened + cost(to, end)
        ends[2 * edges] = to
        ends[2 * edges + 1] = end
        let closed = removed - cost(end, ends[0])
        // Two edges make one ring only if both are taken in the same direction.
        if closed > Self.leastGain, edges > 1 || (isForward == 0) != isAlong,
          let splice = tour.splice(ends, edges: edges + 1)
        {
          tour.apply(splice)
          moves += 1
          for index in 0..<2 * (edges + 1) { look(at: ends[index]) }
          return closed
        }
        if edges + 1 < depth, let gain = extend(edges + 1, removed) { return gain }
      }
    }
    return nil
  }

  @inline(__always)
  private borrowing func isRemoved(_ from: Int32, _ to: Int32, _ edges: Int) -> Bool {
    for edge in 0..<edges {
      let a = ends[2 * edge]
      let b = ends[2 * edge + 1]
      if (a == from && b == to) || (a == to && b == from) { return true }
    }
    return false
  }

  // MARK: Kicks

  /// Cuts the tour at four places and puts the three segments between them together in the opposite sequence: the double
  /// bridge, which no sequential exchange of so few edges takes back. Source: O. Martin, S. W. Otto, E. W. Felten,
  /// "Large-step Markov chains for the TSP", Complex Systems 5, 1991.
  ///
  /// - Parameter cuts: The places after which the tour is cut, all different and in the order in which a walk comes by.
  /// - Returns: what it costs.
  mutating func kick(at cuts: InlineArray<4, Int>) -> Double {
    let count = tour.count
    func after(_ cut: Int) -> Int { cuts[cut] + 1 == count ? 0 : cuts[cut] + 1 }
    var change = 0.0
    for cut in 0..<4 {
      let from = tour.node(at: cuts[cut])
      let to = tour.node(at: after(cut))
      if isFixed(from, to) { return 0 }
      look(at: from)
      look(at: to)
      change -= cost(from, to)
    }
    var splice = Tour.Splice()
    splice.count = 4
    splice.first[0] = Int32(truncatingIfNeeded: after(3))
    splice.last[0] = Int32(truncatingIfNeeded: cuts[0])
    var end = tour.node(at: cuts[0])
    for slot in 1...3 {
      let first = after(3 - slot)
      let last = cuts[4 - slot]
      splice.first[slot] = Int32(truncatingIfNeeded: first)
      splice.last[slot] = Int32(truncatingIfNeeded: last)
      change += cost(end, tour.node(at: first))
      end = tour.node(at: last)
    }
    change += cost(end, tour.node(at: after(3)))
    tour.apply(splice)
    return change
  }
}
