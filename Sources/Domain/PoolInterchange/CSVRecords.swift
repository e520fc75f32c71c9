import PoolModel

/// Cuts UTF-8 text into records and cells as RFC 4180 does: LF, CRLF or CR ends a record, a quote counts only at the start
/// of a cell. Cells are trimmed; blank records are passed over. Source: reading R-CSV-4.
struct CSVRecords {
  private let bytes: [UInt8]
  private let delimiter: UInt8
  private var index = 0
  /// The records handed out so far.
  private(set) var count = 0

  init(_ bytes: [UInt8], delimiter: CSVDelimiter) {
    self.bytes = bytes
    self.delimiter = delimiter.rawValue.utf8.first ?? 0x2C
  }

  struct Record {
    var cells: [String]
    /// How many cells the text has; those beyond the wanted ones are not kept.
    var cellCount: Int
  }

  /// - Returns: nil at the end.
  /// - Throws: `unterminatedQuote`.
  mutating func next(keeping wanted: Int) throws(CSVError) -> Record? {
    while index < bytes.count {
      var record = Record(cells: [], cellCount: 0)
      record.cells.reserveCapacity(min(wanted, 32))
      var isBlank = true
      var isAtEnd = false
      while !isAtEnd {
        let cell = try cell()
        if isBlank, !cell.isEmpty { isBlank = false }
        if record.cellCount < wanted { record.cells.append(cell) }
        record.cellCount += 1
        isAtEnd = !takeDelimiter()
      }
      if !isBlank {
        count += 1
        return record
      }
    }
    return nil
  }

  /// Steps over a delimiter (true), or over a line end or to the end of the text (false).
  private mutating func takeDelimiter() -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    index += 1
    if byte == delimiter { return true }
    if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
    return false
  }

  private func isEndOfCell(_ byte: UInt8) -> Bool { byte == delimiter || byte == 0x0A || byte == 0x0D }

  private mutating func cell() throws(CSVError) -> String {
    let start = index
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      skipPlain()
      return trimmed(bytes[start..<index])
    }
    var content: [UInt8] = []
    index += 1
    while true {
      let from = index
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += 1 }
      guard index < bytes.count else { throw .unterminatedQuote(row: count + 1) }
      content.append(contentsOf: bytes[from..<index])
      index += 1
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { break }
      content.append(UInt8(ascii: "\""))
      index += 1
    }
    // What stands between the closing quote and the delimiter belongs to the cell, as spreadsheets read it.
    let from = index
    skipPlain()
    content.append(contentsOf: bytes[from..<index])
    return trimmed(content[...])
  }

  private mutating func skipPlain() {
    while index < bytes.count, !isEndOfCell(bytes[index]) { index += 1 }
  }

  private func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = bytes
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    let text = String(decoding: rest, as: UTF8.self)
    // Spaces outside ASCII, such as the no-break space that spreadsheets leave.
    guard let first = rest.first, let last = rest.last, first >= 0x80 || last >= 0x80 else { return text }
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars = scalars.dropFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars = scalars.dropLast() }
    return String(scalars)
  }
}
