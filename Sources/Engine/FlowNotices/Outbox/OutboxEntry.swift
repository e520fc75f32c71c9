package import FlowModel

/// The delivery state of an entry.
package enum EntryState: String, Sendable, CaseIterable {
  /// Delivery has not begun; the sink shows no trace of the entry.
  case pending
  /// The sink has the entry except for the final atomic step (the rename); the store has recorded this.
  case staged
  /// The sink has the entry.
  case sent
  /// Dead-lettered after the last attempt; an operator may retry it.
  case dead
  /// On hold after a restore until an operator releases it.
  case held
}

/// A notice on its way to one sink.
package struct OutboxEntry: Hashable, Sendable {
  /// Increases with every entry of a store and gives the delivery order within a sink.
  package let sequence: Int64
  package let sink: String
  package let notice: Notice
  package var state: EntryState
  /// The number of refused attempts.
  package var attempts: Int
  package var nextTryAt: Timestamp
  package var lastError: String?
  package var sentAt: Timestamp?
  /// The reason why the stored notice cannot be read, in a sentence; nil if it can. A damaged notice contains only its team
  /// and job, and is not delivered.
  package let damage: String?

  package init(
    sequence: Int64, sink: String, notice: Notice, state: EntryState, attempts: Int, nextTryAt: Timestamp,
    lastError: String?, sentAt: Timestamp?, damage: String? = nil
  ) {
    self.sequence = sequence
    self.sink = sink
    self.notice = notice
    self.state = state
    self.attempts = attempts
    self.nextTryAt = nextTryAt
    self.lastError = lastError
    self.sentAt = sentAt
    self.damage = damage
  }
}
