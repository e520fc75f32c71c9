package import PoolModel

/// What a clock-time rule does on the two days of the year on which clocks change.
///
/// Interval rules need no policy: they follow real time, with nothing extra at a gap and every instant of both passes.
package struct DaylightPolicy: Hashable, Sendable {
  /// What happens to a clock time that does not exist.
  package enum Gap: String, Hashable, Sendable, CaseIterable {
    /// It runs once, at the first instant after the gap.
    case after
    /// It does not run that day.
    case skip
  }
  /// What happens to a clock time that comes twice.
  package enum Fold: String, Hashable, Sendable, CaseIterable {
    case first, second, both
  }
  package let gap: Gap
  package let fold: Fold

  package init(gap: Gap = .after, fold: Fold = .first) {
    self.gap = gap
    self.fold = fold
  }

  package static let standard = DaylightPolicy()
}

/// One instant at which a rule comes due.
package struct Occurrence: Hashable, Sendable {
  /// What the clocks did to it.
  package enum Event: String, Hashable, Sendable, CaseIterable {
    case plain
    /// The clock time does not exist that day; this is the first instant after the gap.
    case movedByGap
    /// The clocks show the time twice that day; this is the first of them.
    case firstPass
    case secondPass
  }
  package let instant: Timestamp
  /// The clock time the rule named, in the rule's zone; where several fall into one gap, the earliest.
  package let nominal: LocalDateTime
  package let event: Event

  package init(instant: Timestamp, nominal: LocalDateTime, event: Event) {
    self.instant = instant
    self.nominal = nominal
    self.event = event
  }
}
