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
      best.consider(chained(problem, kicks: kicks(problem.count) * effort, seed: seed))
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
        best.consider(chained(problem, kicks: kicksBeforeProof * problem.count, seed: 1))
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
  private static let kicksBeforeProof = 2
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

  /// Kicks for an effort of 1; the bench's table says what they reach.
  private static func kicks(_ count: Int) -> Int {
    switch count {
    case ...60: 10 * count
    case ...100: 11 * count
    case ...200: 8 * count
    case ...mostStopsPriced: 15 * count
    default: 10 * count
    }
  }

  /// Where α pays: the bound's time grows with the square of the stops.
  private static let mostStopsPriced = 2_000
  private static let candidatesPriced = 8

  /// The time and distance objectives agree on the order, since a leg's minutes are a fixed multiple of its miles and a
  /// constant; so great circles are searched in miles.
  ///
  /// Stops are numbered along a greedy tour first: what is near on the map is then near in memory, too.
  private static func chained(_ problem: RouteProblem, kicks: Int, seed: UInt64) -> [Int] {
    let sequence: [Int]
    let found: [Int]
    switch problem.legs {
    case .table(let costs):
      let count = problem.count
      let legs = TableLegs(problem)
      sequence = greedy(legs, CandidateGraph(count: count, legs: legs), count: count)
      let along = TableLegs(stops: count) { costs[sequence[$0] * count + sequence[$1]] }
      found = priced(along, count: count, kicks: kicks, seed: seed)
    case .greatCircle(let stops):
      let legs = SphereLegs(stops)
      let graph = CandidateGraph(stops: stops, legs: legs)
      sequence = greedy(legs, graph, count: stops.count)
      let along = SphereLegs(sequence.map { stops[$0] })
      if stops.count <= mostStopsPriced {
        let table = TableLegs(stops: stops.count) {
          along.cost(Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1))
        }
        found = priced(table, count: stops.count, kicks: kicks, seed: seed)
      } else {
        let nodes = startTour(stops.count)
        let mean = length(of: nodes, along) / Double(stops.count)
        var search = ChainedSearch(
          stops: stops.count, nodes: nodes, legs: HomedLegs(along, stops: stops.count),
          candidates: graph.renumbered(sequence), seed: seed, meanLeg: mean, tuning: .plain)
        found = search.run(kicks: kicks)
      }
    }
    return found.map { sequence[$0] }
  }

  private static func greedy<Legs: LegCosts & ~Copyable>(
    _ legs: borrowing Legs, _ graph: borrowing CandidateGraph, count: Int
  ) -> [Int] {
    GreedyStart.tour(count: count, legs: legs, candidates: graph).dropFirst().map { Int($0) }
  }

  /// Home, then the stops as they are numbered.
  private static func startTour(_ count: Int) -> [Int32] {
    [Int32(truncatingIfNeeded: count)] + (0..<count).map { Int32(truncatingIfNeeded: $0) }
  }

  private static func priced(_ legs: borrowing TableLegs, count: Int, kicks: Int, seed: UInt64) -> [Int] {
    let nodes = startTour(count)
    let upper = length(of: nodes, legs)
    let bound = HeldKarpBound(stops: count, legs: legs, upper: upper, rounds: 60)
    let candidates = CandidateGraph(bound, legs: legs, count: count, width: candidatesPriced)
    var search = ChainedSearch(
      stops: count, nodes: nodes, legs: PricedTable(legs, prices: bound.prices), candidates: candidates, seed: seed,
      meanLeg: upper / Double(count), tuning: .priced(stops: count))
    return search.run(kicks: kicks)
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
    let moves = movesAnnealed(problem.count) * effort
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

  private static func movesAnnealed(_ count: Int) -> Int { 4_000 * min(count, 1_000) }
}
