/// A feature that a subscription plan may include. The raw values are the app's.
package enum PlanFeature: String, Hashable, Sendable, CaseIterable {
  case unlimitedPools, routeOptimization, analytics, backupRestore
}

extension Plan {
  /// Whether the plan includes `feature` for a team that has `pools` pools; on the free plan, whether one more pool fits.
  ///
  /// An expired trial counts as the free plan. Source: product.md, Plans; golden file `gating.json`.
  package func allows(_ feature: PlanFeature, pools: Int, at now: Timestamp) -> Bool {
    guard isLimited(at: now) else { return true }
    return feature == .unlimitedPools && pools < Limits.freePlanPools
  }

  /// Whether an import may create `creating` more pools. A free account above the limit may not even update pools.
  package func allowsImport(pools: Int, creating: Int, at now: Timestamp) -> Bool {
    !isLimited(at: now) || pools + creating <= Limits.freePlanPools
  }
}

extension Limits {
  /// Maximum pools on the free plan. Source: product.md, Plans.
  package static let freePlanPools = 5
}
