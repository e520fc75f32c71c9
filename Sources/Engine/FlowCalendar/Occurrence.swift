package import FlowModel

/// Behaviour of a clock-time rule on days with a clock change.
///
/// Interval rules ignore this policy: they follow elapsed time, without extra runs at a gap, and run in both passes of a
/// repeated hour.
package struct DaylightPolicy: Hashable, Sendable {
  /// Policy for a clock time that does not exist on that day.
  package enum Gap: String, Hashable, Sendable, CaseIterable {
    /// The rule runs once, at the first instant after the gap.
    case after
    /// The rule does not run that day.
    case skip
  }
  /// Policy for a clock time that occurs twice on that day.
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

/// One instant at which a rule is due.
package struct Occurrence: Hashable, Sendable {
  /// Effect of a clock change on an occurrence.
  package enum Event: String, Hashable, Sendable, CaseIterable {
    case plain
    /// The clock time does not exist that day; the occurrence is at the first instant after the gap.
    case movedByGap
    /// The clock time occurs twice that day; this is the first time. `secondPass` is the second.
    case firstPass
    case secondPass
  }
  package let instant: Timestamp
  /// The clock time that the rule names, in the rule's zone; if several fall into one gap, the earliest.
  package let nominal: LocalDateTime
  package let event: Event

  package init(instant: Timestamp, nominal: LocalDateTime, event: Event) {
    self.instant = instant
    self.nominal = nominal
    self.event = event
  }
}
