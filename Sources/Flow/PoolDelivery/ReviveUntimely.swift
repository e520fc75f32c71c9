package import PoolModel
package import PoolNotices

extension OutboxAdmin {
  /// Lets go again what died because a wrong clock called it expired, while it has not expired by the clock of now.
  ///
  /// - Returns: how many entries are on their way again.
  package func reviveUntimely(now: Timestamp) async throws -> Int {
    let untimely = try await deadInTime(now: now).filter { entry in
      guard let expiry = entry.notice.expiresAt else { return false }
      return entry.lastError == DeliveryError.expired(notice: entry.notice.id, at: expiry).description
    }
    if !untimely.isEmpty { _ = try await revive(untimely.map(\.sequence), now: now) }
    return untimely.count
  }
}
