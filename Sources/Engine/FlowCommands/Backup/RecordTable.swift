internal import FlowCommandKit
internal import FlowControl

/// Counts of a team's records as a table or in a sentence. Counts with their own nouns are shown by these, others by the trade
/// that knows them.
struct RecordTable {
  private let texts: [RecordTexts]

  init(_ catalogue: CommandCatalogue) { texts = catalogue.trades.compactMap(\.texts) }

  private func first<Value>(_ value: (RecordTexts) -> Value?) -> Value? { texts.lazy.compactMap(value).first }

  private func text(_ count: RecordCountView) -> String { TextFormat.count(count.count, count.one, count.many) }

  private func rows(_ counts: RecordCountsView) -> [(name: String, count: Int)] {
    counts.others?.map { ($0.many, $0.count) } ?? first { $0.rows(counts) } ?? []
  }

  /// The number of the main records.
  func main(_ counts: RecordCountsView) -> Int { rows(counts).first?.count ?? 0 }

  /// The counts in a sentence, such as `120 pools, 7,200 visits, 3 photos`.
  func summary(_ counts: RecordCountsView) -> String {
    (counts.others?.map(text) ?? first { $0.summary(counts) } ?? []).joined(separator: ", ")
  }

  private func cells(_ others: [RecordCountView]?) -> RecordTexts.ArchiveCells? {
    guard let main = others?.first else { return nil }
    let events = others?.dropFirst().map(text).joined(separator: ", ") ?? ""
    return RecordTexts.ArchiveCells(records: text(main), events: events.isEmpty ? "-" : events)
  }

  private static let noCells = RecordTexts.ArchiveCells(records: "-", events: "-")

  func cells(of archive: RestoredArchiveView) -> RecordTexts.ArchiveCells {
    cells(archive.others) ?? first { $0.restoreCells(archive) } ?? Self.noCells
  }

  func cells(of archive: BackupArchiveView) -> RecordTexts.ArchiveCells {
    cells(archive.others) ?? first { $0.backupCells(archive) } ?? Self.noCells
  }

  /// The noun for the records that an import creates or updates.
  func noun(of report: ImportReportView) -> (one: String, many: String) {
    report.recordNoun ?? first { $0.importNoun(report) } ?? ("record", "records")
  }

  /// What an import removes or reverts, one part of a sentence for each kind.
  func losses(of report: ImportReportView) -> [String] {
    texts.flatMap { $0.importLosses(report) }
  }

  /// - Parameter lost: counts of the records in `before` that are missing from `after`; nil hides the column.
  func show(
    before: RecordCountsView, after: RecordCountsView, lost: RecordCountsView? = nil, on console: Console
  ) {
    var table = Table(
      [.init("RECORDS"), .init("BEFORE", isNumber: true), .init("AFTER", isNumber: true)]
        + (lost == nil ? [] : [.init("LOST", isNumber: true)]))
    func number(_ name: String, _ rows: [(name: String, count: Int)]) -> Int {
      rows.first { $0.name == name }?.count ?? 0
    }
    let (rowsAfter, rowsLost) = (rows(after), lost.map(rows))
    for row in rows(before) {
      table.add(
        [
          .init(row.name), .init(TextFormat.grouped(row.count)), .init(TextFormat.grouped(number(row.name, rowsAfter))),
        ]
          + (rowsLost.map { [.init(TextFormat.grouped(number(row.name, $0)), number(row.name, $0) > 0 ? .red : nil)] }
            ?? []))
    }
    console.table(table)
  }
}
