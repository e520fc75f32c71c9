package import FlowModel

/// Due times of a job: a calendar rule, or a single instant.
package enum Schedule: Hashable, Sendable {
  case calendar(CalendarRule)
  case once(Timestamp)

  /// - Returns: the first occurrence strictly after `instant`, or nil if none is left.
  package func next(after instant: Timestamp) -> Occurrence? {
    switch self {
    case .calendar(let rule): rule.next(after: instant)
    case .once(let slot): slot > instant ? Self.single(slot) : nil
    }
  }

  /// - Returns: the last occurrence strictly before `instant`, or nil if there is none.
  package func previous(before instant: Timestamp) -> Occurrence? {
    switch self {
    case .calendar(let rule): rule.previous(before: instant)
    case .once(let slot): slot < instant ? Self.single(slot) : nil
    }
  }

  /// An occurrence without a zone; its nominal local time is UTC.
  private static func single(_ slot: Timestamp) -> Occurrence {
    Occurrence(instant: slot, nominal: LocalDateTime(secondsAsIfUTC: slot.seconds), event: .plain)
  }
}
