import FlowModel
import Foundation
import PoolRouting

extension RoutesBench {
  /// The searches on the same days without pins and windows: miles above the best order that any of them found, and processor
  /// time. Annealing also gets as many times its budget as take as long as crossover.
  func searches() throws {
    for (size, days) in [(20, 10), (50, 10), (100, 10), (200, 6), (500, 4), (1_000, 2)] {
      var gaps: [String: [Double]] = [:]
      var times: [String: [Double]] = [:]
      for seed in 0..<days {
        let problem = try RouteProblem(
          .greatCircle(try day(size, seed: UInt64(3_000 * size + seed)).stops), objective: .time)
        var costs: [String: Double] = [:]
        func solve(_ name: String, _ search: StrongOptimiser.Search, effort: Int = 1) -> Double {
          var solution: RouteSolution?
          let time = milliseconds { solution = StrongOptimiser.solve(problem, effort: effort, by: search) }
          costs[name] = solution?.cost
          times[name, default: []].append(time)
          return time
        }
        let chosen = solve("crossover", .crossover)
        let annealing = solve("annealing", .annealing)
        _ = solve("annealing in the same time", .annealing, effort: max(1, Int((chosen / annealing).rounded())))
        costs["the app's optimiser"] = ReferenceOptimiser.solve(problem).cost
        let long = StrongOptimiser.solve(problem, effort: 8, seed: 99).cost
        let best = min(long, costs.values.min() ?? long)
        for (name, cost) in costs { gaps[name, default: []].append((cost / best - 1) * 100) }
      }
      for (name, gaps) in gaps.sorted(by: { $0.key < $1.key }) {
        figureLine("\(size) stops by \(name): gap, %", gaps)
        if let times = times[name] { figureLine("\(size) stops by \(name): ms", times) }
      }
    }
  }
}
