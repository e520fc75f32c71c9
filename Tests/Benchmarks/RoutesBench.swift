import Foundation
import Glibc
import PoolModel
import PoolRouting

/// Measures the optimisers on seeded days, compared with optima, long runs and, if installed, other solvers.
///
/// `POOLFLOW_ROUTE_DAYS_IN=DIR` adds the days of a folder (`NAME.csv` with `lat,lon` rows, `best_known.json`).
/// `POOLFLOW_ROUTE_PYTHON=PROGRAM` names a python with fast-tsp, ortools or pyvroom for other solvers with the same time.
func benchRoutes() {
  do {
    try RoutesBench().run()
  } catch {
    print("routes: \(error)")
  }
}

private struct RoutesBench {
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
    try kernel()
    try night()
  }

  // MARK: Days

  private func day(_ count: Int, seed: UInt64) throws -> Day {
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
    var gaps: [Double] = []
    var times: [Double] = []
    var references: [Double] = []
    var proven = 0
    for day in days {
      let problem = try RouteProblem(.greatCircle(day.stops), objective: .distance)
      var solution = StrongOptimiser.solve(problem)
      times.append(milliseconds { solution = StrongOptimiser.solve(problem) })
      // Without a known best, our longest run is the reference.
      let effort = size > 1_000 ? 6 : 30
      let best = day.best ?? min(solution.cost, StrongOptimiser.solve(problem, effort: effort, seed: 99).cost)
      gaps.append((solution.cost / best - 1) * 100)
      references.append((ReferenceOptimiser.solve(problem).cost / best - 1) * 100)
      if solution.isProvenOptimal { proven += 1 }
    }
    let promise = Self.promised[size].map {
      "; promised \(number($0.median, 1))/\(number($0.worst, 1)) %, \(number($0.time, 0)) ms"
    }
    print(
      "  \(kind) \(size) stops: gap \(number(median(gaps), 3)) median, \(number(gaps.max() ?? 0, 3)) worst; "
        + "\(number(median(times), 2)) ms; \(proven) of \(days.count) proven; "
        + "the app's optimiser \(number(median(references), 2)) % above\(promise ?? "")")
    if size >= 20, size <= 1_000 { try others(days, seconds: median(times) / 1_000) }
  }

  /// Other solvers on the same days with the same time.
  private func others(_ days: [Day], seconds: Double) throws {
    guard let python = ProcessInfo.processInfo.environment["POOLFLOW_ROUTE_PYTHON"] else { return }
    let input = try JSONEncoder().encode(days.map { $0.stops.map { [$0.latitude, $0.longitude] } })
    for solver in ["fast-tsp", "ortools", "vroom"] {
      guard let orders = OtherSolvers.run(python, solver, input: input, seconds: seconds) else { continue }
      var gaps: [Double] = []
      for (day, order) in zip(days, orders) where order.count == day.stops.count {
        let problem = try RouteProblem(.greatCircle(day.stops), objective: .distance)
        let best = day.best ?? StrongOptimiser.solve(problem, effort: 30, seed: 99).cost
        gaps.append((problem.cost(of: order) / best - 1) * 100)
      }
      guard !gaps.isEmpty else { continue }
      print("    \(solver) in as much: gap \(number(median(gaps), 3)) median, \(number(gaps.max() ?? 0, 3)) worst")
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
      print(
        "  TSPLIB \(tour.name): \(number(solution.cost, 0)), optimum \(number(tour.optimum, 0)), "
          + "gap \(number(gap, 2)) %; \(number(time, 1)) ms")
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
      print(
        "  balanced, \(size) stops: \(number(median(shares), 2)) % below the app's optimiser, "
          + "least \(number(shares.min() ?? 0, 2)) %; \(number(median(times), 2)) ms")
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
      print(
        "  windows, \(size) stops: \(number(median(late), 0)) minutes of driving and penalty, "
          + "\(number(median(blind), 0)) in the order that knows of none; \(number(median(times), 2)) ms"
          + (size == 50 ? ", promised 20 ms" : ""))
    }
  }

  // MARK: Kernel and night

  private func kernel() throws {
    var chance = SplitMix(seed: 1)
    for (name, reach) in [("a city", 0.5), ("the world", 90.0)] {
      let places = try (0..<1_000).map { _ in
        try Coordinate(
          latitude: Double.random(in: -reach...reach, using: &chance),
          longitude: Double.random(in: -2 * reach...2 * reach, using: &chance))
      }
      var times: [Double] = []
      var worst = 0.0
      for round in 0..<15 {
        var sum = 0.0
        times.append(
          milliseconds {
            let table = DistanceTable(from: places, to: places)
            sum += table[row: 1, column: 2]
            if round == 0 {
              for row in 0..<1_000 {
                for column in 0..<1_000 {
                  worst = max(
                    worst, (table[row: row, column: column] - places[row].miles(to: places[column])).magnitude)
                }
              }
            }
          })
        precondition(sum >= 0)
      }
      var sum = 0.0
      let scalar = milliseconds {
        for row in 0..<1_000 { for column in 0..<1_000 { sum += places[row].miles(to: places[column]) } }
      }
      let rate = 1_000 / median(times)
      print(
        "  distances across \(name): \(number(rate, 0)) million pairs/s, the definition "
          + "\(number(1_000 / scalar, 0)); worst error \(worst) miles (promised 200, 1e-9)")
    }
  }

  private func night() throws {
    let days: [[DayRoute.Stop]] = try (0..<15_000).map { index in
      try day(12, seed: UInt64(index)).stops.enumerated().map { place, stop in
        DayRoute.Stop(
          id: PoolID(UUID()), latitude: stop.latitude, longitude: stop.longitude, routeOrder: place)
      }
    }
    var known: [UInt64] = []
    let first = milliseconds {
      for day in days { known.append((try? NightlyRoute.plan(day, objective: .time, known: nil))?.inputHash ?? 0) }
    }
    var planned = 0
    let second = milliseconds {
      for (day, hash) in zip(days, known) where (try? NightlyRoute.plan(day, objective: .time, known: hash)) != nil {
        planned += 1
      }
    }
    print(
      "  a night of 15,000 days of 12 stops: \(number(first / 1_000, 2)) s (promised 10); unchanged: \(planned) planned, "
        + "\(number(15_000 / second, 0)) thousand days/s passed over (promised 100)")
  }

  private func milliseconds(_ body: () -> Void) -> Double {
    var before = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
    body()
    var after = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
    return Double(after.tv_sec - before.tv_sec) * 1_000 + Double(after.tv_nsec - before.tv_nsec) / 1e6
  }

  private func median(_ numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private func number(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }
}
