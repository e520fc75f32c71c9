internal import FlowCommandKit
internal import FlowModel
internal import PoolModel
internal import PoolRouting

/// `pfctl route solve`: computes the best order of the stops in a file; needs no daemon.
enum RouteSolveCommand: Command {
  static let description = CommandDescription(
    "route solve", "the best order of the stops in a file; needs no daemon", operands: [.init("FILE")],
    options: [
      .init("objective", "OBJECTIVE", "what to minimise: time (default), distance, or balanced with few moves"),
      .init("algorithm", "reference|strong", "reference: the app's optimiser; strong: the better one (default)"),
      .init("effort", "N", "multiply the usual search effort by N; default: 1"),
      .init(
        "durations", "FILE", "a matrix of costs between all stops, row by row, instead of distances"),
    ],
    details: [
      "FILE has a row latitude,longitude for each stop in the present order, with an optional name as third field. The",
      "first is where the day begins and stays first; the way back does not count. The answer numbers the stops from 0, in",
      "the order of the file. The same file and effort give the same answer.",
      "Up to \(Limits.routeStops) stops; \(Limits.routeMatrixStops) with --durations. Up to 16 stops the order is proven "
        + "to be the best.",
    ],
    examples: [
      "pfctl route solve stops.csv",
      "pfctl route solve stops.csv --objective balanced --json",
      "pfctl route solve stops.csv --algorithm reference",
    ])

  static let documents: [JSONDocument] = [.init("route-solve", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let objective = try objective(arguments)
    let algorithm = try algorithm(arguments)
    let effort = try arguments.integer("effort", standard: 1, in: 1...Limits.maxRouteEffort)
    let file = try RouteFile(path: arguments.operand(0) ?? "")
    let stops = try file.stops()
    let problem: RouteProblem
    do {
      if let matrix = arguments["durations"] {
        problem = try RouteProblem(.table(RouteFile(path: matrix).table(stops: stops.count)), objective: objective)
      } else {
        problem = try RouteProblem(.greatCircle(stops.map(\.place)), objective: objective)
      }
    } catch let error as RouteError {
      throw CommandFailure.badData("\(error)")
    }
    let console = session.console
    let began = ContinuousClock.now
    let solution = console.showingProgress("putting \(TextFormat.count(stops.count, "stop")) in order") {
      switch algorithm {
      case .strong: StrongOptimiser.solve(problem, effort: effort)
      case .reference: ReferenceOptimiser.solve(problem)
      }
    }
    let seconds = began.duration(to: .now) / .seconds(1)
    if console.isJSON {
      return try console.document(
        "route-solve",
        Answer(
          objective: objective.rawValue, algorithm: algorithm.rawValue, effort: effort, order: solution.order,
          cost: solution.cost, unit: objective == .distance ? "miles" : "minutes",
          provenOptimal: solution.isProvenOptimal, solveSeconds: seconds))
    }
    console.line(console.paint(summary(solution, problem), .bold))
    console.table(table(solution.order, stops, problem))
    console.note(
      "computed \(seconds < 0.1 ? "at once" : "in \(TextFormat.decimal(seconds, places: 1)) s"); STOP counts the rows of "
        + "'\(file.name)' from 0")
  }

  // MARK: Text output

  /// `7 stops: 62 minutes, 21.3 miles; as given 74 minutes, 25.0 miles; no order is better`.
  private static func summary(_ solution: RouteSolution, _ problem: RouteProblem) -> String {
    let given = Array(0..<problem.count)
    let words =
      "\(TextFormat.count(problem.count, "stop")): \(figures(solution.order, problem)); as given \(figures(given, problem))"
    return words + (solution.isProvenOptimal ? "; no order is better" : "")
  }

  private static func figures(_ order: [Int], _ problem: RouteProblem) -> String {
    var total = Leg.none
    for place in order.indices.dropFirst() { total = total + Leg(problem, order[place - 1], order[place]) }
    return [
      total.minutes.map { "\(TextFormat.decimal($0, places: 0)) minutes" },
      total.miles.map { "\(TextFormat.decimal($0, places: 1)) miles" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// The time and distance of one or several legs; nil where a cost table lacks the value.
  private struct Leg {
    let minutes: Double?
    let miles: Double?

    static let none = Leg(minutes: 0, miles: 0)

    init(minutes: Double?, miles: Double?) { (self.minutes, self.miles) = (minutes, miles) }

    init(_ problem: RouteProblem, _ from: Int, _ to: Int) {
      switch problem.legs {
      case .greatCircle(let stops):
        let miles = stops[from].miles(to: stops[to])
        self.init(minutes: LegEstimate.minutes(miles: miles), miles: miles)
      case .table:
        let cost = problem.legCost(from, to)
        self.init(
          minutes: problem.objective == .distance ? nil : cost, miles: problem.objective == .distance ? cost : nil)
      }
    }

    static func + (left: Leg, right: Leg) -> Leg {
      Leg(
        minutes: right.minutes.flatMap { more in left.minutes.map { $0 + more } },
        miles: right.miles.flatMap { more in left.miles.map { $0 + more } })
    }

    var cells: [Table.Cell] { [minutes, miles].map { .init($0.map { TextFormat.decimal($0, places: 1) } ?? "-") } }
  }

  /// A row for each stop in its new order, with its leg and the running total.
  private static func table(
    _ order: [Int], _ stops: [(place: Coordinate, name: String)], _ problem: RouteProblem
  ) -> Table {
    let isNamed = stops.contains { !$0.name.isEmpty }
    let titles: [Table.Column] =
      isNamed ? [.init("NAME", minWidth: 16, isKey: true), .init("WHERE", rank: 4)] : [.init("WHERE", isKey: true)]
    var table = Table(
      [.init("PLACE", isNumber: true), .init("STOP", isNumber: true)] + titles + [
        .init("MINUTES", isNumber: true), .init("MILES", isNumber: true),
        .init("MINUTES SO FAR", isNumber: true, rank: 1), .init("MILES SO FAR", isNumber: true, rank: 2),
      ])
    var total = Leg.none
    for (place, stop) in order.enumerated() {
      let leg = place == 0 ? Leg.none : Leg(problem, order[place - 1], stop)
      total = total + leg
      let coordinate = stops[stop].place
      let name = stops[stop].name.isEmpty ? "-" : stops[stop].name
      let whereabouts =
        "\(TextFormat.decimal(coordinate.latitude, places: 5)),\(TextFormat.decimal(coordinate.longitude, places: 5))"
        + (place == 0 ? " (the start)" : "")
      table.add(
        [.init("\(place + 1)"), .init("\(stop)")] + (isNamed ? [.init(name)] : []) + [.init(whereabouts)] + leg.cells
          + total.cells)
    }
    return table
  }

  private static func objective(_ arguments: Arguments) throws(CommandFailure) -> TravelObjective {
    guard let word = arguments["objective"] else { return .time }
    guard let objective = TravelObjective(rawValue: word) else {
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

  /// The JSON document of `pfctl route solve`.
  private struct Answer: Codable {
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
