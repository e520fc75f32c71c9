package import PoolModel

/// A customers file, decoded and cut into cells.
package struct CSVTable: Hashable, Sendable {
  package var encoding: CSVEncoding
  package var delimiter: CSVDelimiter
  package var locale: Language
  /// Which meaning each column has; nil for one that the import does not use.
  package var columns: [CSVColumn?]
  /// The cells of the records after the header, trimmed; blank records are left out.
  package var rows: [[String]]

  package init(
    encoding: CSVEncoding, delimiter: CSVDelimiter, locale: Language, columns: [CSVColumn?], rows: [[String]]
  ) {
    self.encoding = encoding
    self.delimiter = delimiter
    self.locale = locale
    self.columns = columns
    self.rows = rows
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
