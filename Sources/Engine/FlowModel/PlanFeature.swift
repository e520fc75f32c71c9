/// A feature that a subscription plan may include. The raw values are the app's.
package enum PlanFeature: String, Hashable, Sendable, CaseIterable {
  case unlimitedRecords = "unlimitedPools"
  case travelOptimization = "routeOptimization"
  case analytics, backupRestore
}

extension Plan {
  /// Whether the plan includes `feature` for a team that has `records` main records; on the free plan, whether one more
  /// fits.
  ///
  /// An expired trial counts as the free plan. Source: product.md, Plans; golden file `gating.json`.
  package func allows(_ feature: PlanFeature, records: Int, at now: Timestamp) -> Bool {
    guard isLimited(at: now) else { return true }
    return feature == .unlimitedRecords && records < Limits.freePlanRecords
  }

  /// Whether an import may create `creating` more main records. A free account above the limit may not even update
  /// records.
  package func allowsImport(records: Int, creating: Int, at now: Timestamp) -> Bool {
    !isLimited(at: now) || records + creating <= Limits.freePlanRecords
  }
}

extension Limits {
  /// Maximum main records of a team on the free plan. Source: product.md, Plans.
  package static let freePlanRecords = 5
}
