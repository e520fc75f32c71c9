package import FlowModel
package import FlowNotices

extension OutboxAdmin {
  /// Revives dead entries that a wrong clock expired too early and that are not expired at `now`.
  ///
  /// - Returns: the number of revived entries.
  package func reviveExpiredByWrongClock(now: Timestamp) async throws -> Int {
    let expiredEntries = try await unexpiredDead(now: now).filter { entry in
      guard let expiry = entry.notice.expiresAt else { return false }
      return entry.lastError == DeliveryError.expired(notice: entry.notice.id, at: expiry).description
    }
    if !expiredEntries.isEmpty { _ = try await revive(expiredEntries.map(\.sequence), now: now) }
    return expiredEntries.count
  }
}
