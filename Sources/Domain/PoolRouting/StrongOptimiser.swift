internal import PoolModel

/// An order and what is known about it.
package struct RouteSolution: Hashable, Sendable {
  /// Stops in the order of the day, the first first.
  package let order: [Int]
  /// In the objective's unit, recomputed from the definition.
  package let cost: Double
  /// True where no order is cheaper.
  package let isProvenOptimal: Bool
}

/// The best order that a budget of moves finds; never worse than the given one or the reference's.
///
/// Up to 16 stops the answer is the optimum, proven (windows aside). The same problem, effort and seed give the same
/// answer on every machine.
package enum StrongOptimiser {
  /// - Parameters:
  ///   - effort: 1 is the everyday budget; n gives n times as many moves.
  ///   - seed: What chance begins with.
  package static func solve(_ problem: RouteProblem, effort: Int = 1, seed: UInt64 = 1) -> RouteSolution {
    guard problem.count > 2 else { return trivial(problem) }
    var best = Best(problem, problem.firstOrder)
    if !problem.hasPins {
      best.consider(ReferenceOptimiser.order(problem))
      if problem.objective == .balanced { best.consider(ReferenceOptimiser.orderFromGiven(problem)) }
    }
    if problem.count <= ExactOptimiser.mostStops, !problem.hasWindows {
      prove(problem, &best)
      return RouteSolution(order: best.order, cost: best.cost, isProvenOptimal: true)
    }
    if isPlain(problem) {
      best.consider(searched(problem, effort: effort, seed: seed))
    } else {
      anneal(problem, &best, effort: effort, seed: seed)
    }
    return RouteSolution(order: best.order, cost: best.cost, isProvenOptimal: false)
  }

  /// With one other stop or none there is one order, unless a pin says so anyway.
  private static func trivial(_ problem: RouteProblem) -> RouteSolution {
    let order = problem.firstOrder
    return RouteSolution(order: order, cost: problem.cost(of: order), isProvenOptimal: true)
  }

  /// The optimum of a small day. The better the order it begins with, the less there is to look at.
  private static func prove(_ problem: RouteProblem, _ best: inout Best) {
    var prices = [Double](repeating: 0, count: problem.count)
    let legs = TableLegs(problem)
    if problem.count >= fewestStopsSearched {
      if isPlain(problem) {
        best.consider(crossed(problem, tours: toursBeforeProof, seed: 1))
      } else {
        var search = AnnealedSearch(problem, legs: TableLegs(problem), from: best.order, seed: 1)
        best.consider(search.run(moves: movesBeforeProof * problem.count))
      }
      if problem.isSymmetric {
        prices = HeldKarpBound(stops: problem.count, legs: legs, upper: best.cost, rounds: 60).prices
      }
    }
    if let order = ExactOptimiser.order(problem, legs: legs, prices: prices, below: best.cost) { best.consider(order) }
  }

  /// Smaller days are proven before a search has begun.
  private static let fewestStopsSearched = 10
  private static let toursBeforeProof = 6
  private static let movesBeforeProof = 250

  private struct Best {
    let problem: RouteProblem
    private(set) var order: [Int]
    private(set) var cost: Double

    init(_ problem: RouteProblem, _ order: [Int]) {
      self.problem = problem
      self.order = order
      cost = problem.cost(of: order)
    }

    mutating func consider(_ other: [Int]) {
      let otherCost = problem.cost(of: other)
      if otherCost < cost {
        order = other
        cost = otherCost
      }
    }
  }

  // MARK: Days of legs alone

  /// True where only legs count and cost the same both ways.
  private static func isPlain(_ problem: RouteProblem) -> Bool {
    problem.objective != .balanced && !problem.hasPins && !problem.hasWindows && problem.isSymmetric
  }

  private static func searched(_ problem: RouteProblem, effort: Int, seed: UInt64) -> [Int] {
    if case .greatCircle(let stops) = problem.legs, stops.count > mostStopsCrossed {
      return kicked(stops, kicks: kicksPerStop * stops.count * effort, seed: seed)
    }
    return crossed(problem, tours: min(mostTours, tours(problem.count) * effort), seed: seed)
  }

  /// Tours for an effort of 1; the bench's table says what they reach.
  private static func tours(_ count: Int) -> Int {
    switch count {
    case ...60: 80
    case ...100: 110
    case ...1_000: 150
    default: 100
    }
  }

  /// The bound's time grows with the square of the stops, and so does the table that crossing reads.
  private static let mostStopsCrossed = 2_000
  /// As many bring 10,000 evenly spread stops within 1.2 % of Held and Karp's bound; twice as many find less than 0.1 %
  /// more.
  private static let kicksPerStop = 5
  /// Two more take a tenth longer, and find no more than another seed does.
  private static let mostNeighboursKicked = 8
  /// 32 MB of tours on the largest day.
  private static let mostTours = 2_000
  private static let candidatesPriced = 6
  /// How much longer an edge may be taken for where a greedy tour is begun. With 1 the tours are too much alike to learn
  /// from each other: one day of 30 in thirty ends 1 % higher, one of 50 2 %.
  private static let noise = 10.0

  /// The time and distance objectives agree on the order, since a leg's minutes are a fixed multiple of its miles and a
  /// constant; so great circles are searched in miles.
  ///
  /// Stops are numbered along a greedy tour first: what is near on the map is then near in memory, too.
  private static func crossed(_ problem: RouteProblem, tours: Int, seed: UInt64) -> [Int] {
    let count = problem.count
    switch problem.legs {
    case .table(let costs):
      let legs = TableLegs(problem)
      let graph = CandidateGraph(count: count, legs: legs)
      let sequence = greedy(legs, graph, count: count)
      let along = TableLegs(stops: count) { costs[sequence[$0] * count + sequence[$1]] }
      return crossed(along, graph.renumbered(sequence), tours: tours, seed: seed).map { sequence[$0] }
    case .greatCircle(let stops):
      let legs = SphereLegs(stops)
      let graph = CandidateGraph(stops: stops, legs: legs)
      let sequence = greedy(legs, graph, count: count)
      let sphere = SphereLegs(sequence.map { stops[$0] })
      let along = TableLegs(stops: count) {
        sphere.cost(Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1))
      }
      return crossed(along, graph.renumbered(sequence), tours: tours, seed: seed).map { sequence[$0] }
    }
  }

  /// - Parameter graph: Where greedy tours find their edges; local search finds them by α.
  private static func crossed(
    _ legs: borrowing TableLegs, _ graph: borrowing CandidateGraph, tours: Int, seed: UInt64
  ) -> [Int] {
    let count = legs.count
    let nodes = startTour(count)
    let bound = HeldKarpBound(stops: count, legs: legs, upper: length(of: nodes, legs), rounds: count > 500 ? 30 : 60)
    let candidates = CandidateGraph(bound, legs: legs, count: count, width: candidatesPriced)
    let whole = WholeLegs(legs, prices: bound.prices)
    let neighbours = NeighbourList(candidates, count: count + 1, legs: whole)
    var crossing = EdgeAssembly(
      count: count + 1, size: tours, search: FlipSearch(count: count + 1, legs: whole, neighbours: neighbours),
      seed: seed)
    var chance = SplitMix(seed: seed)
    crossing.put(nodes, at: 0)
    let start = GreedyStart(count: count, candidates: graph)
    for member in 1..<tours { crossing.put(start.tour(legs, noise: noise, chance: &chance), at: member) }
    crossing.run()
    return crossing.best()
  }

  /// A day too large to cross many tours.
  private static func kicked(_ stops: [Coordinate], kicks: Int, seed: UInt64) -> [Int] {
    let count = stops.count
    let legs = SphereLegs(stops)
    let graph = CandidateGraph(stops: stops, legs: legs)
    let sequence = greedy(legs, graph, count: count)
    let whole = WholeSphere(SphereLegs(sequence.map { stops[$0] }), stops: count)
    let neighbours = NeighbourList(
      graph.renumbered(sequence), count: count + 1, legs: whole, most: mostNeighboursKicked)
    var search = KickedSearch(
      startTour(count), search: FlipSearch(count: count + 1, legs: whole, neighbours: neighbours), seed: seed)
    return search.run(kicks: kicks).map { sequence[$0] }
  }

  private static func greedy<Legs: LegCosts & ~Copyable>(
    _ legs: borrowing Legs, _ graph: borrowing CandidateGraph, count: Int
  ) -> [Int] {
    var chance = SplitMix(seed: 0)
    return GreedyStart(count: count, candidates: graph).tour(legs, chance: &chance).dropFirst().map { Int($0) }
  }

  /// Home, then the stops as they are numbered.
  private static func startTour(_ count: Int) -> [Int32] {
    [Int32(truncatingIfNeeded: count)] + (0..<count).map { Int32(truncatingIfNeeded: $0) }
  }

  /// What a tour's legs cost without those of home, which stands first.
  private static func length<Legs: LegCosts & ~Copyable>(of nodes: [Int32], _ legs: borrowing Legs) -> Double {
    var total = 0.0
    for index in 2..<nodes.count { total += legs.cost(nodes[index - 1], nodes[index]) }
    return total
  }

  // MARK: Days in which places count

  /// Half the budget for each of two starts: the best order known, and plain legs' order.
  private static func anneal(_ problem: RouteProblem, _ best: inout Best, effort: Int, seed: UInt64) {
    // Where arrivals count, each move asks of every stop: above a thousand there are the fewer the more stops there are.
    let counted = problem.hasWindows && problem.count > 1_000 ? 1_000_000 / problem.count : min(problem.count, 1_000)
    let moves = (problem.hasWindows ? movesBesideClocks : movesPerStop) * counted * effort
    if case .greatCircle(let stops) = problem.legs, stops.count > Limits.routeMatrixStops {
      let legs = ObjectiveLegs(SphereLegs(stops), objective: problem.objective)
      var search = AnnealedSearch(problem, legs: legs, from: best.order, seed: seed)
      best.consider(search.run(moves: moves))
      return
    }
    for round in 0..<2 {
      let legs = TableLegs(problem)
      var search = AnnealedSearch(problem, legs: legs, from: best.order, seed: seed &+ UInt64(round))
      best.consider(search.run(moves: moves / 2))
    }
  }

  private static let movesPerStop = 4_000
  /// Where arrivals count. Seven times as many find half a hundredth less on days of fifty stops, no more than another seed.
  private static let movesBesideClocks = 600
}
