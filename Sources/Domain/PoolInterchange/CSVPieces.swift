import PoolModel

/// Cuts the records after the header into cells, in two pieces at the same time.
///
/// The second piece begins at a line near the middle, before anybody knows whether a record begins there. The first piece
/// finds out: where one of its records goes on beyond that line, it stands in quotes, and the second piece is forgotten.
struct CSVPieces {
  let locale: Language
  let layout: CSVLayout

  private struct Cut: Sendable {
    var records: CSVRecords
    var cells: [CSVCell] = []
    var overfull: Set<Int> = []
  }

  /// - Parameter records: whose header has been read.
  /// - Throws: `rowLimitExceeded`, `unterminatedQuote`, whichever a reader from top to bottom comes upon first.
  func cut(_ records: CSVRecords, delimiter: CSVDelimiter) throws(CSVError) -> [CSVPiece] {
    if let middle = records.middle {
      var upper = records
      upper.end = middle
      let cuts = together(
        { [upper] in try? cut(upper) },
        { try? cut(CSVRecords(records.bytesForAnotherThread, delimiter: delimiter, from: middle)) })
      if let first = cuts.0, let second = cuts.1, first.records.index == middle,
        first.records.count + second.records.count <= records.count + Limits.csvRows
      {
        let head = piece(first, rowsBefore: 0)
        return [head, piece(second, rowsBefore: head.rowCount)]
      }
    }
    return [piece(try cut(records), rowsBefore: 0)]
  }

  private func cut(_ records: CSVRecords) throws(CSVError) -> Cut {
    var cut = Cut(records: records)
    // Each cell has a byte of its own, if only the comma after it.
    let width = layout.meanings.count
    cut.cells.reserveCapacity(min(records.end - records.index, Limits.csvRows * width))
    var rows = 0
    while let count = try cut.records.next(keeping: width, in: &cut.cells) {
      guard rows < Limits.csvRows else { throw .rowLimitExceeded(Limits.csvRows) }
      if count > width, cut.records.filledCells > width { cut.overfull.insert(rows) }
      rows += 1
      for _ in min(count, width)..<width { cut.cells.append(.empty) }
    }
    return cut
  }

  private func piece(_ cut: Cut, rowsBefore: Int) -> CSVPiece {
    CSVPiece(
      locale: locale, layout: layout, records: cut.records, cells: cut.cells, overfull: cut.overfull,
      rowsBefore: rowsBefore)
  }
}
