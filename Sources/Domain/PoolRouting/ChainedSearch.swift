/// Chained local search for days whose legs cost the same in both directions: kick, repair, keep what is no worse.
///
/// Now and then a slightly longer tour is kept, less and less so, which escapes where plain descent sticks. Source:
/// chained Lin-Kernighan as in D. Applegate, W. Cook, A. Rohe, INFORMS Journal on Computing 15, 2003; the falling
/// threshold after G. Dueck, T. Scheuer, "Threshold Accepting", Journal of Computational Physics 90, 1990.
struct ChainedSearch<Legs: LegCosts & ~Copyable>: ~Copyable {
  private var search: KOptSearch<Legs>
  private let stops: Int
  private var chance: SplitMix
  private let startCost: Double
  private let meanLeg: Double

  /// Neighbours tried for each added edge of an exchange. Those in other quadrants come late: ten, or 10,000 stops end
  /// 4 % higher.
  private static var widths: [Int] { [10, 5] }
  /// The longest of the three segments of a kick.
  private static var longestSegment: Int { 10 }
  /// The first threshold, in mean legs.
  private static var warmth: Double { 0.03 }

  /// - Parameters:
  ///   - nodes: A first tour: home, the first stop, and the others.
  ///   - legs: Between stops and home, whose number is `stops`.
  ///   - meanLeg: What a leg costs without prices, roughly: the measure of what "slightly longer" is.
  init(
    stops: Int, nodes: [Int32], legs: consuming Legs, candidates: consuming CandidateGraph, seed: UInt64,
    meanLeg: Double
  ) {
    self.stops = stops
    chance = SplitMix(seed: seed)
    var total = 0.0
    for index in 1...stops { total += legs.cost(nodes[index - 1], nodes[index]) }
    total += legs.cost(nodes[0], nodes[stops])
    self.meanLeg = meanLeg
    search = KOptSearch(
      tour: Tour(nodes), legs: legs, candidates: candidates, start: 0, widths: Self.widths)
    for node in nodes { search.look(at: node) }
    startCost = total - search.run()
    search.tour.emptyJournal()
  }

  /// - Parameter kicks: How many times the tour is kicked and repaired.
  /// - Returns: the stops in the best order found, the first first.
  mutating func run(kicks: Int) -> [Int] {
    var current = startCost
    var best = current
    let bestNodes = FlatArray<Int32>(repeating: 0, count: search.tour.count)
    search.tour.copyNodes(to: bestNodes)
    var isBestKept = true
    let longest = max(1, min(Self.longestSegment, search.tour.count / 4))
    let warmth = Self.warmth * meanLeg
    for index in 0..<kicks {
      let change = search.kick(at: nearCuts(longest)) - search.run()
      let cooling = 1 - Double(index) / Double(kicks)
      let threshold = warmth * cooling * cooling
      guard current + change <= min(current, best) + threshold * chance.unit() || change <= 0 else {
        search.tour.undoAll()
        continue
      }
      // The tour is about to leave the best: remember it first.
      if change > KOptSearch<Legs>.leastGain, !isBestKept {
        search.tour.undoAll()
        search.tour.copyNodes(to: bestNodes)
        isBestKept = true
        continue
      }
      search.tour.emptyJournal()
      current += change
      if current < best - KOptSearch<Legs>.leastGain {
        best = current
        isBestKept = false
      }
    }
    if isBestKept == false { search.tour.copyNodes(to: bestNodes) }
    return ordered(bestNodes)
  }

  /// Four cuts with at most `longest` stops between neighbours, kept local as by D. Applegate, W. Cook, A. Rohe,
  /// "Chained Lin-Kernighan for large traveling salesman problems", INFORMS Journal on Computing 15, 2003.
  private mutating func nearCuts(_ longest: Int) -> InlineArray<4, Int> {
    let count = search.tour.count
    let a = chance.below(count)
    let b = a + 1 + chance.below(longest)
    let c = b + 1 + chance.below(longest)
    let d = c + 1 + chance.below(longest)
    return [a, b < count ? b : b - count, c < count ? c : c - count, d < count ? d : d - count]
  }

  /// From the first stop on, in the direction that leaves home behind.
  private borrowing func ordered(_ nodes: borrowing FlatArray<Int32>) -> [Int] {
    let count = nodes.count
    var home = 0
    while nodes[home] != Int32(truncatingIfNeeded: count - 1) { home += 1 }
    let step = nodes[(home + 1) % count] == 0 ? 1 : count - 1
    return (1..<count).map { Int(nodes[(home + $0 * step) % count]) }
  }
}
