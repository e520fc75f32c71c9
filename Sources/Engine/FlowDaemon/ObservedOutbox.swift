import FlowControl
import FlowModel
import FlowNodes
import FlowNotices
import FlowStore
import Synchronization

/// The store's outbox, which also publishes the outcome of each entry on the event bus.
final class ObservedOutbox: Outbox {
  private let store: any Outbox
  private let events: EventBus
  /// Entries that were fetched and not yet marked, by sequence: at most one batch of each lane.
  private let fetched = Mutex<[Int64: DeliveredEntry]>([:])

  init(store: any Outbox, events: EventBus) {
    self.store = store
    self.events = events
  }

  func dueEntries(sink: String, now: Timestamp, limit: Int) async throws -> [OutboxEntry] {
    let entries = try await store.dueEntries(sink: sink, now: now, limit: limit)
    fetched.withLock { fetched in
      for (sequence, entry) in fetched where entry.sink == sink { fetched[sequence] = nil }
      for entry in entries { fetched[entry.sequence] = DeliveredEntry(entry) }
    }
    return entries
  }

  func nextDue(sink: String) async throws -> Timestamp? { try await store.nextDue(sink: sink) }

  func pendingNoticeIDs(sink: String) async throws -> Set<String> { try await store.pendingNoticeIDs(sink: sink) }

  func stagedNoticeIDs(sink: String) async throws -> Set<String> { try await store.stagedNoticeIDs(sink: sink) }

  func markStaged(_ sequences: [Int64], at now: Timestamp) async throws {
    try await store.markStaged(sequences, at: now)
  }

  func markSent(_ sequences: [Int64], at now: Timestamp) async throws {
    try await store.markSent(sequences, at: now)
    for sequence in sequences { publishOutcome(sequence, state: .sent, detail: "", at: now) }
  }

  func markRefused(_ refusals: [EntryRefusal], at now: Timestamp) async throws {
    try await store.markRefused(refusals, at: now)
    for refusal in refusals {
      switch refusal.next {
      case .dead: publishOutcome(refusal.sequence, state: .dead, detail: refusal.error, at: now)
      case .tryAgain(let at):
        publishOutcome(refusal.sequence, state: .refused, detail: "\(refusal.error), trying again at \(at)", at: now)
      }
    }
  }

  private func publishOutcome(_ sequence: Int64, state: EventStateView, detail: String, at now: Timestamp) {
    guard let entry = fetched.withLock({ $0.removeValue(forKey: sequence) }) else { return }
    events.publish(.delivered(entry, state: state, detail: detail), at: now)
  }
}
