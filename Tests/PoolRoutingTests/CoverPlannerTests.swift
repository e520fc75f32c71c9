import FlowModel
import PoolModel
import PoolRouting
import Testing

/// The cover planner compared with brute force, which shares only the definition of the cost.
struct CoverPlannerTests {
  /// Every order of the covered stops within every day, and every choice of refused stops.
  private struct BruteForce {
    let problem: RandomCover
    /// Stops of each day that are given so far, in visiting order.
    var days: [[Int]]
    /// The lateness of own stops in the present days.
    let present: [Int: Double]
    let presentCost: Double
    var best = (refused: Int.max, cost: Double.infinity)

    init(_ problem: RandomCover) {
      self.problem = problem
      days = problem.ownNumbers
      var present: [Int: Double] = [:]
      var cost = 0.0
      for day in days.indices {
        let result = Self.times(problem, day, days[day])
        for (stop, late) in result.late { present[stop] = late }
        cost += result.driving + 10 * result.late.values.reduce(0, +)
      }
      self.present = present
      presentCost = cost
    }

    static func times(_ problem: RandomCover, _ day: Int, _ stops: [Int]) -> (
      driving: Double, late: [Int: Double], end: Double
    ) {
      let own = problem.days[day]
      var clock = own.done == 0 ? max(own.begins, own.resumes) : own.begins
      var driving = 0.0
      var late: [Int: Double] = [:]
      for (index, stop) in stops.enumerated() {
        if index > 0 {
          clock += problem.stop(stops[index - 1]).minutes
          if index == own.done { clock = max(clock, own.resumes) }
          let leg = problem.minutes(stops[index - 1], stop)
          clock += leg
          driving += leg
        }
        if let window = problem.stop(stop).window {
          clock = max(clock, window.opens)
          late[stop] = max(0, clock - window.closes)
        }
      }
      return (driving, late, clock + (stops.last.map { problem.stop($0).minutes } ?? 0))
    }

    mutating func search(from stop: Int = 0, refused: Int = 0) {
      guard refused <= best.refused else { return }
      guard stop < problem.covered.count else { return take(refused) }
      for day in days.indices {
        let first = problem.ownNumbers[day].isEmpty ? 0 : max(1, problem.days[day].done)
        for position in first...max(first, days[day].count) {
          days[day].insert(stop, at: position)
          search(from: stop + 1, refused: refused)
          days[day].remove(at: position)
        }
      }
      search(from: stop + 1, refused: refused + 1)
    }

    private mutating func take(_ refused: Int) {
      var cost = -presentCost
      for day in days.indices {
        let result = Self.times(problem, day, days[day])
        for (stop, late) in result.late where late > problem.mostLate + 1e-9 {
          guard present[stop] ?? 0 > problem.mostLate + 1e-9 else { return }
        }
        let begins =
          problem.days[day].done == 0
          ? max(problem.days[day].begins, problem.days[day].resumes) : problem.days[day].begins
        guard days[day] == problem.ownNumbers[day] || result.end - begins <= problem.mostMinutes + 1e-9 else { return }
        cost += result.driving + 10 * result.late.values.reduce(0, +)
      }
      if (refused, cost) < best { best = (refused, cost) }
    }
  }

  /// Checks a plan against the rules, without the planner's own times.
  private func check(_ plan: CoverPlan, _ problem: RandomCover, _ note: Comment) {
    let force = BruteForce(problem)
    var taken: [Int] = []
    var cost = -force.presentCost
    for (day, planned) in plan.days.enumerated() {
      let stops = planned.visits.map(\.stop)
      #expect(stops.filter { $0 >= problem.covered.count } == problem.ownNumbers[day], note)
      #expect(stops.prefix(problem.days[day].done).allSatisfy { $0 >= problem.covered.count }, note)
      if let own = problem.ownNumbers[day].first { #expect(stops.first == own, note) }
      taken += stops.filter { $0 < problem.covered.count }
      let result = BruteForce.times(problem, day, stops)
      for visit in planned.visits {
        #expect((visit.late - (result.late[visit.stop] ?? 0)).magnitude < 1e-6, note)
        #expect(visit.late <= problem.mostLate + 1e-6 || force.present[visit.stop] ?? 0 > problem.mostLate, note)
      }
      let present = BruteForce.times(problem, day, problem.ownNumbers[day])
      #expect((planned.addedMinutes - (result.end - present.end)).magnitude < 1e-6, note)
      #expect((planned.addedDriving - (result.driving - present.driving)).magnitude < 1e-6, note)
      #expect(stops == problem.ownNumbers[day] || planned.minutes <= problem.mostMinutes + 1e-6, note)
      cost += result.driving + 10 * result.late.values.reduce(0, +)
    }
    #expect((taken + plan.refused.map(\.stop)).sorted() == Array(problem.covered.indices), note)
    #expect((plan.cost - cost).magnitude < 1e-6, note)
  }

  @Test func `brute force finds no better spread of a few stops`() throws {
    let seed: UInt64 = 52
    var random = RandomDays(seed: seed)
    var refused = 0
    for number in 0..<randomDayCount(60) {
      let problem = try RandomCover(&random, covered: 1...(number % 20 == 0 ? 5 : 4), days: 1...3, own: 0...3)
      let plan = CoverPlanner.plan(try problem.problem)
      let note: Comment = "seed \(seed), case \(number)"
      check(plan, problem, note)
      var force = BruteForce(problem)
      force.search()
      #expect(plan.refused.count == force.best.refused, note)
      #expect((plan.cost - force.best.cost).magnitude < 1e-6, note)
      #expect(plan.isProvenOptimal, note)
      refused += plan.refused.count
    }
    #expect(refused > 0)
  }

  @Test func `brute force finds no better spread of six stops over three technicians`() throws {
    var random = RandomDays(seed: 63)
    for number in 0..<max(1, randomDayCount(10) / 10) {
      let problem = try RandomCover(&random, covered: 6...6, days: 3...3, own: 1...2)
      let plan = CoverPlanner.plan(try problem.problem)
      var force = BruteForce(problem)
      force.search()
      #expect(plan.refused.count == force.best.refused, "case \(number)")
      #expect((plan.cost - force.best.cost).magnitude < 1e-6, "case \(number)")
    }
  }

  /// The search is used for problems that are too large for a proof; here both solve the same ones.
  @Test func `the search finds the proven optimum of nineteen in twenty problems`() throws {
    let seed: UInt64 = 7
    var random = RandomDays(seed: seed)
    let count = randomDayCount(40)
    var optimal = 0
    for number in 0..<count {
      let problem = try RandomCover(&random, covered: 2...6, days: 1...4, own: 0...6)
      let proven = CoverPlanner.plan(try problem.problem)
      let searched = CoverPlanner.plan(try problem.problem, searches: true)
      check(searched, problem, "seed \(seed), case \(number)")
      #expect(!searched.isProvenOptimal && proven.isProvenOptimal)
      #expect(searched.refused.count >= proven.refused.count, "seed \(seed), case \(number)")
      if searched.refused.count == proven.refused.count, (searched.cost - proven.cost).magnitude < 1e-6 { optimal += 1 }
    }
    #expect(optimal * 20 >= count * 19, "\(optimal) of \(count)")
  }

  @Test func `a longer search of a large cover finds little more`() throws {
    var random = RandomDays(seed: 16)
    for number in 0..<randomDayCount(2) {
      let problem = try RandomCover(&random, covered: 16...16, days: 4...4, own: 5...8)
      let plan = CoverPlanner.plan(try problem.problem)
      let longer = CoverPlanner.plan(try problem.problem, effort: 4)
      check(plan, problem, "case \(number)")
      #expect(!plan.isProvenOptimal)
      #expect(plan.refused.count <= longer.refused.count, "case \(number)")
      // A stop without a location can shorten a day, so that the cost is negative.
      let gap = longer.cost.magnitude * 0.05 + 1
      if plan.refused.count == longer.refused.count { #expect(plan.cost <= longer.cost + gap, "case \(number)") }
      #expect(plan == CoverPlanner.plan(try problem.problem))
    }
  }

  // MARK: Rules

  private func stop(_ east: Double, minutes: Double = 20, opens: Double? = nil, closes: Double = 1_440) throws
    -> CoverProblem.Stop
  {
    CoverProblem.Stop(
      place: try Coordinate(latitude: 33, longitude: -112 + east), minutes: minutes,
      window: opens.map { RouteProblem.Window(opens: $0, closes: closes) })
  }

  @Test func `the technician whose route passes a stop takes it`() throws {
    let problem = try CoverProblem(
      covered: [stop(0.15), stop(0.9)],
      days: [
        .init(stops: [stop(0), stop(0.1), stop(0.2)], begins: 480), .init(stops: [stop(0.8), stop(1)], begins: 480),
      ], unknownLegMinutes: 10)
    let plan = CoverPlanner.plan(problem)
    #expect(plan.days.map { $0.visits.map(\.stop) } == [[2, 3, 0, 4], [5, 1, 6]])
    // A stop on the way adds only the minutes for parking and starting.
    #expect(plan.days.allSatisfy { ($0.addedDriving - LegEstimate.minutesPerLeg).magnitude < 0.001 })
    #expect(plan.days.allSatisfy { ($0.addedMinutes - LegEstimate.minutesPerLeg - 20).magnitude < 0.001 })
  }

  @Test func `a stop that exceeds the minutes of every technician is refused with the least excess`() throws {
    let problem = try CoverProblem(
      covered: [stop(0.15)],
      days: [.init(stops: [stop(0), stop(0.1)], begins: 480), .init(stops: [stop(0.15)], begins: 480)],
      unknownLegMinutes: 10, mostMinutes: 30)
    let plan = CoverPlanner.plan(problem)
    guard case .minutes(let day, let minutes)? = plan.refused.first?.reason else {
      Issue.record("\(plan.refused)")
      return
    }
    #expect(day == 1 && (minutes - 41.5).magnitude < 1e-9)
    #expect(plan.days.map(\.addedMinutes) == [0, 0] && plan.cost == 0)
  }

  @Test func `a window that no technician reaches is refused with the least lateness`() throws {
    let problem = try CoverProblem(
      covered: [stop(0, opens: 480, closes: 490)], days: [.init(stops: [stop(0), stop(0.1)], begins: 480)],
      unknownLegMinutes: 10)
    #expect(CoverPlanner.plan(problem).refused.map(\.reason) == [.window(day: 0, stop: 0, late: 11.5)])
    let tolerant = try CoverProblem(
      covered: [stop(0, opens: 480, closes: 490)], days: [.init(stops: [stop(0), stop(0.1)], begins: 480)],
      unknownLegMinutes: 10, mostLateMinutes: 12)
    #expect(CoverPlanner.plan(tolerant).days.map { $0.visits.map(\.stop) } == [[1, 0, 2]])
    #expect(CoverPlanner.plan(tolerant).days[0].addedLate == 11.5)
  }

  @Test func `the windows of own customers are kept`() throws {
    let own = try [stop(0), stop(0.1, opens: 480, closes: 515)]
    let covered = try stop(0.05)
    let plan = CoverPlanner.plan(
      try CoverProblem(covered: [covered], days: [.init(stops: own, begins: 480)], unknownLegMinutes: 10))
    #expect(plan.days[0].visits.map(\.stop) == [1, 2, 0])
    // An own stop that misses its window anyway does not keep the stop from its position.
    let late = try [stop(0), stop(0.1, opens: 480, closes: 481), stop(0.1)]
    let second = CoverPlanner.plan(
      try CoverProblem(covered: [stop(0.1)], days: [.init(stops: late, begins: 480)], unknownLegMinutes: 10))
    #expect(second.days[0].addedLate == 0 && second.refused.isEmpty)
  }

  @Test func `stops visited already and the present time are respected`() throws {
    let day = try CoverProblem.Day(
      stops: [stop(0), stop(0.1), stop(0.2)], begins: 480, done: 2, resumes: 800)
    let plan = CoverPlanner.plan(try CoverProblem(covered: [stop(0.05)], days: [day], unknownLegMinutes: 10))
    #expect(Array(plan.days[0].visits.map(\.stop).prefix(2)) == [1, 2])
    #expect(plan.days[0].visits.dropFirst(2).allSatisfy { $0.begins > 800 })
  }

  @Test func `stops without a location and technicians without stops take part`() throws {
    let nowhere = CoverProblem.Stop(place: nil, minutes: 20)
    let plan = CoverPlanner.plan(
      try CoverProblem(
        covered: [nowhere, nowhere], days: [.init(stops: [nowhere], begins: 480), .init(stops: [], begins: 500)],
        unknownLegMinutes: 10))
    #expect(plan.refused.isEmpty && plan.cost == 10)
    #expect(plan.days[1].visits.first?.begins == 500)
    let none = CoverPlanner.plan(try CoverProblem(covered: [nowhere], days: [], unknownLegMinutes: 10))
    #expect(none.refused.map(\.reason) == [.noTechnicians])
  }

  @Test func `too many stops and windows that end before they begin are refused`() throws {
    let many = Array(repeating: CoverProblem.Stop(place: nil, minutes: 20), count: 251)
    #expect(throws: RouteError.tooManyStops(count: 251, limit: 250)) {
      try CoverProblem(covered: many, days: [], unknownLegMinutes: 10)
    }
    #expect(throws: RouteError.window(stop: 0)) {
      try CoverProblem(covered: [stop(0, opens: 500, closes: 400)], days: [], unknownLegMinutes: 10)
    }
  }
}

/// A random cover problem in the form that the tests evaluate by themselves.
struct RandomCover {
  let covered: [CoverProblem.Stop]
  let days: [CoverProblem.Day]
  let mostMinutes: Double
  let mostLate: Double
  private let unknown = 10.0

  init(
    _ random: inout RandomDays, covered: ClosedRange<Int>, days: ClosedRange<Int>, own: ClosedRange<Int>
  ) throws {
    let counts = [random.number(covered)] + (0..<random.number(days)).map { _ in random.number(own) }
    let places = try random.stops(max(1, counts.reduce(0, +)))
    let hasWindows = random.number(0...2) > 0
    var all: [CoverProblem.Stop] = []
    for place in places {
      let opens = Double(480 + random.number(0...200))
      let window = RouteProblem.Window(opens: opens, closes: opens + Double(random.number(5...240)))
      all.append(
        CoverProblem.Stop(
          place: random.number(0...9) == 0 ? nil : place, minutes: Double(random.number(10...40)),
          window: hasWindows && random.number(0...2) == 0 ? window : nil))
    }
    self.covered = Array(all.prefix(counts[0]))
    var rest = all.dropFirst(counts[0])
    var made: [CoverProblem.Day] = []
    for count in counts.dropFirst() {
      let isToday = random.number(0...4) == 0
      made.append(
        CoverProblem.Day(
          stops: Array(rest.prefix(count)), begins: Double(random.number(420...540)),
          done: isToday ? random.number(0...count) : 0, resumes: isToday ? Double(random.number(400...700)) : 0))
      rest = rest.dropFirst(count)
    }
    self.days = made
    let isBounded = random.number(0...1) == 0
    mostMinutes =
      isBounded ? Double(random.number(60...200) + 25 * counts.reduce(0, +) / max(1, made.count)) : .infinity
    mostLate = random.number(0...3) == 0 ? 30 : 0
  }

  var problem: CoverProblem {
    get throws {
      try CoverProblem(
        covered: covered, days: days, unknownLegMinutes: unknown, mostMinutes: mostMinutes, mostLateMinutes: mostLate)
    }
  }

  /// The numbers of each day's own stops.
  var ownNumbers: [[Int]] {
    var next = covered.count
    return days.map { day in
      defer { next += day.stops.count }
      return Array(next..<next + day.stops.count)
    }
  }

  func stop(_ number: Int) -> CoverProblem.Stop {
    var rest = number - covered.count
    guard rest >= 0 else { return covered[number] }
    for day in days {
      if rest < day.stops.count { return day.stops[rest] }
      rest -= day.stops.count
    }
    preconditionFailure("no stop \(number)")
  }

  func minutes(_ from: Int, _ to: Int) -> Double {
    guard let start = stop(from).place, let end = stop(to).place else { return unknown }
    return LegEstimate.minutes(miles: start.miles(to: end))
  }
}
