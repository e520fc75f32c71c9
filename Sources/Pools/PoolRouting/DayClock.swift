/// Arrival times and total lateness of an order, kept so that a changed segment is evaluated without recomputing the whole day.
struct DayClock {
  private let problem: RouteProblem
  private let count: Int
  /// Driving minutes, row-major by stop; empty if the day has more than `mostStopsInTable` stops.
  private let drive: [Double]
  /// Start of each stop's arrival window in minutes, -∞ without a window; `closes` has the end, +∞ without a window.
  private let opens: [Double]
  private let closes: [Double]
  /// By position in the order: minute at which the visit starts (after waiting), and lateness up to there.
  private var times: [Double] = []
  private var lates: [Double] = []

  /// Maximum number of stops with precomputed driving times; a larger table costs more than it saves.
  private static let mostStopsInTable = 1_000

  init(_ problem: RouteProblem, order: [Int]) {
    self.problem = problem
    count = problem.count
    opens = problem.windows.map { $0?.opens ?? -.infinity }
    closes = problem.windows.map { $0?.closes ?? .infinity }
    let indices = 0..<count
    drive =
      count > Self.mostStopsInTable
      ? [] : indices.flatMap { from in indices.map { from == $0 ? 0 : problem.driveMinutes(from, $0) } }
    times = [Double](repeating: 0, count: count)
    lates = times
    follow(order, from: 0)
  }

  /// Total lateness of the day, in minutes.
  var late: Double { lates.last ?? 0 }

  /// Recomputes arrivals after `order` changed at index `position` or later.
  mutating func follow(_ order: [Int], from position: Int) {
    for position in position..<count {
      let stop = order[position]
      let (time, late) = arrival(at: stop, from: position > 0 ? order[position - 1] : nil, before: position)
      times[position] = time
      lates[position] = late
    }
  }

  /// Start of the visit at `stop`, and accumulated lateness; `before` is the previous stop, nil for the first.
  private func arrival(at stop: Int, from before: Int?, before position: Int) -> (time: Double, late: Double) {
    guard let before else {
      let time = max(0, opens[stop])
      return (time, max(0, time - closes[stop]))
    }
    let time = max(times[position - 1] + problem.minutesAtStop + minutes(before, stop), opens[stop])
    return (time, lates[position - 1] + max(0, time - closes[stop]))
  }

  @inline(__always)
  private func minutes(_ from: Int, _ to: Int) -> Double {
    drive.isEmpty ? problem.driveMinutes(from, to) : drive[from * count + to]
  }

  /// The change of total lateness, in minutes, if `changed` supplies the stops at indices `from...to`.
  func change(in order: [Int], from: Int, to: Int, changed: (Int) -> Int) -> Double {
    var time = times[from - 1]
    var late = lates[from - 1]
    var before = order[from - 1]
    for position in from..<count {
      let stop = position > to ? order[position] : changed(position)
      time = max(time + problem.minutesAtStop + minutes(before, stop), opens[stop])
      late += max(0, time - closes[stop])
      // Same stop at the same time as before: the rest of the day is unchanged.
      if position > to, time == times[position] { return late - lates[position] }
      before = stop
    }
    return late - self.late
  }
}
