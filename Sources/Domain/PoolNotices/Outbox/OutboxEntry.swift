package import PoolModel

/// Where an entry stands on its way to its sink.
package enum EntryState: String, Sendable, CaseIterable {
  /// Nothing has been done that a sink could see.
  case pending
  /// The sink holds everything but the last, indivisible step; the store knows it does.
  case staged
  /// The sink has it.
  case sent
  /// Given up after the last attempt; an operator may retry it.
  case dead
  /// Kept back after a restore until an operator releases it.
  case held
}

/// A notice on its way to one sink.
package struct OutboxEntry: Hashable, Sendable {
  /// Rises with every entry of a store: the order of delivery within a sink.
  package let sequence: Int64
  package let sink: String
  package let notice: Notice
  package var state: EntryState
  /// Tries that ended in a refusal.
  package var attempts: Int
  package var nextTryAt: Timestamp
  package var lastError: String?
  package var sentAt: Timestamp?
  /// Why its notice cannot be read, in a sentence; `notice` then says no more than whose it was, and is brought to nobody.
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
