/// What one order of a day takes, over its located stops.
package struct RouteFigures: Hashable, Sendable {
  /// Of driving.
  package var minutes: Double
  package var miles: Double
  /// Minutes after the ends of customers' windows, over all stops; 0 where no window binds the route.
  package var late: Double

  /// What a minute of lateness costs, in minutes of driving: a customer's waiting is dearer than a detour.
  package static let costOfLateMinute = 10.0

  package init(minutes: Double, miles: Double, late: Double = 0) {
    self.minutes = minutes
    self.miles = miles
    self.late = late
  }

  /// What is gained by this order instead of `other`, in minutes of driving; below 0 where the other is better.
  package func gain(over other: RouteFigures) -> Double {
    other.minutes - minutes + (other.late - late) * Self.costOfLateMinute
  }

  package var isPossible: Bool { [minutes, miles, late].allSatisfy { $0.isFinite && $0 >= 0 } }
}
