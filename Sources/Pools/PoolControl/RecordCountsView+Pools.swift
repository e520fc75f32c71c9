package import FlowControl

extension RecordCountsView {
  /// True for the records of a pool service.
  package var isOfPools: Bool { horses == nil && others == nil }
}

extension ImportReportView {
  /// Singular and plural noun for the records that the import creates or updates; nil unless they are a pool service's.
  package var poolNoun: (one: String, many: String)? {
    list == nil && before.isOfPools ? ("pool", "pools") : nil
  }
}
