package import PoolModel
package import PoolNotices

extension OutboxAdmin {
  /// Revives dead entries that a wrong clock expired too early and that are not expired at `now`.
  ///
  /// - Returns: the number of revived entries.
  package func reviveUntimely(now: Timestamp) async throws -> Int {
    let untimely = try await deadInTime(now: now).filter { entry in
      guard let expiry = entry.notice.expiresAt else { return false }
      return entry.lastError == DeliveryError.expired(notice: entry.notice.id, at: expiry).description
    }
    if !untimely.isEmpty { _ = try await revive(untimely.map(\.sequence), now: now) }
    return untimely.count
  }
}
