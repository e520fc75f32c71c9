package import FlowControl

/// How commands show the records of a trade's teams in answers whose members only the trade knows. A trade whose answers have
/// their counts in `others` needs none.
package struct RecordTexts: Sendable {
  /// The cells of an archive in a table.
  package struct ArchiveCells: Sendable {
    /// The number of records, such as `120`, and of their events.
    package let records: String
    package let events: String
    /// The cell for the technician of an archive that names none.
    package let withoutTechnician: String

    package init(records: String, events: String, withoutTechnician: String = "by tag") {
      (self.records, self.events, self.withoutTechnician) = (records, events, withoutTechnician)
    }
  }

  /// The kinds of records in order, with their numbers; nil for counts of another trade.
  package let rows: @Sendable (RecordCountsView) -> [(name: String, count: Int)]?
  /// The parts of a sentence with the counts, such as `7 photos`; nil for counts of another trade.
  package let summary: @Sendable (RecordCountsView) -> [String]?
  /// Nil for an archive of another trade.
  package let backupCells: @Sendable (BackupArchiveView) -> ArchiveCells?
  /// Nil for an archive of another trade.
  package let restoreCells: @Sendable (RestoredArchiveView) -> ArchiveCells?
  /// Singular and plural noun for the records that an import creates or updates; nil for a report of another trade.
  package let importNoun: @Sendable (ImportReportView) -> (one: String, many: String)?
  /// What an import removes or reverts, one part of a sentence for each kind.
  package let importLosses: @Sendable (ImportReportView) -> [String]

  package init(
    rows: @escaping @Sendable (RecordCountsView) -> [(name: String, count: Int)]?,
    summary: @escaping @Sendable (RecordCountsView) -> [String]?,
    backupCells: @escaping @Sendable (BackupArchiveView) -> ArchiveCells?,
    restoreCells: @escaping @Sendable (RestoredArchiveView) -> ArchiveCells?,
    importNoun: @escaping @Sendable (ImportReportView) -> (one: String, many: String)?,
    importLosses: @escaping @Sendable (ImportReportView) -> [String] = { _ in [] }
  ) {
    self.rows = rows
    self.summary = summary
    self.backupCells = backupCells
    self.restoreCells = restoreCells
    self.importNoun = importNoun
    self.importLosses = importLosses
  }
}
