package import PoolModel
import PoolNotices
package import PoolStore

/// The outbox that the dispatcher empties is the store's.
extension Store: OutboxStore {
  package func stagedNoticeIDs(sink: String) async throws -> Set<String> {
    try noticeIDs(sink: sink, state: .staged)
  }

  package func markRefused(_ refusals: [Refusal], at now: Timestamp) async throws {
    try markRefused(
      refusals.map { refusal in
        let next: Timestamp? = if case .tryAgain(let at) = refusal.next { at } else { nil }
        return EntryRefusal(sequence: refusal.sequence, error: refusal.error, nextTryAt: next)
      }, at: now)
  }
}
