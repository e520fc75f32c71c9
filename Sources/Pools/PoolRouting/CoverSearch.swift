import PoolModel

/// Search for problems that `CoverExact` cannot solve: regret insertion, then removal and re-insertion of related stops.
///
/// Source: D. Pisinger, S. Ropke, "A General Heuristic for Vehicle Routing Problems", Computers & Operations Research 34 (8),
/// 2007, sections 5.1 (related removal) and 5.2 (regret heuristics). The budget is counted in iterations, and the random
/// numbers are seeded: the same problem gives the same plan.
struct CoverSearch {
  private let problem: CoverProblem
  private var random: SplitMix
  private var days: [CoverDay]
  /// Stops that no day takes.
  private var refused: [Int] = []
  /// By covered stop: the other covered stops, nearest first.
  private let neighbours: [[Int]]

  /// The quality of a plan: fewer refused stops first, then less cost.
  private struct Quality: Comparable {
    let refused: Int
    let cost: Double

    static func < (left: Quality, right: Quality) -> Bool { (left.refused, left.cost) < (right.refused, right.cost) }
  }

  private static let mostRemoved = 8
  /// The part of the added cost by which a plan may be worse in the first iteration.
  private static let firstThreshold = 0.05

  init(_ problem: CoverProblem, seed: UInt64 = 1) {
    self.problem = problem
    random = SplitMix(seed: seed)
    days = problem.days.indices.map { CoverDay(problem, $0) }
    neighbours = (0..<problem.covered).map { stop in
      (0..<problem.covered).filter { $0 != stop }.sorted {
        (problem.drive(stop, $0), $0) < (problem.drive(stop, $1), $1)
      }
    }
  }

  private var quality: Quality { Quality(refused: refused.count, cost: days.reduce(0) { $0 + $1.cost }) }

  /// - Parameter effort: factor of the number of iterations; 1 is enough for the quality that the tests demand.
  mutating func solve(effort: Int = 1) -> [CoverDay] {
    refused = Array(0..<problem.covered)
    insertRefused(isGreedy: false, skips: false)
    guard problem.covered > 1, !days.isEmpty else { return days }
    var (best, bestDays, bestRefused) = (quality, days, refused)
    var present = best
    let presentCost = problem.days.indices.reduce(0) { $0 + CoverDay(problem, $1).cost }
    let iterations = effort * Self.iterations(problem.covered)
    // Worse plans are accepted, less and less, to leave local optima. Source: G. Dueck, T. Scheuer, "Threshold Accepting",
    // Journal of Computational Physics 90, 1990.
    let threshold = max(0, best.cost - presentCost) * Self.firstThreshold
    for iteration in 0..<iterations {
      let (oldDays, oldRefused) = (days, refused)
      removeRelated()
      insertRefused(isGreedy: random.below(2) == 0, skips: true)
      let found = quality
      let slack = threshold * Double(iterations - iteration) / Double(iterations)
      guard found < Quality(refused: present.refused, cost: present.cost + slack) else {
        (days, refused) = (oldDays, oldRefused)
        continue
      }
      present = found
      if Quality(refused: found.refused, cost: found.cost + CoverProblem.tolerance) < best {
        (best, bestDays, bestRefused) = (found, days, refused)
      }
    }
    (days, refused) = (bestDays, bestRefused)
    relocate()
    return days
  }

  /// Iterations for `covered` stops; the cover benchmark compares with twenty times as many.
  private static func iterations(_ covered: Int) -> Int { min(3_000, 40 * covered) }

  /// Removes a random stop and some of its neighbours from their days.
  private mutating func removeRelated() {
    let seed = random.below(problem.covered)
    let count = 1 + random.below(min(Self.mostRemoved, problem.covered - 1))
    var removed: Set<Int> = [seed]
    for stop in neighbours[seed] where removed.count <= count {
      // Each neighbour with a probability of 2/3, so that the same seed removes different stops.
      if random.below(3) > 0 { removed.insert(stop) }
    }
    for day in days.indices { days[day].remove(where: { removed.contains($0) }, problem) }
    refused = Set(refused).union(removed).sorted()
  }

  /// A stop's cheapest insertion into a day.
  private struct Insertion {
    let cost: Double
    let position: Int
  }

  /// Inserts the refused stops, as far as a day takes them.
  ///
  /// - Parameters:
  ///   - isGreedy: true to insert the cheapest stop next; false for the stop that loses most without its best day.
  ///   - skips: true to leave out one in 32 positions at random, for variety.
  private mutating func insertRefused(isGreedy: Bool, skips: Bool) {
    var rest = refused
    refused = []
    var table = rest.map { stop in days.indices.map { insertion(of: stop, into: $0, skips: skips) } }
    while !rest.isEmpty {
      var chosen: (index: Int, day: Int, value: Double, cost: Double)?
      for (index, row) in table.enumerated() {
        var (first, second) = (Double.infinity, Double.infinity)
        var day = -1
        for (number, insertion) in row.enumerated() {
          guard let cost = insertion?.cost else { continue }
          if cost < first {
            (first, second, day) = (cost, first, number)
          } else {
            second = min(second, cost)
          }
        }
        guard day >= 0 else { continue }
        let value = isGreedy ? -first : second - first
        if let chosen, (chosen.value, -chosen.cost) >= (value, -first) { continue }
        chosen = (index, day, value, first)
      }
      guard let chosen, let position = table[chosen.index][chosen.day]?.position else { break }
      days[chosen.day].insert(rest[chosen.index], at: position, problem)
      rest.remove(at: chosen.index)
      table.remove(at: chosen.index)
      for index in rest.indices {
        table[index][chosen.day] = insertion(of: rest[index], into: chosen.day, skips: skips)
      }
    }
    refused = rest
  }

  private mutating func insertion(of stop: Int, into day: Int, skips: Bool) -> Insertion? {
    var best: Insertion?
    for position in problem.firstPosition(in: day)...max(problem.firstPosition(in: day), days[day].stops.count) {
      if skips, random.below(32) == 0 { continue }
      guard let cost = days[day].costOfInsertion(stop, at: position, problem) else { continue }
      if cost < best?.cost ?? .infinity { best = Insertion(cost: cost, position: position) }
    }
    return best
  }

  /// Moves single stops to better positions until none is left, and inserts refused stops where that made it possible.
  private mutating func relocate() {
    var isBetter = true
    while isBetter {
      isBetter = false
      for stop in 0..<problem.covered {
        let before = quality
        let (oldDays, oldRefused) = (days, refused)
        for day in days.indices { days[day].remove(where: { $0 == stop }, problem) }
        refused = Set(refused).union([stop]).sorted()
        insertRefused(isGreedy: true, skips: false)
        if Quality(refused: refused.count, cost: quality.cost + CoverProblem.tolerance) < before {
          isBetter = true
        } else {
          (days, refused) = (oldDays, oldRefused)
        }
      }
    }
  }
}
