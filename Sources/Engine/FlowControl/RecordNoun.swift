extension ImportReportView {
  /// Singular and plural noun for the records that the import creates or updates; nil unless the report's counts have the nouns.
  package var recordNoun: (one: String, many: String)? { before.others?.first.map { ($0.one, $0.many) } }
}
