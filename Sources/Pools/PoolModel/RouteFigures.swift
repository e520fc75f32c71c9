import FlowModel

/// The travel time, distance and lateness of one order of a day's located stops.
package struct RouteFigures: Hashable, Sendable {
  /// Minutes of driving.
  package var minutes: Double
  package var miles: Double
  /// Minutes of arrival after customers' arrival windows, summed over all stops; 0 if no window applies.
  package var late: Double

  /// The weight of a minute of lateness, in minutes of driving: a waiting customer costs more than a detour.
  package static let costOfLateMinute = 10.0

  package init(minutes: Double, miles: Double, late: Double = 0) {
    self.minutes = minutes
    self.miles = miles
    self.late = late
  }

  /// The minutes of driving that `best` saves; never negative, even if it takes longer. Source: R-ROUTE-6.
  package func minutesSaved(by best: RouteFigures) -> Double { max(0, minutes - best.minutes) }

  /// The advantage of this order over `other`, in minutes of driving; negative if `other` is better.
  package func gain(over other: RouteFigures) -> Double {
    other.minutes - minutes + (other.late - late) * Self.costOfLateMinute
  }

  /// Whether all figures are finite and not negative.
  package var isPossible: Bool { [minutes, miles, late].allSatisfy { $0.isFinite && $0 >= 0 } }
}
