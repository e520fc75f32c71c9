/// When each stop of an order is reached, and how late in all, so that a change of a stretch is weighed without going
/// through the day from its beginning.
struct DayClock {
  private let problem: RouteProblem
  private let count: Int
  /// Minutes of driving from each stop to each; empty on days for which that would be too many.
  private let drive: [Double]
  /// By stop; without bounds where nobody waits.
  private let opens: [Double]
  private let closes: [Double]
  /// By place: the time after waiting, and the lateness up to there.
  private var times: [Double] = []
  private var lates: [Double] = []

  /// Beyond this the table would be larger than what it saves.
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

  /// Minutes late over the whole day.
  var late: Double { lates.last ?? 0 }

  /// Takes over that `order` is another one from `place` on.
  mutating func follow(_ order: [Int], from place: Int) {
    for place in place..<count {
      let stop = order[place]
      let (time, late) = arrival(at: stop, from: place > 0 ? order[place - 1] : nil, before: place)
      times[place] = time
      lates[place] = late
    }
  }

  private func arrival(at stop: Int, from before: Int?, before place: Int) -> (time: Double, late: Double) {
    guard let before else {
      let time = max(0, opens[stop])
      return (time, max(0, time - closes[stop]))
    }
    let time = max(times[place - 1] + problem.minutesAtStop + minutes(before, stop), opens[stop])
    return (time, lates[place - 1] + max(0, time - closes[stop]))
  }

  @inline(__always)
  private func minutes(_ from: Int, _ to: Int) -> Double {
    drive.isEmpty ? problem.driveMinutes(from, to) : drive[from * count + to]
  }

  /// How many minutes later the day is where `changed` names the stops of the places `from...to`, and all others stay.
  func change(in order: [Int], from: Int, to: Int, changed: (Int) -> Int) -> Double {
    var time = times[from - 1]
    var late = lates[from - 1]
    var before = order[from - 1]
    for place in from..<count {
      let stop = place > to ? order[place] : changed(place)
      time = max(time + problem.minutesAtStop + minutes(before, stop), opens[stop])
      late += max(0, time - closes[stop])
      // As early as before at a stop of before: the rest of the day is as it was.
      if place > to, time == times[place] { return late - lates[place] }
      before = stop
    }
    return late - self.late
  }
}
