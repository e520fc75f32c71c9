package import PoolModel

/// Which notice tells what is low in stock: at most one does. Source: product.md, Notices.
package enum LowStockCarrier: Sendable {
  /// The reminder of the evening, because no route is told that could carry it.
  case itself
  case morning
  /// The evening before comes first, in time to buy.
  case preview
}

extension TeamSettings {
  package var lowStockCarrier: LowStockCarrier {
    routePreview ? .preview : morningRouteSummary ? .morning : .itself
  }
}
