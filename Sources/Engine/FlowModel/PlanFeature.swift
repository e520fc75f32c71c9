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

  /// The main records that an import may create for a team that has `records` of them; nil without a limit. Below 0, a free
  /// account is above the limit and may not even update records.
  package func recordsLeft(records: Int, at now: Timestamp) -> Int? {
    isLimited(at: now) ? Limits.freePlanRecords - records : nil
  }
}

extension Limits {
  /// Maximum main records of a team on the free plan. Source: product.md, Plans.
  package static let freePlanRecords = 5
}
