extension ImportReportView {
  /// What one of the records is called that an import creates or updates, and many.
  package var recordWords: (one: String, many: String) {
    switch list {
    case .horses: ("horse", "horses")
    case .feed: ("feed schedule", "feed schedules")
    case .care: ("piece of care", "pieces of care")
    case nil: before.horses == nil ? ("pool", "pools") : ("horse", "horses")
    }
  }
}
