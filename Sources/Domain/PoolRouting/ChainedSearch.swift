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

  private let tuning: ChainedSearchTuning

  /// - Parameters:
  ///   - nodes: A first tour: home, the first stop, and the others.
  ///   - legs: Between stops and home, whose number is `stops`.
  ///   - meanLeg: What a leg costs without prices, roughly: the measure of what "slightly longer" is.
  init(
    stops: Int, nodes: [Int32], legs: consuming Legs, candidates: consuming CandidateGraph, seed: UInt64,
    meanLeg: Double, tuning: ChainedSearchTuning
  ) {
    self.stops = stops
    self.tuning = tuning
    chance = SplitMix(seed: seed)
    var total = 0.0
    for index in 1...stops { total += legs.cost(nodes[index - 1], nodes[index]) }
    total += legs.cost(nodes[0], nodes[stops])
    self.meanLeg = meanLeg
    search = KOptSearch(
      tour: Tour(nodes), legs: legs, candidates: candidates, start: 0, widths: tuning.widths)
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
    let longest = max(1, min(tuning.longestSegment, search.tour.count / 4))
    let warmth = tuning.warmth * meanLeg
    for index in 0..<kicks {
      let isWide = tuning.wideEvery.map { index % $0 == 0 } ?? false
      let cuts = isWide ? wideCuts() : nearCuts(longest)
      let change = search.kick(at: cuts, isWide && tuning.turnsClusters ? arrangement() : .doubleBridge) - search.run()
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

  /// Four cuts anywhere, each through the longest of a few legs: whole clusters change their places or turn.
  private mutating func wideCuts() -> InlineArray<4, Int> {
    let count = search.tour.count
    var cuts: [Int] = []
    for _ in 0..<32 where cuts.count < 4 {
      var longest = 0
      var length = -Double.infinity
      for _ in 0..<tuning.wideSamples {
        let place = chance.below(count)
        let leg = search.legLength(after: place)
        if leg > length, !cuts.contains(place) {
          length = leg
          longest = place
        }
      }
      if !cuts.contains(longest) { cuts.append(longest) }
    }
    guard cuts.count == 4 else { return nearCuts(1) }
    cuts.sort()
    return [cuts[0], cuts[1], cuts[2], cuts[3]]
  }

  /// Any of the 47 other ways to put three segments together.
  private mutating func arrangement() -> KOptSearch<Legs>.Arrangement {
    let first = chance.below(3)
    let second = (first + 1 + chance.below(2)) % 3
    let turns = chance.below(8)
    if first == 0, second == 1, turns == 0 { return .doubleBridge }
    return KOptSearch<Legs>.Arrangement(
      segments: [first + 1, second + 1, 4 - first - second], turned: [turns & 1 != 0, turns & 2 != 0, turns & 4 != 0])
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

/// What may be turned.
struct ChainedSearchTuning: Sendable {
  /// Neighbours tried for each added edge of an exchange.
  let widths: [Int]
  /// The longest of the three segments of a kick.
  let longestSegment: Int
  /// One kick of so many cuts long legs anywhere; nil where it would cost more than it finds.
  let wideEvery: Int?
  /// The legs of which the longest is cut.
  let wideSamples = 6
  /// The first threshold, in mean legs.
  let warmth: Double
  /// Whether a wide kick may turn its segments. On large days that costs more to mend than it finds: 1,000 stops would
  /// end at 1.9 % instead of 0.6.
  var turnsClusters = false

  /// For candidates by α, which are few and good: wide for small days, where that never misses, and narrow for large
  /// ones, where more kicks find more in the same time. Between the two, where clusters are many and each is small, long
  /// segments let whole clusters change places: fewer such kicks find more. Measured on the days of the bench.
  static func priced(stops: Int) -> ChainedSearchTuning {
    switch stops {
    case ...100:
      ChainedSearchTuning(widths: [6, 4], longestSegment: 15, wideEvery: 4, warmth: 0.03, turnsClusters: true)
    case ...200:
      ChainedSearchTuning(widths: [6, 4], longestSegment: 50, wideEvery: 4, warmth: 0.06, turnsClusters: true)
    default: ChainedSearchTuning(widths: [6, 3], longestSegment: 15, wideEvery: 5, warmth: 0.03)
    }
  }
  /// For plain neighbours, of which the ones in other quadrants come late: ten, or 10,000 stops end 4 % higher.
  static let plain = ChainedSearchTuning(widths: [10, 5], longestSegment: 10, wideEvery: nil, warmth: 0.03)
}
