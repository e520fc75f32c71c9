package import FlowModel

/// The notice that lists low stock; at most one does. Source: product.md, Notices.
package enum LowStockNotice: Sendable {
  /// The separate evening reminder, because the team gets no route notice.
  case itself
  /// The morning route notice.
  case morning
  /// The preview, which is sent the evening before, in time to buy.
  case preview
}

extension TeamSettings {
  package var lowStockNotice: LowStockNotice {
    eveningPreview ? .preview : morningNotice ? .morning : .itself
  }
}
