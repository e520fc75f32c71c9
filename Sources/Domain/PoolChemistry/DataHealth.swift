package import PoolModel

/// Which pools lack something that the product's figures rest on. Pools keep the order in which they were handed in.
///
/// Source: PRODUCT.md, Data health; golden file `data_health.json`.
package struct DataHealth: Hashable, Sendable {
  /// No place on the Earth (`isPlace`): no route can hold them.
  package private(set) var missingCoordinates: [PoolID] = []
  /// A fee of 0 or less.
  package private(set) var missingServiceFee: [PoolID] = []
  /// No visit, or the last one before the limit.
  package private(set) var staleService: [PoolID] = []

  /// A pool unvisited for longer is stale.
  package static let staleDays = 35

  /// - Parameters:
  ///   - pools: each with the instant of its last visit, nil without one.
  ///   - staleBefore: `now` less `staleDays` calendar days at the same local time; a visit at that instant is fresh.
  package init(_ pools: [(pool: Pool, lastVisit: Timestamp?)], staleBefore limit: Timestamp) {
    for (pool, lastVisit) in pools {
      if !pool.hasCoordinates { missingCoordinates.append(pool.id) }
      if pool.monthlyServiceFee <= 0 { missingServiceFee.append(pool.id) }
      if lastVisit.map({ $0 < limit }) ?? true { staleService.append(pool.id) }
    }
  }
}

extension Equipment {
  /// The warranty's last instant lies before `now`. Source: PRODUCT.md, Data health; golden file `equipment.json`.
  package func isWarrantyExpired(at now: Timestamp) -> Bool { warrantyExpiryDate.map { $0 < now } ?? false }

  package func isServiceOverdue(at now: Timestamp) -> Bool { nextServiceDate.map { $0 < now } ?? false }

  /// Its service is due from `now` to `soon`, both inclusive: `now` and `soonDays` calendar days at the same local time.
  package func isServiceDueSoon(at now: Timestamp, until soon: Timestamp) -> Bool {
    nextServiceDate.map { $0 >= now && $0 <= soon } ?? false
  }

  package static let soonDays = 30
}
