import FlowModel
package import PoolInterchange

/// A stable's CSV file, decoded and cut into cells.
package struct StableTable: Sendable {
  package let kind: StableFileKind
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  /// The headings as written in the first row.
  package let headings: [String]
  /// The meaning of each column; nil for an unused column.
  package let columns: [StableColumn?]
  /// The cells of the records after the header, without blank records.
  let rows: [[String]]

  package var rowCount: Int { rows.count }

  /// Decodes a file and cuts it into cells.
  ///
  /// - Throws: an error that refuses the whole file, checked in this order: too large, unreadable text, missing
  ///   columns, an unterminated quote or too many rows. An invalid row is reported as an issue of the plan instead.
  package static func read(_ bytes: [UInt8]) throws(StableFileError) -> StableTable {
    guard bytes.count <= Limits.csvBytes else {
      throw .file(.tooLarge(bytes: bytes.count, limit: Limits.csvBytes))
    }
    guard let (text, encoding) = CSVText.decode(bytes) else { throw .file(.unreadableTextFile) }
    let (header, rest) = CSVHeader.read(text, sense: sense)
    var records = rest
    guard header.cellCount <= Limits.csvColumns else {
      throw .file(.tooManyColumns(header.cellCount, limit: Limits.csvColumns))
    }
    let columns = StableColumn.meanings(of: header.texts)
    let kind = StableColumn.kind(of: columns)
    let missing = StableColumn.required(kind).filter { !columns.contains($0) }
    guard missing.isEmpty else { throw .missingRequiredColumns(missing) }
    var rows: [[String]] = []
    do throws(CSVError) {
      while let row = try records.nextTexts(keeping: columns.count) {
        guard rows.count < Limits.csvRows else { throw .rowLimitExceeded(Limits.csvRows) }
        rows.append(row.texts)
      }
    } catch { throw .file(error) }
    return StableTable(
      kind: kind, encoding: encoding, delimiter: header.delimiter, headings: header.texts, columns: columns, rows: rows)
  }

  /// The headings of a file as written; empty if the bytes are not text.
  package static func headings(of bytes: [UInt8]) -> [String] { CSVHeader.headings(of: bytes, sense: sense) }

  private static func sense(of texts: [String]) -> CSVHeader.Sense {
    let columns = StableColumn.meanings(of: texts)
    let all = StableColumn.required(StableColumn.kind(of: columns))
    let required = all.count { columns.contains($0) }
    return CSVHeader.Sense(
      required: required, missing: all.count - required, others: columns.count { $0 != nil } - required)
  }

  /// The text of a cell, without control characters and without the apostrophe that poolflow's export puts before a
  /// formula; nil if the file does not have the column.
  func cell(_ row: Int, _ column: StableColumn) -> (text: String, hadControls: Bool)? {
    guard let columnIndex = columns.firstIndex(of: column) else { return nil }
    guard columnIndex < rows[row].count else { return ("", false) }
    let text = CSVExport.unguarded(rows[row][columnIndex])
    return (withoutControls(text), hasControls(text))
  }
}

/// The reason why a stable's file is refused as a whole.
package enum StableFileError: Error, Hashable, Sendable {
  case missingRequiredColumns([StableColumn])
  case file(CSVError)
}

extension StableFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingRequiredColumns(let columns):
      "the first row names no column \(columns.map { "'\($0.rawValue)'" }.joined(separator: " and no column "))"
    case .file(let error): error.description
    }
  }
}
