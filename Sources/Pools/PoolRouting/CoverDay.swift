import PoolModel

/// A technician's stops in visiting order with their times, kept so that an insertion is evaluated from its position on.
struct CoverDay {
  let day: Int
  private(set) var stops: [Int]
  /// By position: start of the visit, and lateness up to there.
  private(set) var begins: [Double] = []
  private(set) var lates: [Double] = []
  /// Driving minutes of the day.
  private(set) var driving = 0.0
  /// End of the last visit; the start of the day without stops.
  private(set) var end = 0.0
  /// By position: the minutes by which the visit can begin later, so that no visit from there on is later than allowed and the
  /// day does not end too late; negative if one is too late already.
  private var delays: [Double] = []
  /// By position: whether a delay of the visit can add lateness there or at a later one.
  private var canBeLate: [Bool] = []

  /// The day with its own stops only.
  init(_ problem: CoverProblem, _ day: Int) { self.init(problem, day, stops: Array(problem.own[day])) }

  init(_ problem: CoverProblem, _ day: Int, stops: [Int]) {
    self.day = day
    self.stops = stops
    follow(problem, from: 0)
  }

  /// Total lateness, in minutes.
  var late: Double { lates.last ?? 0 }

  /// Cost in minutes of driving.
  var cost: Double { driving + late * RouteFigures.costOfLateMinute }

  /// Recomputes the times from index `position` on.
  private mutating func follow(_ problem: CoverProblem, from position: Int) {
    begins.removeSubrange(min(position, begins.count)...)
    lates.removeSubrange(min(position, lates.count)...)
    for index in position..<stops.count {
      let stop = stops[index]
      let time =
        index == 0
        ? problem.begins(at: stop, of: day)
        : problem.begins(at: stop, after: stops[index - 1], begun: begins[index - 1])
      begins.append(time)
      lates.append((lates.last ?? 0) + problem.late(stop, at: time))
    }
    driving = zip(stops, stops.dropFirst()).reduce(0) { $0 + problem.drive($1.0, $1.1) }
    end = problem.days[day].begins
    if let stop = stops.last, let time = begins.last { end = time + problem.service[stop] }
    delays = [Double](repeating: 0, count: stops.count)
    canBeLate = [Bool](repeating: false, count: stops.count)
    var (delay, isLate) = (problem.latestEnd(of: day) - end, false)
    for index in stops.indices.reversed() {
      let stop = stops[index]
      delay = min(delay, problem.latest[stop] - begins[index])
      isLate = isLate || problem.canBeLate(stop)
      (delays[index], canBeLate[index]) = (delay, isLate)
      guard index > 0 else { break }
      let arrival = problem.arrival(at: stop, after: stops[index - 1], begun: begins[index - 1])
      delay += begins[index] - arrival
    }
  }

  mutating func insert(_ stop: Int, at position: Int, _ problem: CoverProblem) {
    stops.insert(stop, at: position)
    follow(problem, from: position)
  }

  /// Removes the covered stops of `removed`.
  mutating func remove(where removed: (Int) -> Bool, _ problem: CoverProblem) {
    guard let first = stops.firstIndex(where: removed) else { return }
    stops.removeAll(where: removed)
    follow(problem, from: first)
  }

  /// The cost that a stop at index `position` adds; nil if a visit would begin later than allowed, or the day end too late.
  func costOfInsertion(_ stop: Int, at position: Int, _ problem: CoverProblem) -> Double? {
    let time =
      position == 0
      ? problem.begins(at: stop, of: day)
      : problem.begins(at: stop, after: stops[position - 1], begun: begins[position - 1])
    guard time <= problem.latest[stop] else { return nil }
    guard position < stops.count else {
      guard time + problem.service[stop] <= problem.latestEnd(of: day) else { return nil }
      return driveOfInsertion(stop, at: position, problem)
        + problem.late(stop, at: time) * RouteFigures.costOfLateMinute
    }
    let next = problem.begins(at: stops[position], after: stop, begun: time)
    guard next - begins[position] <= delays[position] else { return nil }
    var late = problem.late(stop, at: time)
    if canBeLate[position] { late += addedLateness(from: position, begun: next, problem) }
    return driveOfInsertion(stop, at: position, problem) + late * RouteFigures.costOfLateMinute
  }

  /// The lateness that is added if the visit at index `position` begins at `time`.
  private func addedLateness(from position: Int, begun time: Double, _ problem: CoverProblem) -> Double {
    var (late, time) = (0.0, time)
    for index in position..<stops.count where canBeLate[index] {
      if index > position { time = problem.begins(at: stops[index], after: stops[index - 1], begun: time) }
      // The visit begins when it began before: the rest of the day is unchanged.
      if time == begins[index] { break }
      late += problem.late(stops[index], at: time) - problem.late(stops[index], at: begins[index])
    }
    return late
  }

  /// The driving minutes that a stop at index `position` adds.
  @inline(__always)
  private func driveOfInsertion(_ stop: Int, at position: Int, _ problem: CoverProblem) -> Double {
    let to = position > 0 ? problem.drive(stops[position - 1], stop) : 0
    let from = position < stops.count ? problem.drive(stop, stops[position]) : 0
    return to + from
      - (position > 0 && position < stops.count ? problem.drive(stops[position - 1], stops[position]) : 0)
  }
}
