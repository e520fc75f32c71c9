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
