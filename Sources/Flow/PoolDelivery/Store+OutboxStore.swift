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

extension Store {
  /// Lets go again what died because a wrong clock called it expired, while it has not expired by the clock of now.
  ///
  /// - Returns: how many entries are on their way again.
  package func reviveUntimely(now: Timestamp) throws -> Int {
    let untimely = try deadInTime(now: now).filter { entry in
      guard let expiry = entry.notice.expiresAt else { return false }
      return entry.lastError == DeliveryError.expired(notice: entry.notice.id, at: expiry).description
    }
    if !untimely.isEmpty { _ = try revive(untimely.map(\.sequence), now: now) }
    return untimely.count
  }
}
