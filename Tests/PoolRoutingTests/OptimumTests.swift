import FlowModel
import PoolRouting
import Testing

/// The strong optimiser compared with optima found by independent methods that share only the cost definition.
struct OptimumTests {
  /// Every permutation, by exchange of neighbours (Heap's algorithm, The Computer Journal 6, 1963).
  private func bruteForce(_ problem: RouteProblem) -> Double {
    var order = Array(0..<problem.count)
    var best = problem.cost(of: order)
    func permute(_ count: Int) {
      if count == 1 {
        best = min(best, problem.cost(of: order))
        return
      }
      for slot in 0..<count {
        permute(count - 1)
        if slot < count - 1 { order.swapAt(count % 2 == 0 ? slot + 1 : 1, count) }
      }
    }
    permute(problem.count - 1)
    return best
  }

  /// Plain dynamic programming: the cheapest path that visits a set and ends at one of its stops.
  private func plainDynamicProgramming(_ problem: RouteProblem) -> Double {
    let count = problem.count
    var legs = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for from in 0..<count { for to in 0..<count where from != to { legs[from][to] = problem.legCost(from, to) } }
    var cheapest = [Double](repeating: .infinity, count: (1 << count) * count)
    cheapest[1 * count] = 0
    for set in stride(from: 1, to: 1 << count, by: 2) {
      let place = set.nonzeroBitCount
      for last in 0..<count where cheapest[set * count + last].isFinite {
        for stop in 1..<count where set & (1 << stop) == 0 {
          let displacement = problem.objective == .balanced ? 0.6 * Double(abs(stop - place)) : 0
          let total = cheapest[set * count + last] + legs[last][stop] + displacement
          let state = (set | 1 << stop) * count + stop
          cheapest[state] = min(cheapest[state], total)
        }
      }
    }
    let all = (1 << count) - 1
    return (0..<count).map { cheapest[all * count + $0] }.min() ?? 0
  }

  @Test(arguments: TravelObjective.allCases)
  func `brute force finds no cheaper order on small days`(objective: TravelObjective) throws {
    let seed: UInt64 = 20_261_121
    var days = RandomDays(seed: seed)
    for day in 0..<randomDayCount(12) {
      let stops = try days.stops(days.number(1...(day % 6 == 0 ? 7 : 6)))
      let problem = try RouteProblem(.greatCircle(stops), objective: objective)
      let solution = StrongOptimiser.solve(problem)
      #expect(solution.isProvenOptimal)
      #expect((solution.cost - bruteForce(problem)).magnitude < 1e-9, "seed \(seed), day \(day), \(objective)")
    }
  }

  @Test func `brute force finds no cheaper order on days of up to nine stops`() throws {
    let seed: UInt64 = 9
    var days = RandomDays(seed: seed)
    for (day, objective) in TravelObjective.allCases.enumerated() {
      let problem = try RouteProblem(.greatCircle(try days.stops(9)), objective: objective)
      let cost = StrongOptimiser.solve(problem).cost
      #expect((cost - bruteForce(problem)).magnitude < 1e-9, "seed \(seed), day \(day)")
    }
  }

  @Test func `brute force finds no cheaper order on days with time windows`() throws {
    let seed: UInt64 = 21
    var days = RandomDays(seed: seed)
    for day in 0..<randomDayCount(12) {
      let count = day == 0 ? 9 : days.number(3...7)
      var windows: [Int: RouteProblem.Window] = [:]
      for stop in 1..<count where days.number(0...1) == 0 {
        let opens = Double(days.number(0...300))
        windows[stop] = RouteProblem.Window(opens: opens, closes: opens + Double(days.number(15...180)))
      }
      let problem = try RouteProblem(
        .greatCircle(try days.stops(count)), objective: TravelObjective.allCases[day % 3], windows: windows,
        minutesAtStop: Double(days.number(10...40)))
      let cost = StrongOptimiser.solve(problem).cost
      #expect((cost - bruteForce(problem)).magnitude < 1e-9, "seed \(seed), day \(day), \(count) stops")
    }
  }

  @Test func `dynamic programming finds no cheaper order`() throws {
    let seed: UInt64 = 15
    var days = RandomDays(seed: seed)
    for day in 0..<randomDayCount(20) {
      // The larger days take a second each in a debug build.
      let count = day % 20 == 19 ? days.number(13...15) : days.number(2...11)
      let objective = TravelObjective.allCases[day % 3]
      let problem = try RouteProblem(.greatCircle(try days.stops(count)), objective: objective)
      let solution = StrongOptimiser.solve(problem)
      #expect(solution.isProvenOptimal)
      let optimum = plainDynamicProgramming(problem)
      #expect((solution.cost - optimum).magnitude < 1e-9, "seed \(seed), day \(day), \(count) stops, \(objective)")
    }
  }

  @Test func `one-way tables and pins are solved optimally`() throws {
    var days = RandomDays(seed: 77)
    for day in 0..<randomDayCount(20) {
      let count = days.number(3...7)
      var table = [Double](repeating: 0, count: count * count)
      for slot in table.indices where slot / count != slot % count { table[slot] = days.factor(1...30) }
      let pins = day % 2 == 0 ? [:] : [count - 1: 1]
      let problem = try RouteProblem(.table(table), objective: .time, pins: pins)
      var best = Double.infinity
      var order = Array(0..<count)
      func permute(_ from: Int) {
        if from == count {
          if pins.allSatisfy({ order[$0.value] == $0.key }) { best = min(best, problem.cost(of: order)) }
          return
        }
        for slot in from..<count {
          order.swapAt(from, slot)
          permute(from + 1)
          order.swapAt(from, slot)
        }
      }
      permute(1)
      #expect((StrongOptimiser.solve(problem).cost - best).magnitude < 1e-9, "day \(day)")
    }
  }

  @Test func `above the exact sizes the optimum of a constructed day is found`() throws {
    // Stops along a meridian: the best order passes it once.
    var days = RandomDays(seed: 3)
    let count = 40
    var order = Array(1..<count)
    for slot in order.indices.reversed() { order.swapAt(slot, days.number(0...slot)) }
    let stops = try ([0] + order).map { try Coordinate(latitude: 33 + 0.01 * Double($0), longitude: -112) }
    let problem = try RouteProblem(.greatCircle(stops), objective: .distance)
    let solution = StrongOptimiser.solve(problem)
    let road = try Coordinate(latitude: 33, longitude: -112).miles(
      to: Coordinate(latitude: 33 + 0.01 * Double(count - 1), longitude: -112))
    #expect((solution.cost - road).magnitude < 1e-9)
  }

  @Test func `a grid of square blocks is solved optimally`() throws {
    let side = 8
    let count = side * side
    var days = RandomDays(seed: 64)
    var corners = Array(1..<count)
    for slot in corners.indices.reversed() { corners.swapAt(slot, days.number(0...slot)) }
    let stops = [0] + corners
    var table = [Double](repeating: 0, count: count * count)
    for from in 0..<count {
      for to in 0..<count {
        let x = Double(stops[from] % side - stops[to] % side)
        let y = Double(stops[from] / side - stops[to] / side)
        table[from * count + to] = (x * x + y * y).squareRoot()
      }
    }
    let solution = StrongOptimiser.solve(try RouteProblem(.table(table), objective: .distance))
    #expect(solution.cost == Double(count - 1))
  }

  @Test func `a day too large for a leg table is within four percent of optimal`() throws {
    // Corners of square blocks at the equator, where no leg is shorter than a block.
    let side = 46
    let count = side * side
    var days = RandomDays(seed: 2_116)
    var corners = Array(0..<count)
    for slot in corners.indices.reversed() { corners.swapAt(slot, days.number(0...slot)) }
    let stops = try corners.map {
      try Coordinate(latitude: 0.001 * Double($0 / side), longitude: 10 + 0.001 * Double($0 % side))
    }
    let problem = try RouteProblem(.greatCircle(stops), objective: .distance)
    let solution = StrongOptimiser.solve(problem)
    #expect(solution.order.sorted() == Array(0..<count))
    #expect(solution.order[0] == 0)
    let block = try Coordinate(latitude: 0, longitude: 10).miles(to: Coordinate(latitude: 0.001, longitude: 10))
    #expect(solution.cost < 1.04 * block * Double(count - 1))
  }

  @Test(arguments: [0, Double.leastNonzeroMagnitude, 1e-300, 1e-9, 1, 1e9, 1e300])
  func `a table in any unit is solved`(unit: Double) throws {
    let count = 20
    var table = [Double](repeating: 0, count: count * count)
    for from in 0..<count {
      for to in 0..<count { table[from * count + to] = unit * Double(abs(from * 7 % 20 - to * 7 % 20)) }
    }
    let solution = StrongOptimiser.solve(try RouteProblem(.table(table), objective: .distance))
    #expect(solution.order.sorted() == Array(0..<count))
    #expect(solution.order[0] == 0)
    #expect((solution.cost / unit - Double(count - 1)).magnitude < 1e-9 || unit == 0)
  }

  @Test func `the strong order never costs more than the reference from either start`() throws {
    let seed: UInt64 = 417
    var days = RandomDays(seed: seed)
    for day in 0..<randomDayCount(12) {
      let count = days.number(3...40)
      let problem = try RouteProblem(.greatCircle(try days.stops(count)), objective: .balanced)
      let cost = StrongOptimiser.solve(problem).cost
      let given = problem.cost(of: ReferenceOptimiser.orderFromGiven(problem))
      #expect(cost <= min(given, ReferenceOptimiser.solve(problem).cost) + 1e-9, "seed \(seed), day \(day), \(count)")
    }
  }

  /// A customers file without days puts all pools on Monday. An earlier version needed cubic time.
  @Test func `thousands of stops on one day are ordered by the reference optimiser`() throws {
    var days = RandomDays(seed: 4_171)
    let stops = try days.stops(2_500)
    let problem = try RouteProblem(.greatCircle(stops), objective: .balanced)
    let solution = ReferenceOptimiser.solve(problem)
    #expect(solution.order.sorted() == Array(0..<2_500) && ReferenceOptimiser.orderFromGiven(problem).count == 2_500)
  }
}
