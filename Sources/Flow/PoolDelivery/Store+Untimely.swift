package import PoolModel
import PoolNotices
package import PoolStore

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
