package import PoolModel

/// When a job is due: by a rule, or once.
package enum Schedule: Hashable, Sendable {
  case calendar(CalendarRule)
  case once(Timestamp)

  /// The first occurrence strictly after `instant`.
  package func next(after instant: Timestamp) -> Occurrence? {
    switch self {
    case .calendar(let rule): rule.next(after: instant)
    case .once(let slot): slot > instant ? Self.single(slot) : nil
    }
  }

  /// The last occurrence strictly before `instant`.
  package func previous(before instant: Timestamp) -> Occurrence? {
    switch self {
    case .calendar(let rule): rule.previous(before: instant)
    case .once(let slot): slot < instant ? Self.single(slot) : nil
    }
  }

  /// An instant that no zone has named: its clock time is that of UTC.
  private static func single(_ slot: Timestamp) -> Occurrence {
    Occurrence(instant: slot, nominal: LocalDateTime(secondsAsIfUTC: slot.seconds), event: .plain)
  }
}
