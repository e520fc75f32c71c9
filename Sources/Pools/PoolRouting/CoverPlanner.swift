import PoolModel

/// Spreads the stops of an absent technician over the days of others: as many stops as possible, then least driving and
/// lateness (`RouteFigures.costOfLateMinute`).
///
/// Arrival windows and the limit of working minutes are kept; a stop that no technician can take within them is refused, with
/// the closest miss. The technicians' own stops keep their order.
package enum CoverPlanner {
  /// - Parameters:
  ///   - effort: factor of the search's iterations.
  ///   - searches: true searches even where the optimum can be proven; for tests.
  package static func plan(_ problem: CoverProblem, effort: Int = 1, searches: Bool = false) -> CoverPlan {
    if !searches, let exact = CoverExact(problem) {
      return CoverPlan(problem, exact.solve(), isProvenOptimal: true)
    }
    var search = CoverSearch(problem)
    return CoverPlan(problem, search.solve(effort: effort), isProvenOptimal: false)
  }
}

/// The plan of `CoverPlanner`.
package struct CoverPlan: Hashable, Sendable {
  /// A visit of a day, in visiting order.
  package struct Visit: Hashable, Sendable {
    /// The stop's number in the problem.
    package let stop: Int
    /// Minutes after midnight, after waiting for the window.
    package let begins: Double
    /// Minutes after the end of the window; 0 without a window.
    package let late: Double
  }

  /// A technician's day with the covered stops.
  package struct Day: Hashable, Sendable {
    package let visits: [Visit]
    /// Minutes from the start of the day to the end of its last visit.
    package let minutes: Double
    /// The part of `minutes`, of the driving minutes and of the minutes of lateness that the covered stops add.
    package let addedMinutes: Double
    package let addedDriving: Double
    package let addedLate: Double
  }

  /// A stop that no technician can take.
  package struct Refusal: Hashable, Sendable {
    package let stop: Int
    package let reason: Reason
  }

  /// The closest miss among all days and positions; `day` is its technician's index.
  package enum Reason: Hashable, Sendable {
    case noTechnicians
    /// The day would take `minutes`, which is more than `CoverProblem.mostMinutes`.
    case minutes(day: Int, minutes: Double)
    /// The visit to `stop`, which may be another one, would begin `late` minutes after its window.
    case window(day: Int, stop: Int, late: Double)
  }

  /// In the order of the problem's days.
  package let days: [Day]
  package let refused: [Refusal]
  package let isProvenOptimal: Bool

  /// The objective in minutes of driving, over the stops that are not refused.
  package var cost: Double {
    days.reduce(0) { $0 + $1.addedDriving + $1.addedLate * RouteFigures.costOfLateMinute }
  }

  init(_ problem: CoverProblem, _ days: [CoverDay], isProvenOptimal: Bool) {
    self.days = days.map { day in
      let before = CoverDay(problem, day.day)
      let begins = problem.days[day.day].begins
      return Day(
        visits: zip(day.stops, day.begins).map { Visit(stop: $0, begins: $1, late: problem.late($0, at: $1)) },
        minutes: day.end - begins, addedMinutes: day.end - before.end,
        addedDriving: day.driving - before.driving, addedLate: day.late - before.late)
    }
    let taken = Set(days.flatMap(\.stops))
    refused = (0..<problem.covered).filter { !taken.contains($0) }.map { stop in
      Refusal(stop: stop, reason: Self.reason(for: stop, days, problem))
    }
    self.isProvenOptimal = isProvenOptimal
  }

  /// The reason of the insertion that misses windows by least and, if none is missed, the limit of minutes by least.
  private static func reason(for stop: Int, _ days: [CoverDay], _ problem: CoverProblem) -> Reason {
    var closest: (late: Double, minutes: Double, reason: Reason)?
    for day in days {
      for position in problem.firstPosition(in: day.day)...max(problem.firstPosition(in: day.day), day.stops.count) {
        var changed = day
        changed.insert(stop, at: position, problem)
        let worst = zip(changed.stops, changed.begins).filter { $1 > problem.latest[$0] }.max {
          $0.1 - problem.latest[$0.0] < $1.1 - problem.latest[$1.0]
        }
        let late = worst.map { $0.1 - problem.latest[$0.0] } ?? 0
        let minutes = changed.end - problem.days[day.day].begins
        if let closest, (closest.late, closest.minutes) <= (late, minutes) { continue }
        let reason: Reason =
          if let worst {
            .window(day: day.day, stop: worst.0, late: problem.late(worst.0, at: worst.1))
          } else {
            .minutes(day: day.day, minutes: minutes)
          }
        closest = (late, minutes, reason)
      }
    }
    return closest?.reason ?? .noTechnicians
  }
}
