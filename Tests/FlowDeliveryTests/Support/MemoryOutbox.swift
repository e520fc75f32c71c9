import FlowDelivery
import FlowModel
import FlowNotices
import FlowStore

struct StoreDown: Error, CustomStringConvertible {
  let description = "disk I/O error (SQLite 10)"
}

/// An outbox in memory that survives the simulated processes of a test; each `mark…` is one commit, which a `CrashGate` may
/// stop just before or just after it takes effect.
actor MemoryOutbox: Outbox {
  private(set) var entries: [Int64: OutboxEntry]
  private(set) var reads = 0
  private(set) var limits: Set<Int> = []
  /// The number of coming commits that fail.
  var failures = 0

  private var watchers: [(isMet: @Sendable ([OutboxEntry]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
    []

  init(_ entries: [OutboxEntry] = []) {
    self.entries = Dictionary(uniqueKeysWithValues: entries.map { ($0.sequence, $0) })
  }

  var all: [OutboxEntry] { entries.values.sorted { $0.sequence < $1.sequence } }
  var states: [EntryState] { all.map(\.state) }

  func insert(_ new: [OutboxEntry]) {
    for entry in new { entries[entry.sequence] = entry }
  }

  func failCommits(_ count: Int) {
    failures = count
  }

  /// Returns as soon as the entries satisfy `isMet`.
  func reaches(_ isMet: @escaping @Sendable ([OutboxEntry]) -> Bool) async {
    if isMet(all) { return }
    await withCheckedContinuation { watchers.append((isMet, $0)) }
  }

  func dueEntries(sink: String, now: Timestamp, limit: Int) throws -> [OutboxEntry] {
    reads += 1
    limits.insert(limit)
    let due = all.filter {
      $0.sink == sink && ($0.state == .pending || $0.state == .staged) && $0.nextTryAt <= now
    }
    return Array((due.filter { $0.state == .staged } + due.filter { $0.state == .pending }).prefix(limit))
  }

  func nextDue(sink: String) throws -> Timestamp? {
    all.filter { $0.sink == sink && ($0.state == .pending || $0.state == .staged) }.map(\.nextTryAt).min()
  }

  func pendingNoticeIDs(sink: String) -> Set<String> { [] }

  func stagedNoticeIDs(sink: String) throws -> Set<String> {
    Set(all.filter { $0.sink == sink && $0.state == .staged }.map(\.notice.id))
  }

  func markStaged(_ sequences: [Int64], at: Timestamp) throws {
    try commit { for sequence in sequences { entries[sequence]?.state = .staged } }
  }

  func markSent(_ sequences: [Int64], at: Timestamp) throws {
    try commit {
      for sequence in sequences {
        entries[sequence]?.state = .sent
        entries[sequence]?.sentAt = at
      }
    }
  }

  func markRefused(_ refusals: [EntryRefusal], at: Timestamp) throws {
    try commit {
      for refusal in refusals {
        entries[refusal.sequence]?.attempts += 1
        entries[refusal.sequence]?.lastError = refusal.error
        switch refusal.next {
        case .tryAgain(let at): entries[refusal.sequence]?.nextTryAt = at
        case .dead: entries[refusal.sequence]?.state = .dead
        }
      }
    }
  }

  private func commit(_ change: () -> Void) throws {
    if failures > 0 {
      failures -= 1
      throw StoreDown()
    }
    change()
    for watcher in watchers where watcher.isMet(all) { watcher.continuation.resume() }
    watchers.removeAll { $0.isMet(all) }
  }
}
