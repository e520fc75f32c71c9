package import FlowModel

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

/// The progress of a day's route. Source: product.md, Routes; golden file `gating.json`, `routeCompletion`.
package struct RouteProgress: Hashable, Sendable {
  package let pools: Int
  package let serviced: Int

  package init(pools: Int, serviced: Int) {
    self.pools = pools
    self.serviced = serviced
  }

  package var isComplete: Bool { pools > 0 && serviced >= pools }

  /// Whether the route is long enough to count; completing fewer than three stops does not prove that the user knows the
  /// feature.
  package var countsAsRoute: Bool { isComplete && pools >= 3 }
}
