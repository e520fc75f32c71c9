internal import PoolModel
internal import PoolRouting

/// `pfctl route solve`: the best order of the stops of a file; needs no daemon.
enum RouteSolveCommand: Command {
  static let description = CommandDescription(
    "route solve", "the best order of the stops in a file; needs no daemon", operands: [.init("FILE")],
    options: [
      .init("objective", "OBJECTIVE", "what to make small: time (without it), distance, or balanced with few moves"),
      .init("algorithm", "reference|strong", "the app's own optimiser, or the strong one (without it)"),
      .init("effort", "N", "so many times the everyday budget of moves, 1 without it"),
      .init(
        "durations", "FILE", "the cost of the leg from each stop to each, row by row, in place of geometry"),
    ],
    details: [
      "FILE has a row latitude,longitude for each stop in its present order. The first is where the day begins and stays",
      "first; there is no way back. The answer numbers the stops from 0. The same file and effort give the same answer.",
      "Up to \(Limits.routeStops) stops; \(Limits.routeMatrixStops) with --durations. Up to 16 the order is proven to be the best.",
    ],
    examples: [
      "pfctl route solve stops.csv",
      "pfctl route solve stops.csv --objective balanced --json",
      "pfctl route solve stops.csv --algorithm reference",
    ])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let objective = try objective(arguments)
    let algorithm = try algorithm(arguments)
    let effort = try arguments.integer("effort", standard: 1, in: 1...Limits.routeEffort)
    let file = try RouteFile(path: arguments.operand(0) ?? "")
    let stops = try file.stops()
    let problem: RouteProblem
    do {
      if let matrix = arguments["durations"] {
        problem = try RouteProblem(.table(RouteFile(path: matrix).table(stops: stops.count)), objective: objective)
      } else {
        problem = try RouteProblem(.greatCircle(stops), objective: objective)
      }
    } catch let error as RouteError {
      throw CommandFailure.badData("\(error)")
    }
    let began = ContinuousClock.now
    let solution: RouteSolution
    switch algorithm {
    case .strong: solution = StrongOptimiser.solve(problem, effort: effort)
    case .reference: solution = ReferenceOptimiser.solve(problem)
    }
    let seconds = began.duration(to: .now) / .seconds(1)
    let console = session.console
    let unit = objective == .distance ? "miles" : "minutes"
    if console.isJSON {
      return try console.document(
        "route-solve",
        Answer(
          objective: objective.rawValue, algorithm: algorithm.rawValue, effort: effort, order: solution.order,
          cost: solution.cost, unit: unit, provenOptimal: solution.isProvenOptimal, solveSeconds: seconds))
    }
    console.line("order: \(solution.order.map(String.init).joined(separator: " "))")
    console.line(
      "cost: \(Wording.decimal(solution.cost, places: 1)) \(unit)\(solution.isProvenOptimal ? ", proven optimal" : "")")
    console.line("solve_seconds: \(Wording.decimal(seconds, places: 6).replacing(",", with: ""))")
  }

  private static func objective(_ arguments: Arguments) throws(CommandFailure) -> RouteObjective {
    guard let word = arguments["objective"] else { return .time }
    guard let objective = RouteObjective(rawValue: word) else {
      throw .usage("--objective is time, distance or balanced, not '\(visible(word))'")
    }
    return objective
  }

  private static func algorithm(_ arguments: Arguments) throws(CommandFailure) -> DayRoute.Algorithm {
    guard let word = arguments["algorithm"] else { return .strong }
    guard let algorithm = DayRoute.Algorithm(rawValue: word) else {
      throw .usage("--algorithm is reference or strong, not '\(visible(word))'")
    }
    return algorithm
  }

  private struct Answer: Encodable {
    let objective: String
    let algorithm: String
    let effort: Int
    let order: [Int]
    let cost: Double
    let unit: String
    let provenOptimal: Bool
    let solveSeconds: Double

    enum CodingKeys: String, CodingKey {
      case objective, algorithm, effort, order, cost, unit
      case provenOptimal = "proven_optimal"
      case solveSeconds = "solve_seconds"
    }
  }
}
