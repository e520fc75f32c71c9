import FlowModel
import Foundation
import Glibc
import PoolRouting

/// Measures the optimisers on seeded days, compared with optima, long runs and, if installed, other solvers.
///
/// `POOLFLOW_ROUTE_DAYS_IN=DIR` adds the days of a folder (`NAME.csv` with `lat,lon` rows, `best_known.json`).
/// `POOLFLOW_ROUTE_PYTHON=PROGRAM` names a python with fast-tsp, ortools or pyvroom for other solvers with the same time.
func benchRoutes() {
  do {
    try RoutesBench().run()
  } catch {
    benchFailed("routes", error)
  }
}

struct RoutesBench {
  struct Day {
    let name: String
    let stops: [Coordinate]
    /// Miles of the best known order, and whether it is proven.
    var best: Double?
  }

  /// The targets: gap to the best in percent, median and worst, and milliseconds.
  private static let promised: [Int: (median: Double, worst: Double, time: Double)] = [
    8: (0, 0, 5), 12: (0, 0, 5), 16: (0, 0, 5), 20: (0, 0.3, 10), 30: (0, 0.3, 10), 50: (0, 0.3, 10), 100: (0.2, 1, 30),
    200: (0.5, 1.5, 100), 1_000: (1, 2, 1_000), 10_000: (4, 4, 15_000),
  ]

  func run() throws {
    print("routes: miles above the best known in percent, and milliseconds of processor time, one thread")
    var sizes: [Int: [Day]] = [:]
    for size in [8, 12, 16, 20, 30, 50, 100, 200, 10_000] {
      let days = size > 200 ? 1 : size > 100 ? 4 : 10
      sizes[size] = try (0..<days).map { try day(size, seed: UInt64(1_000 * size + $0)) }
    }
    for (size, days) in sizes.sorted(by: { $0.key < $1.key }) { try measure("seeded", size, days) }
    if let folder = ProcessInfo.processInfo.environment["POOLFLOW_ROUTE_DAYS_IN"] {
      for (size, days) in try Self.days(in: folder).sorted(by: { $0.key < $1.key }) { try measure("given", size, days) }
    }
    try closedTours()
    try balanced()
    try windowed()
    try distances()
    try searches()
    try night()
  }

  // MARK: Days

  func day(_ count: Int, seed: UInt64) throws -> Day {
    var chance = SplitMix(seed: seed)
    let centres = (0..<max(3, count / 15)).map { _ in
      (Double.random(in: 33.2...33.7, using: &chance), Double.random(in: -112.3 ... -111.6, using: &chance))
    }
    var stops: [Coordinate] = []
    for _ in 0..<count {
      if let twin = stops.last, Int.random(in: 0..<20, using: &chance) == 0 {
        stops.append(twin)
        continue
      }
      let centre = centres[Int.random(in: 0..<centres.count, using: &chance)]
      stops.append(
        try Coordinate(
          latitude: centre.0 + Double.random(in: -0.03...0.03, using: &chance),
          longitude: centre.1 + Double.random(in: -0.03...0.03, using: &chance)))
    }
    return Day(name: "seeded-\(count)-\(seed)", stops: stops)
  }

  private static func days(in folder: String) throws -> [Int: [Day]] {
    struct Best: Decodable { let miles: Double }
    let known = try JSONDecoder().decode(
      [String: Best].self, from: Data(contentsOf: URL(filePath: folder + "/best_known.json")))
    var days: [Int: [Day]] = [:]
    for (name, best) in known.sorted(by: { $0.key < $1.key }) {
      let text = try String(contentsOfFile: "\(folder)/\(name).csv", encoding: .utf8)
      let stops = try text.split(separator: "\n").dropFirst().map { row in
        let numbers = row.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        return try Coordinate(latitude: numbers[0], longitude: numbers[1])
      }
      days[stops.count, default: []].append(Day(name: name, stops: stops, best: best.miles))
    }
    return days
  }

  // MARK: Quality and time

  private func measure(_ kind: String, _ size: Int, _ days: [Day]) throws {
    var (gaps, times, references, bests): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    var proven = 0
    for day in days {
      let problem = try RouteProblem(.greatCircle(day.stops), objective: .distance)
      var solution = StrongOptimiser.solve(problem)
      times.append(milliseconds { solution = StrongOptimiser.solve(problem) })
      // Without a known best, our longest run is the reference.
      let effort = size > 1_000 ? 6 : 30
      let best = day.best ?? min(solution.cost, StrongOptimiser.solve(problem, effort: effort, seed: 99).cost)
      bests.append(best)
      gaps.append((solution.cost / best - 1) * 100)
      references.append((ReferenceOptimiser.solve(problem).cost / best - 1) * 100)
      if solution.isProvenOptimal { proven += 1 }
    }
    let promise = Self.promised[size]
    // Three decimals: the rest is rounding of the sums.
    let rounded = gaps.map { ($0 * 1_000).rounded() / 1_000 }
    let name = "\(kind) \(size) stops"
    figureLine("\(name): gap, %, median of \(days.count)", [median(rounded)], promise.map { .atMost($0.median) })
    figureLine("\(name): gap, %, worst", [rounded.max() ?? 0], promise.map { .atMost($0.worst) })
    figureLine("\(name): ms", times, promise.map { .reference($0.time) })
    figureLine("\(name): proven optimal, % of days", [100 * Double(proven) / Double(days.count)])
    figureLine("\(name): gap of the app's optimiser, %", references, .baseline)
    if size >= 20, size <= 1_000 {
      try others(days, bests, ours: median(rounded), name, seconds: median(times) / 1_000)
    }
  }

  /// Other solvers on the same days with the same time. Their median gap is never below ours.
  private func others(_ days: [Day], _ bests: [Double], ours: Double, _ name: String, seconds: Double) throws {
    let solvers = ["fast-tsp", "ortools", "vroom"]
    guard let python = ProcessInfo.processInfo.environment["POOLFLOW_ROUTE_PYTHON"] else {
      for solver in solvers {
        notMeasured("\(name): gap of \(solver) less ours", "POOLFLOW_ROUTE_PYTHON names no python with it")
      }
      return
    }
    let input = try JSONEncoder().encode(days.map { $0.stops.map { [$0.latitude, $0.longitude] } })
    for solver in solvers {
      let orders = OtherSolvers.run(python, solver, input: input, seconds: seconds) ?? []
      var gaps: [Double] = []
      for ((day, best), order) in zip(zip(days, bests), orders) where order.count == day.stops.count {
        let problem = try RouteProblem(.greatCircle(day.stops), objective: .distance)
        gaps.append(((problem.cost(of: order) / best - 1) * 100_000).rounded() / 1_000)
      }
      guard !gaps.isEmpty else {
        notMeasured("\(name): gap of \(solver) less ours", "\(solver) is missing or found no order in that time")
        continue
      }
      figureLine("\(name): gap of \(solver) in the same time, %", gaps, .baseline)
      figureLine("\(name): gap of \(solver) less ours, %", [median(gaps) - ours], .atLeast(0))
    }
  }

  /// TSPLIB's tours return to the start: the first stop is repeated at the end, where a distant node keeps it.
  private func closedTours() throws {
    for tour in ClosedTour.all {
      let cities = tour.cities.count
      let count = cities + 2
      let far = 1e6
      var table = [Double](repeating: far, count: count * count)
      for from in 0...cities {
        for to in 0...cities {
          table[from * count + to] = (from % cities) == (to % cities) ? 0 : tour.distance(from % cities, to % cities)
        }
      }
      table[cities] = far
      table[cities * count] = far
      table[cities * count + cities + 1] = 0
      table[(cities + 1) * count + cities] = 0
      table[count * count - 1] = 0
      let problem = try RouteProblem(.table(table), objective: .distance)
      var solution = StrongOptimiser.solve(problem)
      let time = milliseconds { solution = StrongOptimiser.solve(problem) }
      let gap = (solution.cost / tour.optimum - 1) * 100
      figureLine("TSPLIB \(tour.name): gap to the published optimum, %", [gap])
      figureLine("TSPLIB \(tour.name): ms", [time])
    }
  }

  /// The balanced objective compared with the app's optimiser, from the given order.
  private func balanced() throws {
    for size in [12, 20, 50, 100] {
      var shares: [Double] = []
      var times: [Double] = []
      for seed in 0..<5 {
        let problem = try RouteProblem(
          .greatCircle(day(size, seed: UInt64(7_000 + seed)).stops), objective: .balanced)
        var solution = StrongOptimiser.solve(problem)
        times.append(milliseconds { solution = StrongOptimiser.solve(problem) })
        shares.append((1 - solution.cost / ReferenceOptimiser.solve(problem).cost) * 100)
      }
      figureLine("balanced, \(size) stops: % below the app's optimiser", shares)
      figureLine("balanced, \(size) stops: ms", times)
    }
  }

  /// Days on which half of the customers have two-hour windows, compared with the same days without windows.
  private func windowed() throws {
    for size in [12, 20, 50] {
      var times: [Double] = []
      var late: [Double] = []
      var blind: [Double] = []
      for seed in 0..<5 {
        let stops = try day(size, seed: UInt64(9_000 + seed)).stops
        var chance = SplitMix(seed: UInt64(seed))
        var windows: [Int: RouteProblem.Window] = [:]
        for stop in 1..<size where Bool.random(using: &chance) {
          let opens = Double.random(in: 0...Double(20 * size), using: &chance)
          windows[stop] = RouteProblem.Window(opens: opens, closes: opens + 120)
        }
        let problem = try RouteProblem(.greatCircle(stops), objective: .time, windows: windows, minutesAtStop: 20)
        var solution = StrongOptimiser.solve(problem)
        times.append(milliseconds { solution = StrongOptimiser.solve(problem) })
        late.append(problem.cost(of: solution.order))
        blind.append(
          problem.cost(of: StrongOptimiser.solve(try RouteProblem(.greatCircle(stops), objective: .time)).order))
      }
      figureLine("windows, \(size) stops: minutes of driving and penalty", late)
      figureLine("windows, \(size) stops: the same minutes in an order made without windows", blind, .baseline)
      figureLine("windows, \(size) stops: ms", times, size == 50 ? .reference(20) : nil)
    }
  }

  func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// The processor time of this thread.
  func milliseconds(_ body: () -> Void) -> Double {
    var before = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
    body()
    var after = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
    return Double(after.tv_sec - before.tv_sec) * 1_000 + Double(after.tv_nsec - before.tv_nsec) / 1e6
  }
}
