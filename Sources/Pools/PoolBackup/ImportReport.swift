import FlowCalendar
package import FlowModel
import PoolDigests
package import PoolInterchange
package import PoolModel
package import PoolStore

/// The result of an import, or of its dry run.
package struct ImportReport: Sendable {
  /// The format of the imported file.
  package enum Kind: Sendable { case archive, csv }
  /// A problem with a row or one of its values.
  package struct Issue: Sendable {
    package let row: Int?
    package let isError: Bool
    package let field: String?
    package let fault: any ImportFault
    /// The beginning of the cell's value; nil if the value is private.
    package var value: String?

    package init(row: Int?, isError: Bool, field: String?, fault: any ImportFault, value: String? = nil) {
      self.row = row
      self.isError = isError
      self.field = field
      self.fault = fault
      self.value = value
    }
  }

  package var kind: Kind
  /// The subject of a list of another trade; nil for all other files.
  package var list: String?
  package var effect: ImportEffect
  package var creates: Int
  package var updates: Int
  package var skips: Int
  package var issues: [Issue]
  package var warnings: [ArchiveWarning]
  package var photos: Int
  /// For a CSV file only.
  package var file: CSVFileReport?

  package init(
    kind: Kind, list: String? = nil, effect: ImportEffect, creates: Int, updates: Int, skips: Int, issues: [Issue],
    warnings: [ArchiveWarning], photos: Int, file: CSVFileReport? = nil
  ) {
    self.kind = kind
    self.list = list
    self.effect = effect
    self.creates = creates
    self.updates = updates
    self.skips = skips
    self.issues = issues
    self.warnings = warnings
    self.photos = photos
    self.file = file
  }
}

/// A kind of problem with a row of a file. Each format has a type of its own.
package protocol ImportFault: Sendable {
  /// The problem as a sentence.
  ///
  /// - Parameter value: the beginning of the cell's value; nil if the value is private.
  func message(field: String, value: String?, to team: Team) -> String
}

extension RowFault: ImportFault {
  package func message(field: String, value: String?, to team: Team) -> String {
    Localizer(team).words(of: self, field: value.map { "\(field) '\(visible($0))'" } ?? field)
  }
}

/// The facts about a CSV file apart from its rows.
package struct CSVFileReport: Sendable {
  /// A column of the file.
  package struct Column: Sendable {
    /// The heading as written in the file.
    package let heading: String
    /// The field that the column is imported into; nil for an unused column.
    package let meaning: String?

    package init(heading: String, meaning: String?) {
      self.heading = heading
      self.meaning = meaning
    }
  }

  package let columns: [Column]
  package let warnings: [CSVWarning]
  /// The number of rows with customers that are no longer served; nil for any other list.
  package var inactive: Int?
  /// The first rows of a customers file; nil for any other list.
  package var preview: [CSVPreviewRow]?

  package init(
    columns: [Column], warnings: [CSVWarning], inactive: Int? = nil, preview: [CSVPreviewRow]? = nil
  ) {
    self.columns = columns
    self.warnings = warnings
    self.inactive = inactive
    self.preview = preview
  }
}

extension RecordSet {
  /// The warning about visits dated later than `now`; empty if there are none.
  func futureVisits(of now: Timestamp) -> [ArchiveWarning] {
    let ahead = serviceEvents.filter { $0.timestamp > now }.map(\.timestamp)
    guard let last = ahead.max() else { return [] }
    return [.futureVisits(ahead.count, last: Zone.utc.local(at: last).date)]
  }
}
