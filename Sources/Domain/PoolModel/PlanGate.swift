/// What a plan may open or close. The words are the app's.
package enum PlanFeature: String, Hashable, Sendable, CaseIterable {
  case unlimitedPools, routeOptimization, analytics, backupRestore
}

extension Plan {
  /// Whether the plan holds `feature` for a team that has `pools` pools; of the free plan, whether one more pool fits.
  ///
  /// A trial that has ended is like the free plan. Source: product.md, Plans; golden file `gating.json`.
  package func allows(_ feature: PlanFeature, pools: Int, at now: Timestamp) -> Bool {
    guard isLimited(at: now) else { return true }
    return feature == .unlimitedPools && pools < Limits.freePlanPools
  }

  /// Whether an import may make `creating` pools more. A free account that is above the limit cannot even update.
  package func allowsImport(pools: Int, creating: Int, at now: Timestamp) -> Bool {
    !isLimited(at: now) || pools + creating <= Limits.freePlanPools
  }
}

/// How far a day's route is. Source: product.md, Routes; golden file `gating.json`, `routeCompletion`.
package struct RouteProgress: Hashable, Sendable {
  package let pools: Int
  package let serviced: Int

  package init(pools: Int, serviced: Int) {
    self.pools = pools
    self.serviced = serviced
  }

  package var isComplete: Bool { pools > 0 && serviced >= pools }

  /// A route shorter than three stops is no proof that somebody knows how it works.
  package var countsAsRoute: Bool { isComplete && pools >= 3 }
}
