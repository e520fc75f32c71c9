package import FlowModel

/// Lazy sequence of a rule's occurrences, forwards or backwards in time.
package struct OccurrenceSequence: Sequence, IteratorProtocol, Sendable {
  private let rule: CalendarRule
  private var position: Timestamp
  private let isForward: Bool
  private var isFinished = false

  init(rule: CalendarRule, from position: Timestamp, isForward: Bool) {
    self.rule = rule
    self.position = position
    self.isForward = isForward
  }

  package mutating func next() -> Occurrence? {
    guard !isFinished else { return nil }
    guard let found = isForward ? rule.next(after: position) : rule.previous(before: position) else {
      isFinished = true
      return nil
    }
    position = found.instant
    return found
  }
}

extension CalendarRule {
  /// All occurrences strictly after `instant`, oldest first, up to the end of 2199.
  package func occurrences(after instant: Timestamp) -> OccurrenceSequence {
    OccurrenceSequence(rule: self, from: instant, isForward: true)
  }

  /// All occurrences strictly before `instant`, newest first, back to 1970.
  package func occurrences(before instant: Timestamp) -> OccurrenceSequence {
    OccurrenceSequence(rule: self, from: instant, isForward: false)
  }
}
