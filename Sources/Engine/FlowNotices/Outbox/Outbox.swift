package import FlowModel

/// The outbox as the delivery lanes use it.
///
/// Each `mark…` is one transaction and durable when it returns. All of them are idempotent: the dispatcher repeats a failed
/// call until it succeeds, before it delivers anything else.
package protocol Outbox: Sendable {
  /// Pending and staged entries of one sink with `nextTryAt` at or before `now`: staged entries first, each group by
  /// sequence.
  func dueEntries(sink: String, now: Timestamp, limit: Int) async throws -> [OutboxEntry]

  /// The earliest `nextTryAt` of the sink's pending and staged entries; nil without such entries.
  func nextDue(sink: String) async throws -> Timestamp?

  /// The notice ids of all staged entries of the sink, due or not.
  func stagedNoticeIDs(sink: String) async throws -> Set<String>

  /// The notice ids of all pending and staged entries of the sink, for a sink whose folder several nodes write to: files of
  /// these notices may belong to another node. Empty if this process is the only user of the store.
  func pendingNoticeIDs(sink: String) async throws -> Set<String>

  /// Records that the sink has these entries except for the final atomic step.
  func markStaged(_ sequences: [Int64], at: Timestamp) async throws

  /// Marks entries as sent, including entries that were dead-lettered during the delivery: the sink has them.
  func markSent(_ sequences: [Int64], at: Timestamp) async throws

  /// Counts a failed attempt for each entry and stores its error. `.tryAgain` does not change the state: a staged entry stays
  /// staged.
  func markRefused(_ refusals: [EntryRefusal], at: Timestamp) async throws
}

/// A failed attempt to deliver one entry.
package struct EntryRefusal: Hashable, Sendable {
  /// Whether the entry is retried or dead-lettered.
  package enum Next: Hashable, Sendable {
    case tryAgain(at: Timestamp)
    case dead
  }

  package let sequence: Int64
  /// The reason, as one sentence for the operator.
  package let error: String
  package let next: Next

  package init(sequence: Int64, error: String, next: Next) {
    self.sequence = sequence
    self.error = error
    self.next = next
  }
}

/// The outbox as the operator's commands use it. With `dryRun`, a repair only counts.
package protocol OutboxAdmin: Sendable {
  /// Stores a notice to the operator with an entry for each sink that accepts it.
  ///
  /// - Returns: the sinks that accept the notice; empty, with nothing stored, if no route accepts it.
  func notify(_ notice: Notice, routes: [SinkRoute], now: Timestamp) async throws -> [String]

  /// The creation time of the latest notice with this `OperatorNotice.identifier`; nil if there is none.
  func lastNoticeTime(_ identifier: String) async throws -> Timestamp?

  /// Decides about a notice and stores it in one transaction, so that two daemons of one store do not both send it.
  ///
  /// - Parameters:
  ///   - identifiers: the notices whose last creation times the decision needs.
  ///   - decide: receives a time for each identifier, nil where none was sent; may be called more than once. Returns the
  ///     notice to send, if any, and a result for the caller.
  /// - Returns: the sinks that accept the notice, and the result of `decide`.
  func notify<Decided: Sendable>(
    after identifiers: [String], routes: [SinkRoute], now: Timestamp,
    _ decide: @Sendable ([Timestamp?]) -> (notice: Notice?, decided: Decided)
  ) async throws -> (told: [String], decided: Decided)

  /// The entry with this sequence number; nil if there is none.
  func entry(_ sequence: Int64) async throws -> OutboxEntry?

  /// The entry counts and ages of every sink that has entries, sorted by name.
  func sinkDepths() async throws -> [SinkDepth]

  /// The matching entries, newest first.
  func outbox(_ query: OutboxQuery) async throws -> [OutboxEntry]

  /// Ids of notices with the prefix `text`, sorted; uses the primary key.
  ///
  /// - Parameter pattern: a SQLite `GLOB` pattern for the whole id; nil for all ids.
  func noticeIDs(beginning text: String, like pattern: String?, limit: Int) async throws -> [String]

  /// The entries of every notice of one run, by sequence.
  func entries(of job: JobID, slot: Timestamp) async throws -> [OutboxEntry]

  /// The number of entries by state, over all sinks.
  func outboxDepth() async throws -> [EntryState: Int]

  /// Makes dead entries pending again: due now, with their attempts reset. Expired entries are skipped, because they would
  /// fail again at once.
  func reviveDead(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) async throws -> RepairCount

  /// Dead entries whose notices have an expiry that is after `now`.
  func unexpiredDead(now: Timestamp) async throws -> [OutboxEntry]

  /// Makes these dead entries pending again, due now, with their attempts reset.
  ///
  /// - Returns: the sinks that have entries to deliver again.
  func revive(_ sequences: [Int64], now: Timestamp) async throws -> Set<String>

  /// Makes waiting entries due now.
  func retryNow(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) async throws -> RepairCount

  /// Makes entries pending that a restore had put on hold.
  func release(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) async throws -> RepairCount

  /// Dead-letters pending and held entries. Staged entries are skipped, because they may arrive at any moment.
  func discard(
    _ selection: EntrySelection, reason: String, now: Timestamp, dryRun: Bool
  ) async throws -> RepairCount

  /// Deletes dead entries; their notices are kept.
  func purgeDead(_ selection: EntrySelection, dryRun: Bool) async throws -> RepairCount

  /// Puts all undelivered entries on hold, because the restored store is older than what its sinks have received.
  ///
  /// - Returns: the number of entries put on hold.
  func holdUndelivered() async throws -> Int

  /// Stores a notice for one sink, regardless of the sink's filter.
  func notify(_ notice: Notice, only sink: String, now: Timestamp) async throws

  /// The creation time of the oldest undelivered notice; nil if there is none.
  func oldestUndelivered() async throws -> Timestamp?
}
