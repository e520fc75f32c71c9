import FlowModel

/// The location of a cell's text: a range of the file's bytes, or of `CSVRecords.unescaped` if the cell had to be
/// unescaped.
struct CSVCell: Hashable, Sendable {
  /// Byte offsets; a file is far smaller than 2 GiB (`Limits.csvBytes`).
  var start: Int32
  var end: Int32
  var isUnescaped: Bool
  /// True if the cell has control characters other than tab and line ends.
  var hasControls: Bool

  static let empty = CSVCell(start: 0, end: 0, isUnescaped: false, hasControls: false)

  var isEmpty: Bool { start == end }
}

/// Splits UTF-8 text into records and cells as RFC 4180 describes: LF, CRLF or CR ends a record, and a quote is special
/// only at the start of a cell. Cells are trimmed; blank records are skipped. Source: reading R-CSV-4.
///
/// Cells are ranges, not strings: most of the fifty thousand cells of a large file become numbers and never need a
/// string.
package struct CSVRecords {
  package let bytes: [UInt8]
  /// Unescaped contents of cells that contain a quote inside quotes; all other cells are ranges of `bytes`.
  private(set) var unescaped: [UInt8] = []
  private let delimiter: UInt8
  private let kinds: [UInt8]
  /// The offset at which the next record begins.
  private(set) var index: Int
  /// Records that begin at or after this offset are not read.
  var end: Int
  /// The number of cells in the last record, up to its last non-empty cell.
  private(set) var filledCells = 0
  /// The number of records returned so far.
  package private(set) var count = 0

  private static let endOfCell: UInt8 = 1
  /// Kind of a byte that may belong to a control character; some of these bytes also occur in ordinary characters.
  private static let control: UInt8 = 2
  private static let quote = UInt8(ascii: "\"")

  /// Creates a reader.
  ///
  /// - Parameter start: the offset of the first record.
  package init(_ bytes: [UInt8], delimiter: CSVDelimiter, from start: Int = 0) {
    self.bytes = bytes
    index = start
    end = bytes.count
    let delimiter = delimiter.rawValue.utf8.first ?? 0x2C
    self.delimiter = delimiter
    kinds = (0...UInt8.max).map { byte in
      if byte == delimiter || byte == 0x0A || byte == 0x0D { return Self.endOfCell }
      return mayBeControl(byte) ? Self.control : 0
    }
  }

  /// Appends the cells of the next record that is not blank, at most `wanted` of them.
  ///
  /// - Returns: the number of cells that the record has in the file; nil at the end.
  /// - Throws: `unterminatedQuote`.
  mutating func next(keeping wanted: Int, in cells: inout [CSVCell]) throws(CSVError) -> Int? {
    while index < end {
      let first = cells.count
      var cellCount = 0
      filledCells = 0
      repeat {
        let cell = try cell()
        if cellCount < wanted { cells.append(cell) }
        cellCount += 1
        if !cell.isEmpty { filledCells = cellCount }
      } while takeDelimiter()
      if filledCells > 0 {
        count += 1
        return cellCount
      }
      cells.removeLast(cells.count - first)
    }
    return nil
  }

  /// The cells of the next record as strings, at most `wanted`; nil at the end.
  package mutating func nextTexts(keeping wanted: Int) throws(CSVError) -> (texts: [String], cellCount: Int)? {
    var cells: [CSVCell] = []
    guard let cellCount = try next(keeping: wanted, in: &cells) else { return nil }
    let texts = cells.map { cell in
      String(decoding: (cell.isUnescaped ? unescaped : bytes)[Int(cell.start)..<Int(cell.end)], as: UTF8.self)
    }
    return (texts, cellCount)
  }

  /// The bytes for use on another thread: a copy, so that the threads do not share one reference count, except for
  /// large files, which are not copied.
  var bytesForAnotherThread: [UInt8] {
    guard bytes.count <= Limits.draftBytes else { return bytes }
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    copy.append(contentsOf: bytes)
    return copy
  }

  /// The offset of the first line after the middle of the remaining bytes; nil if there is none. A record begins there
  /// unless the line end before it is inside a quoted cell.
  var middle: Int? {
    guard let lineEnd = bytes[(index + (end - index) / 2)..<end].firstIndex(of: 0x0A), lineEnd + 1 < end else {
      return nil
    }
    return lineEnd + 1
  }

  /// Steps over a delimiter (returns true), or over a line end or to the end of the text (returns false).
  private mutating func takeDelimiter() -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    index += 1
    if byte == delimiter { return true }
    if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
    return false
  }

  private mutating func cell() throws(CSVError) -> CSVCell {
    let start = index
    guard index < bytes.count, bytes[index] == Self.quote else {
      let kinds = skipPlain()
      return trimmed(start, index, isUnescaped: false, kinds)
    }
    index += 1
    let unescapedStart = unescaped.count
    var piece = index
    var kinds: UInt8 = 0
    while true {
      kinds |= skipQuoted()
      guard index < bytes.count else { throw .unterminatedQuote(row: count + 1) }
      index += 1
      guard index < bytes.count, bytes[index] == Self.quote else { break }
      // A doubled quote is one quote of the text.
      unescaped.append(contentsOf: bytes[piece..<index])
      index += 1
      piece = index
    }
    // Text between the closing quote and the delimiter is part of the cell, as in spreadsheets.
    let close = index - 1
    kinds |= skipPlain()
    if unescaped.count == unescapedStart, index == close + 1 { return trimmed(piece, close, isUnescaped: false, kinds) }
    unescaped.append(contentsOf: bytes[piece..<close])
    unescaped.append(contentsOf: bytes[close + 1..<index])
    return trimmed(unescapedStart, unescaped.count, isUnescaped: true, kinds)
  }

  /// Moves to the end of an unquoted cell.
  ///
  /// - Returns: the kinds of the skipped bytes, combined.
  private mutating func skipPlain() -> UInt8 {
    let (end, seen) = scan(from: index) { $1 == Self.endOfCell }
    index = end
    return seen
  }

  /// Moves to the next quote and returns the kinds of the skipped bytes, combined.
  private mutating func skipQuoted() -> UInt8 {
    let (end, seen) = scan(from: index) { byte, _ in byte == Self.quote }
    index = end
    return seen
  }

  /// Scans from `start` to the first byte for which `isEnd` (byte, kind) is true; returns its offset and the kinds of
  /// the scanned bytes.
  @inline(__always)
  private func scan(from start: Int, to isEnd: (UInt8, UInt8) -> Bool) -> (end: Int, kinds: UInt8) {
    let (text, kinds) = (bytes.span, kinds.span)
    var position = start
    var seen: UInt8 = 0
    while position < text.count {
      let byte = text[position]
      let kind = kinds[Int(byte)]
      if isEnd(byte, kind) { break }
      seen |= kind
      position += 1
    }
    return (position, seen)
  }

  private func trimmed(_ from: Int, _ to: Int, isUnescaped: Bool, _ kinds: UInt8) -> CSVCell {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let text = isUnescaped ? unescaped.span : bytes.span
    var (start, end) = (from, to)
    while start < end, isSpace(text[start]) { start += 1 }
    while start < end, isSpace(text[end - 1]) { end -= 1 }
    // White space outside ASCII, such as the no-break spaces that spreadsheets insert.
    if start < end, text[start] >= 0x80 || text[end - 1] >= 0x80 {
      let scalars = String(decoding: (isUnescaped ? unescaped : bytes)[start..<end], as: UTF8.self).unicodeScalars
      for scalar in scalars.prefix(while: \.properties.isWhitespace) { start += UTF8.width(scalar) }
      for scalar in scalars.reversed().prefix(while: \.properties.isWhitespace) where start < end {
        end -= UTF8.width(scalar)
      }
    }
    let controls = kinds & Self.control != 0 && hasControls(text.extracting(start..<end))
    return CSVCell(start: Int32(start), end: Int32(end), isUnescaped: isUnescaped, hasControls: controls)
  }
}
