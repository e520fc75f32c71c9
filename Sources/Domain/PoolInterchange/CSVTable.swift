package import PoolModel

/// A customers file, decoded and cut into cells.
package struct CSVTable: Sendable {
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  package let locale: Language
  /// Which meaning each column has; nil for one that the import does not use.
  package let columns: [CSVColumn?]
  /// The records after the header, one piece after the other; blank ones are left out.
  let pieces: [CSVPiece]

  package var rowCount: Int { pieces.reduce(0) { $0 + $1.rowCount } }
}

/// Some records of a file, in memory that is theirs alone: two threads that read the same would count their references to
/// it against each other, which takes longer than the reading.
final class CSVPiece: Sendable {
  let locale: Language
  let rowCount: Int
  /// The records of the pieces before it.
  let rowsBefore: Int

  private let columns: [CSVColumn?]
  private let bytes: [UInt8]
  private let aside: [UInt8]
  /// Row by row, as many as there are columns.
  private let cells: [CSVCell]
  /// The column of each meaning, -1 where the file has none.
  private let places: [Int]
  private let hasControls: Bool

  /// - Parameters:
  ///   - records: read to the end of the piece.
  ///   - cells: theirs, as many in each row as there are columns.
  init(locale: Language, columns: [CSVColumn?], records: CSVRecords, cells: [CSVCell], rowsBefore: Int) {
    self.locale = locale
    self.columns = columns
    self.cells = cells
    self.rowsBefore = rowsBefore
    rowCount = cells.count / max(1, columns.count)
    bytes = records.bytes
    aside = records.aside
    places = CSVColumn.allCases.map { column in columns.firstIndex { $0 == column } ?? -1 }
    hasControls = cells.contains(where: \.hasControls)
  }

  /// What a cell holds without its control characters and without the apostrophe that our export sets before a formula;
  /// nothing where the file has no such column.
  func content(_ row: Int, _ column: CSVColumn) -> ArraySlice<UInt8> {
    let place = places[column.ordinal]
    guard place >= 0 else { return [] }
    let cell = cells[row * columns.count + place]
    let content = (cell.isAside ? aside : bytes)[Int(cell.start)..<Int(cell.end)]
    let plain = CSVExport.unguarded(content)
    return cell.hasControls ? withoutControls(plain.span)[...] : plain
  }

  /// The columns that the import uses and whose cell of this row has control characters.
  func columnsWithControls(_ row: Int) -> [CSVColumn] {
    guard hasControls else { return [] }
    let first = row * columns.count
    var found: [CSVColumn] = []
    for place in columns.indices where cells[first + place].hasControls {
      if let column = columns[place] { found.append(column) }
    }
    return found
  }
}

package enum CSVDelimiter: Character, Sendable, CaseIterable {
  case comma = ","
  case semicolon = ";"
  case tab = "\t"
  case pipe = "|"
}

package enum CSVEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf8WithBOM = "utf-8-bom"
  case utf16LittleEndianWithBOM = "utf-16le-bom"
  case utf16BigEndianWithBOM = "utf-16be-bom"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case latin1 = "latin-1"
}
