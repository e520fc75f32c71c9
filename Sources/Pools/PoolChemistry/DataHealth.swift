package import FlowModel
package import PoolModel

/// Pools with missing or outdated data, in the order given.
///
/// Source: product.md, Data health; golden file `data_health.json`.
package struct DataHealth: Hashable, Sendable {
  /// Pools without valid coordinates (`isValidLocation`), which cannot be routed.
  package private(set) var missingCoordinates: [PoolID] = []
  /// Pools whose monthly fee is 0 or less.
  package private(set) var missingServiceFee: [PoolID] = []
  /// Pools without a visit, or with the last visit before the limit, that were to be served since.
  package private(set) var staleService: [PoolID] = []

  /// Days without a visit after which a pool is stale.
  package static let staleDays = 35

  /// - Parameters:
  ///   - pools: each pool with the instant of its last visit; nil if it has none.
  ///   - staleBefore: the limit, `staleDays` calendar days before now at the same local time; a visit at that instant is not
  ///     stale.
  ///   - wasDue: false for a pool that was not to be served since the limit, and so needs no visit.
  package init(
    _ pools: [(pool: Pool, lastVisit: Timestamp?)], staleBefore limit: Timestamp,
    wasDue: (PoolID) -> Bool = { _ in true }
  ) {
    for (pool, lastVisit) in pools {
      if !pool.hasCoordinates { missingCoordinates.append(pool.id) }
      if pool.monthlyServiceFee <= 0 { missingServiceFee.append(pool.id) }
      if lastVisit.map({ $0 < limit }) ?? true, wasDue(pool.id) { staleService.append(pool.id) }
    }
  }
}

extension Equipment {
  /// True if the warranty ended before `now`. Source: product.md, Data health; golden file `equipment.json`.
  package func isWarrantyExpired(at now: Timestamp) -> Bool { warrantyExpiryDate.map { $0 < now } ?? false }

  package func isServiceOverdue(at now: Timestamp) -> Bool { nextServiceDate.map { $0 < now } ?? false }

  /// True if the next service is due from `now` to `soon`, both inclusive; `soon` is `soonDays` calendar days after `now` at
  /// the same local time.
  package func isServiceDueSoon(at now: Timestamp, until soon: Timestamp) -> Bool {
    nextServiceDate.map { $0 >= now && $0 <= soon } ?? false
  }

  package static let soonDays = 30
}
