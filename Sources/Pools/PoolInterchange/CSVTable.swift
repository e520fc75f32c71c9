package import FlowModel

/// A customers file, decoded and cut into cells.
package struct CSVTable: Sendable {
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  package let locale: Language
  let layout: CSVLayout
  /// The unit of volumes if neither heading nor cell names one.
  let units: UnitSystem
  /// True for a list of profiles: only the profiles of existing pools are changed.
  let isOfProfiles: Bool
  /// The decimal mark of each numeric column.
  let decimals: CSVDecimalMarks
  /// The records after the header, in file order, without blank ones.
  let pieces: [CSVPiece]

  package var rowCount: Int { pieces.reduce(0) { $0 + $1.rowCount } }
}

/// Some records of a file, in memory that no other piece shares: if two threads read one array, contention on its
/// reference count would take longer than the reading.
final class CSVPiece: Sendable {
  let locale: Language
  let layout: CSVLayout
  let rowCount: Int
  /// The number of records in the pieces before this one.
  let rowsBefore: Int
  /// True if name and address are one column each, so that no cells need joining.
  let isPlain: Bool
  /// True if the rows have cells of `CSVPoolRecord`.
  let hasRecords: Bool
  /// True if some columns besides `notes` may add lines to the pool's notes.
  let hasFurtherNotes: Bool

  private let bytes: [UInt8]
  private let unescaped: [UInt8]
  /// All cells, row by row; each row has one cell per column.
  private let cells: [CSVCell]
  /// The rows with more cells than the header, and text in the extra cells.
  private let overfull: Set<Int>
  private let width: Int
  /// For each `CSVColumn`, by `ordinal`, the index of its column; -1 if the file has none.
  private let positions: [Int]
  private let hasControls: Bool

  /// Creates a piece.
  ///
  /// - Parameters:
  ///   - records: a reader that has read to the end of the piece.
  ///   - cells: the cells of these records, in each row as many as there are columns.
  init(
    locale: Language, layout: CSVLayout, records: CSVRecords, cells: [CSVCell], overfull: Set<Int>, rowsBefore: Int
  ) {
    self.locale = locale
    self.layout = layout.unshared
    hasFurtherNotes = layout.hasFurtherNotes
    hasRecords = layout.has(.poolID) || layout.has(.freeChlorine) || layout.has(.salt)
    self.cells = cells
    self.overfull = overfull
    self.rowsBefore = rowsBefore
    width = layout.meanings.count
    rowCount = cells.count / max(1, width)
    bytes = records.bytes
    unescaped = records.unescaped
    var positions = CSVColumn.allCases.map { column in layout.meanings.firstIndex { $0 == column } ?? -1 }
    isPlain = layout.customer == .column && layout.addresses.count == 1 && layout.addresses.allSatisfy(\.isPlain)
    if isPlain { positions[CSVColumn.address.ordinal] = layout.addresses[0].lines[0] }
    self.positions = positions
    hasControls = cells.contains(where: \.hasControls)
  }

  /// True if the file has a column with this meaning.
  func has(_ column: CSVColumn) -> Bool { positions[column.ordinal] >= 0 }

  /// True if the row has more cells than the header, and text in the extra cells.
  func isOverfull(_ row: Int) -> Bool { !overfull.isEmpty && overfull.contains(row) }

  /// The text of a cell, without control characters and without the apostrophe that poolflow's export puts before a
  /// formula; empty if the file does not have the column.
  func content(_ row: Int, _ column: CSVColumn) -> ArraySlice<UInt8> {
    let position = positions[column.ordinal]
    return position < 0 ? [] : content(row, at: position)
  }

  /// The text of the cell in a column, given the column's index in the file.
  func content(_ row: Int, at position: Int) -> ArraySlice<UInt8> {
    let cell = cells[row * width + position]
    let content = (cell.isUnescaped ? unescaped : bytes)[Int(cell.start)..<Int(cell.end)]
    // Fast path: nearly every cell is used as it is.
    if !cell.hasControls, content.first != UInt8(ascii: "'") { return content }
    let plain = CSVExport.unguarded(content)
    return cell.hasControls ? withoutControls(plain.span)[...] : plain
  }

  /// The columns that the import uses and that have control characters in this row.
  func columnsWithControls(_ row: Int) -> [CSVColumn] {
    guard hasControls else { return [] }
    let first = row * width
    var found: [CSVColumn] = []
    for position in 0..<width where cells[first + position].hasControls {
      if let column = layout.meanings[position], !found.contains(column) { found.append(column) }
    }
    return found
  }
}

/// The cell separators that the import recognises.
package enum CSVDelimiter: Character, Sendable, CaseIterable {
  case comma = ","
  case semicolon = ";"
  case tab = "\t"
  case pipe = "|"
}

/// The text encodings that the import recognises.
package enum CSVEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf8WithBOM = "utf-8-bom"
  case utf16LittleEndianWithBOM = "utf-16le-bom"
  case utf16BigEndianWithBOM = "utf-16be-bom"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case latin1 = "latin-1"
  case windows1252 = "windows-1252"
}
