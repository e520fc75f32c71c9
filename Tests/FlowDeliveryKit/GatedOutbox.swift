package import FlowModel
package import FlowNotices

/// The outbox of a process that may die at any commit.
package struct GatedOutbox: Outbox {
  private let outbox: any Outbox
  private let gate: CrashGate

  package init(outbox: any Outbox, gate: CrashGate) {
    self.outbox = outbox
    self.gate = gate
  }

  package func dueEntries(sink: String, now: Timestamp, limit: Int) async throws -> [OutboxEntry] {
    try gate.check()
    return try await outbox.dueEntries(sink: sink, now: now, limit: limit)
  }

  package func nextDue(sink: String) async throws -> Timestamp? {
    try gate.check()
    return try await outbox.nextDue(sink: sink)
  }

  package func stagedNoticeIDs(sink: String) async throws -> Set<String> {
    try gate.check()
    return try await outbox.stagedNoticeIDs(sink: sink)
  }

  package func pendingNoticeIDs(sink: String) async throws -> Set<String> {
    try await outbox.pendingNoticeIDs(sink: sink)
  }

  package func markStaged(_ sequences: [Int64], at: Timestamp) async throws {
    try gate.point()
    try await outbox.markStaged(sequences, at: at)
    try gate.point()
  }

  package func markSent(_ sequences: [Int64], at: Timestamp) async throws {
    try gate.point()
    try await outbox.markSent(sequences, at: at)
    try gate.point()
  }

  package func markRefused(_ refusals: [EntryRefusal], at: Timestamp) async throws {
    try gate.point()
    try await outbox.markRefused(refusals, at: at)
    try gate.point()
  }
}
