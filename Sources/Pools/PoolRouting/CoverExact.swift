import PoolModel

/// The cheapest spread of a few stops, by dynamic programming; proven optimal.
///
/// For each day: the cheapest order for every set of covered stops, by labels of time and cost. A label is dropped if another
/// one with the same stops and the same last stop is no later and no dearer, because a later start never makes a visit earlier.
/// Source: M. Desrochers, F. Soumis, "A Generalized Permanent Labelling Algorithm for the Shortest Path Problem with Time
/// Windows", INFOR 26 (3), 1988. Then: the cheapest partition of the stops among the days.
struct CoverExact {
  private let problem: CoverProblem
  private let sets: Int

  /// Maximum extensions of labels without dominance: about 50 ms.
  private static let mostExtensions = 1_000_000

  /// - Returns: nil if the problem is too large.
  init?(_ problem: CoverProblem) {
    let count = problem.covered
    guard count <= 12 else { return nil }
    let extensions = problem.own.reduce(0) { $0 + (1 << count) * ($1.count + 1) * (count + 1) * (count + 1) }
    guard extensions <= Self.mostExtensions else { return nil }
    self.problem = problem
    sets = 1 << count
  }

  /// Each day with the stops that it takes: as many stops as possible, then least cost.
  func solve() -> [CoverDay] {
    let searches = problem.days.indices.map { DaySearch(problem, $0, sets: sets) }
    // By set of stops: the least cost of exactly these on the days so far, and the set that the last of these days takes.
    var costs = [Double](repeating: .infinity, count: sets)
    costs[0] = 0
    var choices: [[Int]] = []
    for search in searches {
      var next = [Double](repeating: .infinity, count: sets)
      var choice = [Int](repeating: 0, count: sets)
      for set in 0..<sets {
        var own = set
        while true {
          let cost = costs[set ^ own] + search.costs[own]
          if cost < next[set] {
            next[set] = cost
            choice[set] = own
          }
          if own == 0 { break }
          own = (own - 1) & set
        }
      }
      costs = next
      choices.append(choice)
    }
    var rest =
      (0..<sets).filter { costs[$0].isFinite }.min {
        ($1.nonzeroBitCount, costs[$0]) < ($0.nonzeroBitCount, costs[$1])
      } ?? 0
    var days: [CoverDay] = []
    for (search, choice) in zip(searches, choices).reversed() {
      days.append(CoverDay(problem, search.day, stops: search.stops(for: choice[rest])))
      rest ^= choice[rest]
    }
    return days.reversed()
  }
}

/// The cheapest order of one day for every set of covered stops.
private struct DaySearch {
  /// A part of the day up to the visit at `stop`.
  private struct Label {
    let stop: Int
    /// Start of the visit.
    let time: Double
    /// Driving and cost of lateness so far.
    let cost: Double
    /// The label before it; -1 for the first visit.
    let before: Int
  }

  let day: Int
  /// By set: the cost that it adds to the day; +∞ if the day cannot take it.
  private(set) var costs: [Double]
  private let problem: CoverProblem
  private var labels: [Label] = []
  /// By set: the cheapest label of a whole day.
  private var last: [Int]
  /// Undominated labels by set, number of own stops visited, and last stop: 0 for an own one, otherwise 1 + covered stop.
  private var states: [[Int]]

  init(_ problem: CoverProblem, _ day: Int, sets: Int) {
    self.problem = problem
    self.day = day
    costs = [Double](repeating: .infinity, count: sets)
    last = [Int](repeating: -1, count: sets)
    states = [[Int]](repeating: [], count: sets * (problem.own[day].count + 1) * (problem.covered + 1))
    search(sets: sets)
    states = []
    costs[0] = 0
  }

  private func state(_ set: Int, _ visited: Int, _ last: Int) -> Int {
    (set * (problem.own[day].count + 1) + visited) * (problem.covered + 1) + last
  }

  private mutating func search(sets: Int) {
    let own = problem.own[day]
    let present = CoverDay(problem, day).cost
    if let first = own.first {
      extend(-1, to: first, state: state(0, 1, 0))
    } else {
      for stop in 0..<problem.covered { extend(-1, to: stop, state: state(1 << stop, 0, 1 + stop)) }
    }
    let firstPosition = problem.firstPosition(in: day)
    for set in 0..<sets {
      for visited in 0...own.count {
        for last in 0...problem.covered {
          for label in states[state(set, visited, last)] {
            if visited == own.count {
              if labels[label].cost - present < costs[set] {
                costs[set] = labels[label].cost - present
                self.last[set] = label
              }
            } else {
              extend(label, to: own.lowerBound + visited, state: state(set, visited + 1, 0))
            }
            guard visited >= firstPosition else { continue }
            for stop in 0..<problem.covered where set & (1 << stop) == 0 {
              extend(label, to: stop, state: state(set | 1 << stop, visited, 1 + stop))
            }
          }
        }
      }
    }
  }

  /// Adds the label for a visit at `stop` after the label `before`, unless it is not allowed or dominated.
  private mutating func extend(_ before: Int, to stop: Int, state: Int) {
    var cost = 0.0
    let time: Double
    if before < 0 {
      time = problem.begins(at: stop, of: day)
    } else {
      let label = labels[before]
      time = problem.begins(at: stop, after: label.stop, begun: label.time)
      cost = label.cost + problem.drive(label.stop, stop)
    }
    cost += problem.late(stop, at: time) * RouteFigures.costOfLateMinute
    guard time <= problem.latest[stop], time + problem.service[stop] <= problem.latestEnd(of: day),
      !states[state].contains(where: { labels[$0].time <= time && labels[$0].cost <= cost })
    else { return }
    states[state].removeAll { labels[$0].time >= time && labels[$0].cost >= cost }
    states[state].append(labels.count)
    labels.append(Label(stop: stop, time: time, cost: cost, before: before))
  }

  /// The day's stops in visiting order with the covered stops of `set`.
  func stops(for set: Int) -> [Int] {
    guard set > 0 else { return Array(problem.own[day]) }
    var stops: [Int] = []
    var label = last[set]
    while label >= 0 {
      stops.append(labels[label].stop)
      label = labels[label].before
    }
    return stops.reversed()
  }
}
