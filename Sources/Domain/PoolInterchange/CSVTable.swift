package import PoolModel

/// A customers file, decoded and cut into cells.
package struct CSVTable: Sendable {
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  package let locale: Language
  let layout: CSVLayout
  /// What volumes count where neither heading nor cell says it.
  let units: UnitSystem
  /// Only what it says of the people at known pools is taken.
  let isOfProfiles: Bool
  /// How the numbers of the file are written.
  let decimals: CSVDecimalMarks
  /// The records after the header, one piece after the other; blank ones are left out.
  let pieces: [CSVPiece]

  package var rowCount: Int { pieces.reduce(0) { $0 + $1.rowCount } }
}

/// Some records of a file, in memory that is theirs alone: two threads that read the same would count their references to
/// it against each other, which takes longer than the reading.
final class CSVPiece: Sendable {
  let locale: Language
  let layout: CSVLayout
  let rowCount: Int
  /// The records of the pieces before it.
  let rowsBefore: Int
  /// Whether each row's name and address are a cell each, which needs nothing to be joined.
  let isPlain: Bool

  private let bytes: [UInt8]
  private let aside: [UInt8]
  /// Row by row, as many as there are columns.
  private let cells: [CSVCell]
  /// The rows that have more cells than the header, with text in one of them.
  private let overfull: Set<Int>
  private let width: Int
  /// The index of each meaning's column, -1 where the file has none.
  private let places: [Int]
  private let hasControls: Bool

  /// - Parameters:
  ///   - records: read to the end of the piece.
  ///   - cells: theirs, as many in each row as there are columns.
  init(
    locale: Language, layout: CSVLayout, records: CSVRecords, cells: [CSVCell], overfull: Set<Int>, rowsBefore: Int
  ) {
    self.locale = locale
    self.layout = layout
    self.cells = cells
    self.overfull = overfull
    self.rowsBefore = rowsBefore
    width = layout.meanings.count
    rowCount = cells.count / max(1, width)
    bytes = records.bytes
    aside = records.aside
    var places = CSVColumn.allCases.map { column in layout.meanings.firstIndex { $0 == column } ?? -1 }
    isPlain = layout.customer == .column && layout.addresses.count == 1 && layout.addresses.allSatisfy(\.isPlain)
    if isPlain { places[CSVColumn.address.ordinal] = layout.addresses[0].lines[0] }
    self.places = places
    hasControls = cells.contains(where: \.hasControls)
  }

  func has(_ column: CSVColumn) -> Bool { places[column.ordinal] >= 0 }

  func isOverfull(_ row: Int) -> Bool { !overfull.isEmpty && overfull.contains(row) }

  /// What a cell holds without its control characters and without the apostrophe that our export sets before a formula;
  /// nothing where the file has no such column.
  func content(_ row: Int, _ column: CSVColumn) -> ArraySlice<UInt8> {
    let place = places[column.ordinal]
    return place < 0 ? [] : content(row, at: place)
  }

  /// The same by the index of a column.
  func content(_ row: Int, at place: Int) -> ArraySlice<UInt8> {
    let cell = cells[row * width + place]
    let content = (cell.isAside ? aside : bytes)[Int(cell.start)..<Int(cell.end)]
    let plain = CSVExport.unguarded(content)
    return cell.hasControls ? withoutControls(plain.span)[...] : plain
  }

  /// The columns that the import uses and whose cell of this row has control characters.
  func columnsWithControls(_ row: Int) -> [CSVColumn] {
    guard hasControls else { return [] }
    let first = row * width
    var found: [CSVColumn] = []
    for place in 0..<width where cells[first + place].hasControls {
      if let column = layout.meanings[place], !found.contains(column) { found.append(column) }
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
  case windows1252 = "windows-1252"
}
