import FlowModel

/// Cuts the records after the header into cells, in two pieces, which may be cut in parallel.
///
/// The second piece begins at a line near the middle, which may be inside a quoted cell. If the first piece has a
/// record that crosses that line, the second piece is discarded and the whole file is cut at once.
struct CSVPieces {
  let locale: Language
  let layout: CSVLayout

  /// The result of cutting one piece.
  private struct Cut: Sendable {
    var records: CSVRecords
    var cells: [CSVCell] = []
    var overfull: Set<Int> = []
  }

  /// Cuts all records into rows.
  ///
  /// - Parameter records: a reader positioned after the header.
  /// - Throws: `rowLimitExceeded` or `unterminatedQuote`, the first that a sequential reader would meet.
  func cut(
    _ records: CSVRecords, delimiter: CSVDelimiter, parallel: some ParallelRunner
  ) throws(CSVError) -> [CSVPiece] {
    if let middle = records.middle {
      var upper = records
      upper.end = middle
      let cuts = parallel.run(
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
    // Upper bound: each cell takes at least one byte of the file, the delimiter after it.
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
