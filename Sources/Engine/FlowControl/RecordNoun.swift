extension ImportReportView {
  /// Singular and plural noun for the records that the import creates or updates.
  package var recordNoun: (one: String, many: String) {
    switch list {
    case .horses: ("horse", "horses")
    case .feed: ("feed schedule", "feed schedules")
    case .care: ("piece of care", "pieces of care")
    case nil:
      if let main = before.others?.first {
        (main.one, main.many)
      } else {
        before.horses == nil ? ("pool", "pools") : ("horse", "horses")
      }
    }
  }
}
