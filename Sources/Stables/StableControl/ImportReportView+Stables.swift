package import FlowControl

extension ImportReportView {
  /// Singular and plural noun for the records that the import creates or updates; nil unless they are a stable's.
  package var stableNoun: (one: String, many: String)? {
    switch list {
    case .horses: ("horse", "horses")
    case .feed: ("feed schedule", "feed schedules")
    case .care: ("piece of care", "pieces of care")
    case nil: before.horses == nil ? nil : ("horse", "horses")
    }
  }
}
