package import PoolInterchange
import PoolModel

/// A stable's CSV file, decoded and cut into cells.
package struct StableTable: Sendable {
  package let kind: StableFileKind
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  /// As the first row has them.
  package let headings: [String]
  /// Which meaning each column has; nil for one that the import does not use.
  package let columns: [StableColumn?]
  /// The records after the header; blank ones are left out.
  let rows: [[String]]

  package var rowCount: Int { rows.count }

  /// - Throws: what refuses the whole file, in this order: too large, unreadable text, missing columns, an open quote or too
  ///   many rows. A bad row alone is an issue of the plan.
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

  /// The headings of a file, as they are written; none where it is no text.
  package static func headings(of bytes: [UInt8]) -> [String] { CSVHeader.headings(of: bytes, sense: sense) }

  private static func sense(of texts: [String]) -> CSVHeader.Sense {
    let columns = StableColumn.meanings(of: texts)
    let all = StableColumn.required(StableColumn.kind(of: columns))
    let required = all.count { columns.contains($0) }
    return CSVHeader.Sense(
      required: required, missing: all.count - required, others: columns.count { $0 != nil } - required)
  }

  /// The cell under a column, without control characters and without the apostrophe that our export sets before a formula;
  /// nil where the file has no such column.
  func cell(_ row: Int, _ column: StableColumn) -> (text: String, hadControls: Bool)? {
    guard let place = columns.firstIndex(of: column) else { return nil }
    guard place < rows[row].count else { return ("", false) }
    let text = CSVExport.unguarded(rows[row][place])
    return (withoutControls(text), hasControls(text))
  }
}

/// Why a stable's file was refused as a whole.
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
