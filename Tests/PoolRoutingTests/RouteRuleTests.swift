import FlowModel
import PoolRouting
import Testing

/// Properties of every day, and refused input.
struct RouteRuleTests {
  private func isOrder(_ order: [Int], of count: Int) -> Bool { order.sorted() == Array(0..<count) }

  @Test func `a solution is a reproducible permutation from the start, at its stated cost`() throws {
    let seed: UInt64 = 4
    var days = RandomDays(seed: seed)
    for count in [1, 2, 3, 5, 12, 17, 24, 40] {
      let stops = try days.stops(count)
      for objective in TravelObjective.allCases {
        let problem = try RouteProblem(.greatCircle(stops), objective: objective)
        let solution = StrongOptimiser.solve(problem)
        #expect(isOrder(solution.order, of: count) && solution.order[0] == 0, "seed \(seed), \(count), \(objective)")
        #expect(solution.cost == problem.cost(of: solution.order))
        #expect(solution == StrongOptimiser.solve(problem))
        let given = problem.cost(of: Array(0..<count))
        let reference = problem.cost(of: ReferenceOptimiser.order(problem))
        #expect(solution.cost <= min(given, reference), "seed \(seed), \(count), \(objective)")
      }
    }
  }

  @Test func `stops at the same location are ordered at minimal cost`() throws {
    let stop = try Coordinate(latitude: 33, longitude: -112)
    for count in [4, 20, 60] {
      let problem = try RouteProblem(.greatCircle(Array(repeating: stop, count: count)), objective: .time)
      let solution = StrongOptimiser.solve(problem)
      #expect(isOrder(solution.order, of: count))
      #expect((solution.cost - 1.5 * Double(count - 1)).magnitude < 1e-9)
    }
  }

  @Test func `days across the date line and around a pole are solved too`() throws {
    let line = try [179.9, -179.9, 179.7, -179.7, 179.8, -179.8].map { try Coordinate(latitude: 10, longitude: $0) }
    let twenty = try (0..<20).map { try Coordinate(latitude: 89.5, longitude: Double(($0 * 7) % 20) * 18 - 171) }
    for stops in [line, twenty] {
      let problem = try RouteProblem(.greatCircle(stops), objective: .distance)
      let solution = StrongOptimiser.solve(problem)
      #expect(isOrder(solution.order, of: stops.count))
      #expect(solution.cost <= problem.cost(of: ReferenceOptimiser.order(problem)))
    }
  }

  @Test func `a pinned stop stays at its position in small and large days`() throws {
    var days = RandomDays(seed: 12)
    for count in [8, 30] {
      for objective in TravelObjective.allCases {
        let problem = try RouteProblem(
          .greatCircle(try days.stops(count)), objective: objective, pins: [2: 5, count - 1: 1])
        let solution = StrongOptimiser.solve(problem)
        #expect(isOrder(solution.order, of: count))
        #expect(solution.order[5] == 2 && solution.order[1] == count - 1)
      }
    }
  }

  @Test func `a window moves a stop forward`() throws {
    // Along a road: the far end's window closes 12 minutes after the start; 5 miles take 12.2.
    let stops = try (0..<5).map { try Coordinate(latitude: 33.4, longitude: -112 + 0.02 * Double($0)) }
    let free = try RouteProblem(.greatCircle(stops), objective: .time)
    #expect(StrongOptimiser.solve(free).order == [0, 1, 2, 3, 4])
    let bound = try RouteProblem(
      .greatCircle(stops), objective: .time, windows: [4: RouteProblem.Window(opens: 0, closes: 12)])
    let solution = StrongOptimiser.solve(bound)
    #expect(solution.order[1] == 4)
    #expect(!solution.isProvenOptimal)
  }

  @Test func `invalid coordinates, no stops, missing legs and impossible pins are refused`() throws {
    func words(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch { return "\(error)" }
    }
    #expect(words { _ = try Coordinate(latitude: .nan, longitude: 0) }.contains("is not a location"))
    #expect(words { _ = try Coordinate(latitude: 91, longitude: 0) }.contains("latitude is -90 to 90"))
    let here = try Coordinate(latitude: 33, longitude: -112)
    let nowhere = try Coordinate(latitude: 0, longitude: 0)
    #expect(words { _ = try RouteProblem(.greatCircle([]), objective: .time) } == "there are no stops to order")
    #expect(
      words { _ = try RouteProblem(.greatCircle([here, nowhere]), objective: .time) }
        .hasPrefix("stop 1 has the coordinates 0,0"))
    let crowd = Array(repeating: here, count: 100_000)
    #expect(words { _ = try RouteProblem(.greatCircle(crowd), objective: .time) }.contains("20000"))
    #expect(
      words { _ = try RouteProblem(.table([0, 1, .nan, 0]), objective: .time) }.contains("from stop 1 to stop 0"))
    #expect(words { _ = try RouteProblem(.table([0, -1, 1, 0]), objective: .time) }.contains("-1.0"))
    #expect(words { _ = try RouteProblem(.table([0, 1, 2]), objective: .time) }.contains("has 4 numbers"))
    let pair = RouteProblem.Legs.greatCircle([here, here])
    #expect(words { _ = try RouteProblem(pair, objective: .time, pins: [0: 1]) }.contains("stop 0 must be the first"))
    #expect(words { _ = try RouteProblem(pair, objective: .time, pins: [1: 2]) }.contains("there is no such place"))
  }
}
