/// Local search for days too large for crossover of many tours: perturbs one tour at a random position ("kick"), repairs it
/// locally, and undoes the kick if the tour got longer.
///
/// Source: chained Lin-Kernighan as in D. Applegate, W. Cook, A. Rohe, "Chained Lin-Kernighan for large traveling salesman
/// problems", INFORMS Journal on Computing 15, 2003.
struct KickedSearch: ~Copyable {
  private var search: FlipSearch<IntegerSphereLegs>
  private var random: SplitMix
  /// Number of nodes: all stops plus home, which is the highest-numbered node.
  private let count: Int

  /// Maximum length of a kick's three segments, in nodes. With 10 instead of 30, tours of 10,000 stops end 0.3 % longer.
  private static let maxSegmentLength = 30

  /// - Parameter nodes: the initial tour.
  init(_ nodes: [Int32], search: consuming FlipSearch<IntegerSphereLegs>, seed: UInt64) {
    count = nodes.count
    random = SplitMix(seed: seed)
    self.search = search
    self.search.improveTour(nodes)
  }

  /// - Returns: the stops from the first one on, in the direction that leads away from home.
  mutating func run(kicks: Int) -> [Int] {
    for _ in 0..<kicks {
      if kick(after: cuts()) - search.improveToOptimum() > 0 { search.tour.undo(to: 0) } else { search.tour.emptyLog() }
    }
    let isForward = search.tour.next(Int32(truncatingIfNeeded: count - 1)) == 0
    var stop: Int32 = 0
    return (1..<count).map { _ in
      defer { stop = isForward ? search.tour.next(stop) : search.tour.previous(stop) }
      return Int(stop)
    }
  }

  /// Four nodes near a random position, in tour order.
  private mutating func cuts() -> InlineArray<4, Int32> {
    var position = random.below(count)
    return InlineArray { _ in
      position += 1 + random.below(Self.maxSegmentLength)
      if position >= count { position -= count }
      return search.tour.node(at: position)
    }
  }

  /// Reverses the sequence of the three segments between four cuts: the double bridge, which local search rarely undoes.
  ///
  /// Source: O. Martin, S. W. Otto, E. W. Felten, "Large-step Markov chains for the TSP", Complex Systems 5, 1991.
  /// - Parameter cuts: the nodes after which the tour is cut.
  /// - Returns: the change of the tour's cost.
  private mutating func kick(after cuts: InlineArray<4, Int32>) -> Int {
    let next: InlineArray<4, Int32> = InlineArray { search.tour.next(cuts[$0]) }
    var change = 0
    for cut in 0..<4 {
      search.enqueue(at: cuts[cut])
      search.enqueue(at: next[cut])
      change += search.cost(cuts[cut], next[(cut + 2) % 4]) - search.cost(cuts[cut], next[cut])
    }
    // Reverse all three segments together, then each segment by itself.
    search.tour.exchange(cuts[0], next[0], cuts[3], next[3])
    search.tour.exchange(cuts[0], cuts[3], next[2], cuts[2])
    search.tour.exchange(cuts[3], cuts[2], next[1], cuts[1])
    search.tour.exchange(cuts[2], cuts[1], next[0], next[3])
    return change
  }
}
