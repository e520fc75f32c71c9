package import PoolModel
package import PoolNotices

/// What the dispatcher needs of the store: read what is due, and record what became of it.
///
/// Each `mark…` is one transaction, durable when it returns. All of them are idempotent: the dispatcher repeats a record
/// that failed until it is taken, and before it sends anything else.
package protocol OutboxStore: Sendable {
  /// Entries of one sink that are pending or staged and whose `nextTryAt` is not after `now`: staged ones first, each
  /// group by sequence.
  func dueEntries(sink: String, now: Timestamp, limit: Int) async throws -> [OutboxEntry]

  /// The earliest `nextTryAt` of the sink's pending and staged entries; nil when there are none.
  func nextDue(sink: String) async throws -> Timestamp?

  /// The notice ids of all entries of the sink in state `staged`, due or not.
  func stagedNoticeIDs(sink: String) async throws -> Set<String>

  func markStaged(_ sequences: [Int64], at: Timestamp) async throws

  func markSent(_ sequences: [Int64], at: Timestamp) async throws

  /// Counts an attempt for each and keeps its error. `.tryAgain` leaves the state as it is: a staged entry stays staged.
  func markRefused(_ refusals: [Refusal], at: Timestamp) async throws
}

/// One entry that its sink did not take.
package struct Refusal: Hashable, Sendable {
  package enum Next: Hashable, Sendable {
    case tryAgain(at: Timestamp)
    case dead
  }

  package let sequence: Int64
  /// One sentence for the operator.
  package let error: String
  package let next: Next

  package init(sequence: Int64, error: String, next: Next) {
    self.sequence = sequence
    self.error = error
    self.next = next
  }
}
