internal import FlowModel
internal import PoolModel

/// An order of the stops, its cost, and whether it is proven optimal.
package struct RouteSolution: Hashable, Sendable {
  /// Stop numbers in visiting order, first stop first.
  package let order: [Int]
  /// Cost in the objective's unit, recomputed by `RouteProblem.cost(of:)`.
  package let cost: Double
  /// True if no order is cheaper.
  package let isProvenOptimal: Bool
}

/// Search for the best order within a fixed budget of moves; never worse than the given order or the reference optimiser's.
///
/// Up to 16 stops without arrival windows the result is the proven optimum. Equal problem, effort and seed give equal results
/// on every machine.
package enum StrongOptimiser {
  /// The searches for days that are too large for a proof.
  ///
  /// On days of legs alone crossover wins: it takes 1 to 160 ms on 20 to 500 stops and ends at the best known order. Annealing
  /// takes five to ten times as long and ends 0.2 % longer on 50 stops, 0.6 % on 100, 1.7 % on 200 and 2.1 % on 500; medians of
  /// `poolflow-bench routes`, in one run. Files that are too large for crossover are annealed: 10,000 stops end 2.6 % longer
  /// than by a kicked Lin-Kernighan search, which won nothing on smaller days.
  package enum Search: Sendable {
    case annealing, crossover
  }

  /// - Parameters:
  ///   - effort: multiple of the default budget of moves, from 1.
  ///   - seed: random seed.
  ///   - search: the search to use; nil for the best one for the problem. Only annealing takes every problem.
  package static func solve(
    _ problem: RouteProblem, effort: Int = 1, seed: UInt64 = 1, by search: Search? = nil
  ) -> RouteSolution {
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
    switch search ?? self.search(for: problem) {
    case .annealing: anneal(problem, &best, effort: effort, seed: seed)
    case .crossover:
      best.consider(
        crossoverTour(problem, tours: min(mostTours, tours(problem.count) * effort), seed: seed))
    }
    return RouteSolution(order: best.order, cost: best.cost, isProvenOptimal: false)
  }

  /// The only order of at most two stops.
  private static func trivial(_ problem: RouteProblem) -> RouteSolution {
    let order = problem.firstOrder
    return RouteSolution(order: order, cost: problem.cost(of: order), isProvenOptimal: true)
  }

  /// Finds the optimum of a small day. A better initial order prunes more of the proof. Neither crossover for that order nor
  /// Held-Karp prices on the stops make days of legs alone faster: 16 stops take 2.5 ms without and 2.3 ms with them, 14 stops
  /// 0.8 and 0.9 ms, 10 stops 0.03 and 0.1 ms.
  private static func prove(_ problem: RouteProblem, _ best: inout Best) {
    if !isPlain(problem), problem.count >= fewestStopsSearched {
      var search = AnnealedSearch(problem, legs: TableLegs(problem), from: best.order, seed: 1)
      best.consider(search.run(moves: movesBeforeProof * problem.count))
    }
    if let order = ExactOptimiser.order(problem, legs: TableLegs(problem), below: best.cost) { best.consider(order) }
  }

  /// Minimum number of stops for a search before the proof; smaller days are proven faster than a search runs.
  private static let fewestStopsSearched = 10
  private static let movesBeforeProof = 250

  /// The cheapest order so far.
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

  /// True if only leg costs count and every leg costs the same in both directions.
  private static func isPlain(_ problem: RouteProblem) -> Bool {
    problem.objective != .balanced && !problem.hasPins && !problem.hasWindows && problem.isSymmetric
  }

  /// The best search for a problem.
  private static func search(for problem: RouteProblem) -> Search {
    isPlain(problem) && problem.count <= maxCrossoverStops ? .crossover : .annealing
  }

  /// Tours in the population for effort 1, chosen by the benchmark's results.
  private static func tours(_ count: Int) -> Int {
    switch count {
    case ...60: 80
    case ...100: 110
    case ...1_000: 150
    default: 100
    }
  }

  /// Maximum number of stops for crossover: the bound's time and the cost table grow with the square of the stops.
  private static let maxCrossoverStops = 2_000
  /// Upper limit of tours: they take 32 MB on the largest day.
  private static let mostTours = 2_000
  private static let candidatesPriced = 6
  /// Result of crossover (`EdgeAssembly`).
  ///
  /// Time and distance objectives give the same order, since minutes are a linear function of miles; great-circle problems are
  /// therefore searched in miles. Stops are first renumbered along a greedy tour, which puts nearby stops close together in
  /// memory.
  private static func crossoverTour(_ problem: RouteProblem, tours: Int, seed: UInt64) -> [Int] {
    let count = problem.count
    switch problem.legs {
    case .table(let costs):
      let legs = TableLegs(problem)
      let graph = CandidateGraph(count: count, legs: legs)
      let sequence = greedy(legs, graph, count: count)
      let along = TableLegs(stops: count) { costs[sequence[$0] * count + sequence[$1]] }
      return crossoverTour(along, tours: tours, seed: seed).map { sequence[$0] }
    case .greatCircle(let stops):
      let legs = SphereLegs(stops)
      let graph = CandidateGraph(stops: stops, legs: legs)
      let sequence = greedy(legs, graph, count: count)
      let sphere = SphereLegs(sequence.map { stops[$0] })
      let along = TableLegs(stops: count) {
        sphere.cost(Int32(truncatingIfNeeded: $0), Int32(truncatingIfNeeded: $1))
      }
      return crossoverTour(along, tours: tours, seed: seed).map { sequence[$0] }
    }
  }

  /// Crossover of random tours after local search. Greedy tours with random costs as a start end no better at any size.
  private static func crossoverTour(_ legs: borrowing TableLegs, tours: Int, seed: UInt64) -> [Int] {
    let count = legs.count
    let nodes = startTour(count)
    let bound = HeldKarpBound(stops: count, legs: legs, upper: length(of: nodes, legs), rounds: count > 500 ? 30 : 60)
    let candidates = CandidateGraph(bound, legs: legs, count: count, width: candidatesPriced)
    let whole = IntegerLegs(legs, prices: bound.prices)
    let neighbours = NeighbourList(candidates, count: count + 1, legs: whole)
    var crossing = EdgeAssembly(
      count: count + 1, size: tours, search: FlipSearch(count: count + 1, legs: whole, neighbours: neighbours),
      seed: seed)
    var random = SplitMix(seed: seed)
    crossing.store(nodes, at: 0)
    for member in 1..<tours { crossing.store(randomTour(count, &random), at: member) }
    crossing.run()
    return crossing.best()
  }

  /// Stops in the order of a greedy tour, without home.
  private static func greedy<Legs: LegCosts & ~Copyable>(
    _ legs: borrowing Legs, _ graph: borrowing CandidateGraph, count: Int
  ) -> [Int] {
    GreedyStart(count: count, candidates: graph).tour(legs).dropFirst().map { Int($0) }
  }

  /// Home, then all stops in ascending order.
  private static func startTour(_ count: Int) -> [Int32] {
    [Int32(truncatingIfNeeded: count)] + (0..<count).map { Int32(truncatingIfNeeded: $0) }
  }

  /// Home, the first stop, then all other stops in a random order.
  private static func randomTour(_ count: Int, _ random: inout SplitMix) -> [Int32] {
    var nodes = startTour(count)
    for slot in stride(from: count, to: 2, by: -1) { nodes.swapAt(slot, 2 + random.below(slot - 1)) }
    return nodes
  }

  /// The cost of a tour's legs without home's two legs; `nodes` starts with home.
  private static func length<Legs: LegCosts & ~Copyable>(of nodes: [Int32], _ legs: borrowing Legs) -> Double {
    var total = 0.0
    for index in 2..<nodes.count { total += legs.cost(nodes[index - 1], nodes[index]) }
    return total
  }

  // MARK: Days with pinned positions or windows

  /// Annealing. Half the budget runs from the best known order, half from the result of that.
  private static func anneal(_ problem: RouteProblem, _ best: inout Best, effort: Int, seed: UInt64) {
    // With windows each move updates all later arrivals, so above 1,000 stops the number of moves shrinks with the stops.
    let counted = problem.hasWindows && problem.count > 1_000 ? 1_000_000 / problem.count : min(problem.count, 1_000)
    let moves = (problem.hasWindows ? movesPerStopWithWindows : movesPerStop) * counted * effort
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
  /// Moves per stop with arrival windows. Seven times as many gain 0.5 % on days of 50 stops, no more than another seed does.
  private static let movesPerStopWithWindows = 600
}
