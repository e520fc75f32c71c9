import FlowModel
import Foundation
import PoolModel
import PoolRouting

/// Measures the cover planner: stops of absent technicians spread over others, with windows and a limit of minutes.
func benchCover() {
  do {
    try CoverBench().run()
  } catch {
    benchFailed("cover", error)
  }
}

private struct CoverBench {
  private let routes = RoutesBench()
  /// The search that plans are compared with is this many times as long.
  private let longEffort = 5

  func run() throws {
    print("cover: milliseconds of processor time, one thread, and the gap to a search \(longEffort) times as long")
    for (covered, technicians, most) in [(6, 3, 50.0), (16, 4, 50), (100, 10, 1_000)] {
      var (times, gaps, refused, inserted): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
      for seed in 0..<5 {
        let problem = try problem(covered, technicians, seed: UInt64(52_000 + 100 * covered + seed))
        var plan = CoverPlanner.plan(problem)
        times.append(routes.milliseconds { plan = CoverPlanner.plan(problem) })
        let longer = CoverPlanner.plan(problem, effort: longEffort)
        let first = CoverPlanner.plan(problem, effort: 0, searches: true)
        // Plans with different numbers of stops cannot be compared by their minutes.
        if longer.refused.count == plan.refused.count { gaps.append((plan.cost / longer.cost - 1) * 100) }
        if first.refused.count == plan.refused.count { inserted.append((first.cost / plan.cost - 1) * 100) }
        refused.append(Double(plan.refused.count - longer.refused.count))
      }
      let name = "\(covered) stops over \(technicians)"
      figureLine("\(name): ms", times, .reference(most))
      figureLine("\(name): gap, %", gaps)
      figureLine("\(name): refused stops more than by the long search", refused)
      figureLine("\(name): % that insertion and single moves cost more", inserted, .baseline)
    }
  }

  /// Each technician has eight to twelve stops of one district in their best order. A third of all customers have windows of
  /// two hours; those of the technicians' own customers are kept.
  private func problem(_ covered: Int, _ technicians: Int, seed: UInt64) throws -> CoverProblem {
    var chance = SplitMix(seed: seed)
    func district() throws -> () throws -> Coordinate {
      let latitude = Double.random(in: 33.2...33.7, using: &chance)
      let longitude = Double.random(in: -112.3 ... -111.6, using: &chance)
      return {
        try Coordinate(
          latitude: latitude + Double.random(in: -0.04...0.04, using: &chance),
          longitude: longitude + Double.random(in: -0.04...0.04, using: &chance))
      }
    }
    func window(around time: Double) -> RouteProblem.Window? {
      guard Int.random(in: 0..<3, using: &chance) == 0 else { return nil }
      let opens = time - Double.random(in: 0...90, using: &chance)
      return RouteProblem.Window(opens: opens, closes: opens + 120)
    }
    let days = try (0..<technicians).map { _ in
      let place = try district()
      let places = try (0..<Int.random(in: 8...12, using: &chance)).map { _ in try place() }
      let order = StrongOptimiser.solve(try RouteProblem(.greatCircle(places), objective: .time)).order
      var (time, before): (Double, Coordinate?) = (480, nil)
      let stops = order.map { index in
        if let before { time += 20 + LegEstimate.minutes(miles: before.miles(to: places[index])) }
        before = places[index]
        return CoverProblem.Stop(place: places[index], minutes: 20, window: window(around: time))
      }
      return CoverProblem.Day(stops: stops, begins: 480)
    }
    let districts = try (0..<max(1, covered / 12)).map { _ in try district() }
    let stops = try (0..<covered).map { index in
      let time = 480 + Double.random(in: 0...300, using: &chance)
      return CoverProblem.Stop(
        place: try districts[index % districts.count](), minutes: 20, window: window(around: time))
    }
    return try CoverProblem(
      covered: stops, days: days, unknownLegMinutes: 10, mostMinutes: 420 + 27 * Double(covered / technicians))
  }
}
