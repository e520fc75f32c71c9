package import PoolModel

/// What is on its way to sinks, as those who deliver it see it.
///
/// Each `mark…` is one transaction, durable when it returns. All of them are idempotent: the dispatcher repeats a record
/// that failed until it is taken, and before it sends anything else.
package protocol Outbox: Sendable {
  /// Entries of one sink that are pending or staged and whose `nextTryAt` is not after `now`: staged ones first, each
  /// group by sequence.
  func dueEntries(sink: String, now: Timestamp, limit: Int) async throws -> [OutboxEntry]

  /// The earliest `nextTryAt` of the sink's pending and staged entries; nil when there are none.
  func nextDue(sink: String) async throws -> Timestamp?

  /// The notice ids of all entries of the sink in state `staged`, due or not.
  func stagedNoticeIDs(sink: String) async throws -> Set<String>

  /// Of all notices that are on their way to a sink, where others may write to its folder: what lies there of them is theirs. Empty
  /// for a process that is alone with its store.
  func noticeIDsOfOthers(sink: String) async throws -> Set<String>

  func markStaged(_ sequences: [Int64], at: Timestamp) async throws

  /// An entry that was given up while it was under way is sent all the same: the sink has it.
  func markSent(_ sequences: [Int64], at: Timestamp) async throws

  /// Counts an attempt for each and keeps its error. `.tryAgain` leaves the state as it is: a staged entry stays staged.
  func markRefused(_ refusals: [EntryRefusal], at: Timestamp) async throws
}

/// One entry that its sink did not take.
package struct EntryRefusal: Hashable, Sendable {
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

/// The same as those see it who look after the server. With `dryRun` a repair only counts.
package protocol OutboxAdmin: Sendable {
  /// Writes down what the one who runs the server must hear, with an entry for each sink that takes it.
  ///
  /// - Returns: the sinks that are told; none where the settings give nobody the word.
  func tell(_ notice: Notice, routes: [SinkRoute], now: Timestamp) async throws -> [String]

  /// When the server last said this: `OperatorNotice.identifier`.
  func lastTold(_ identifier: String) async throws -> Timestamp?

  /// Tells what is decided by when these were last told, in one step: another daemon of the same store that would tell the same at
  /// this moment finds that it was told.
  ///
  /// - Parameter decide: called once or more often, with an instant for each identifier. It gives back what is to be told, if anything.
  /// - Returns: the sinks that are told, and what was decided beside it.
  func tell<Decided: Sendable>(
    after identifiers: [String], routes: [SinkRoute], now: Timestamp,
    _ decide: @Sendable ([Timestamp?]) -> (notice: Notice?, decided: Decided)
  ) async throws -> (told: [String], decided: Decided)

  /// The entry with this number.
  func entry(_ sequence: Int64) async throws -> OutboxEntry?

  /// How every sink stands that an entry was ever meant for, by name.
  func sinkDepths() async throws -> [SinkDepth]

  /// Newest first.
  func outbox(_ query: OutboxQuery) async throws -> [OutboxEntry]

  /// Ids of notices that begin with `text`, in their order, by the primary key.
  ///
  /// - Parameter pattern: SQLite's, of the whole id; nil for all of them.
  func noticeIDs(beginning text: String, like pattern: String?, limit: Int) async throws -> [String]

  /// Those of every notice of one run, in their order.
  func entries(of job: JobID, slot: Timestamp) async throws -> [OutboxEntry]

  /// How many entries stand in each state.
  func outboxDepth() async throws -> [EntryState: Int]

  /// Gives dead entries a new life: pending, due now, with all their attempts before them. One that has expired would
  /// die at once and is left.
  func reviveDead(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) async throws -> RepairCount

  /// Dead entries whose notices have not expired by now.
  func deadInTime(now: Timestamp) async throws -> [OutboxEntry]

  /// Gives these dead entries a new life.
  ///
  /// - Returns: the sinks that have work again.
  func revive(_ sequences: [Int64], now: Timestamp) async throws -> Set<String>

  /// Makes what waits for its next try due now.
  func hasten(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) async throws -> RepairCount

  /// Lets go what a restore kept back.
  func release(_ selection: EntrySelection, now: Timestamp, dryRun: Bool) async throws -> RepairCount

  /// Gives up what has not begun to arrive. A staged entry is one step from its reader and is left.
  func discard(
    _ selection: EntrySelection, reason: String, now: Timestamp, dryRun: Bool
  ) async throws -> RepairCount

  /// Forgets dead entries; their notices stay.
  func purgeDead(_ selection: EntrySelection, dryRun: Bool) async throws -> RepairCount

  /// Keeps back all that is not delivered: the store is older than what its sinks have seen.
  ///
  /// - Returns: how many entries are held now that were not before.
  func holdUndelivered() async throws -> Int

  /// Writes down a notice for one sink, whatever its route says.
  func tell(_ notice: Notice, only sink: String, now: Timestamp) async throws

  /// When the oldest undelivered notice was made.
  func oldestUndelivered() async throws -> Timestamp?
}
