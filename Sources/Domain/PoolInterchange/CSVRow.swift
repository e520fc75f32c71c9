import PoolModel

/// What one row says, each cell taken by its meaning, with the remarks it gave cause for.
struct CSVRow: Sendable {
  /// As a spreadsheet counts: the header is 1.
  let number: Int
  /// The row's one error, which leaves it out: no name or no address (R-CSV-12), or one that no table can hold. Nothing
  /// else of such a row is taken.
  private(set) var error: CSVIssue?
  private(set) var issues: [CSVIssue] = []
  /// Name and address without regard to case and the number of spaces.
  private(set) var key = ""
  private(set) var (customerName, address) = ("", "")
  /// Nil where the cell is empty. A token that names no day is Monday (R-CSV-7).
  private(set) var serviceDay: Weekday?
  private(set) var (fee, volume): (Double?, Double?)
  /// Both or neither: half a place is one warning (R-CSV-11).
  private(set) var place: (latitude: Double, longitude: Double)?
  /// Short ones; left out with a warning where they are too long.
  private(set) var (contactName, contactPhone, technician) = ("", "", "")
  private(set) var tags = ""
  /// What the row adds to the pool's notes.
  private(set) var notes = ""

  /// - Parameter index: of the row in the piece, from 0.
  init(_ piece: CSVPiece, _ index: Int, room: inout CSVRoom) {
    number = piece.rowsBefore + index + 2
    for column in piece.columnsWithControls(index) {
      warn(column, .controlCharacters)
    }
    let cells = CSVCells(piece: piece, row: index)
    error = missing(cells)
    guard error == nil else { return }
    key = room.key(cells[.customerName], cells[.address])
    (customerName, address) = (cells.text(.customerName), cells.text(.address))
    serviceDay = day(cells.text(.serviceDay), piece.locale)
    fee = number(
      cells, .monthlyFee, .noFee,
      read: { plainDecimal($0) ?? moneyAmount(String(decoding: $0, as: UTF8.self)) }, NumberRule.monthlyFee.accepts)
    volume = number(
      cells, .poolVolume, .noVolume, read: { plainDecimal($0) }, { $0 > 0 && NumberRule.volume.accepts($0) })
    place = place(cells[.latitude], cells[.longitude])
    contactName = shortText(cells, .contactName)
    contactPhone = shortText(cells, .contactPhone)
    technician = shortText(cells, .technician)
    tags = cells.text(.tags)
    if Technician.isReserved(technician) { warn(.technician, .reservedTechnician) }
    if let named = CustomerProfile.technicianTag(in: tags), technician.isEmpty, Technician.isReserved(named) {
      warn(.tags, .reservedTechnician)
    }
    notes = room.notes(
      notes: cells[.notes], contactName: contactName, contactPhone: contactPhone, tags: cells[.tags])
  }

  mutating func warn(_ field: CSVColumn, _ fault: RowFault) {
    issues.append(CSVIssue(row: number, severity: .warning, field: field, fault: fault))
  }

  private func missing(_ cells: CSVCells) -> CSVIssue? {
    for column in CSVColumn.required {
      let text = cells[column]
      if text.isEmpty {
        return CSVIssue(row: number, severity: .error, field: column, fault: .empty)
      }
      if isTooLong(text, .name) {
        return CSVIssue(
          row: number, severity: .error, field: column, fault: .tooLong(.name, leavesOutRow: true))
      }
    }
    return nil
  }

  private mutating func shortText(_ cells: CSVCells, _ column: CSVColumn) -> String {
    let text = cells.text(column)
    guard TextRule.name.lengthFault(in: text) != nil else { return text }
    warn(column, .tooLong(.name, leavesOutRow: false))
    return ""
  }

  private mutating func day(_ text: String, _ locale: Language) -> Weekday? {
    if text.isEmpty { return nil }
    if let day = CSVWeekday.day(text, locale: locale) { return day }
    warn(.serviceDay, .noWeekday)
    return .monday
  }

  private mutating func place(
    _ north: ArraySlice<UInt8>, _ east: ArraySlice<UInt8>
  ) -> (latitude: Double, longitude: Double)? {
    if north.isEmpty, east.isEmpty { return nil }
    guard let latitude = plainDecimal(north), NumberRule.latitude.accepts(latitude) else {
      warn(.latitude, .noDegrees(Limits.latitude))
      return nil
    }
    guard let longitude = plainDecimal(east), NumberRule.longitude.accepts(longitude) else {
      warn(.longitude, .noDegrees(Limits.longitude))
      return nil
    }
    return (latitude, longitude)
  }

  private mutating func number(
    _ cells: CSVCells, _ column: CSVColumn, _ fault: RowFault, read: (ArraySlice<UInt8>) -> Double?,
    _ isFine: (Double) -> Bool
  ) -> Double? {
    let text = cells[column]
    if text.isEmpty { return nil }
    guard let value = read(text), isFine(value) else {
      warn(column, fault)
      return nil
    }
    return value
  }
}

/// The cells of one row by their meaning, trimmed; empty where the file has no such column.
private struct CSVCells {
  let piece: CSVPiece
  let row: Int

  /// UTF-8.
  subscript(column: CSVColumn) -> ArraySlice<UInt8> { piece.content(row, column) }

  func text(_ column: CSVColumn) -> String { String(decoding: self[column], as: UTF8.self) }
}

/// Bytes that one row after the other is put together in, so that not every one has to ask for memory.
struct CSVRoom {
  private var bytes: [UInt8] = []

  /// - Parameters:
  ///   - notes: UTF-8, as are the tags.
  mutating func notes(
    notes: ArraySlice<UInt8>, contactName: String, contactPhone: String, tags: ArraySlice<UInt8>
  ) -> String {
    CSVNotes.block(notes: notes, contactName: contactName, contactPhone: contactPhone, tags: tags, room: &bytes)
  }

  /// A name and an address, UTF-8, without regard to case and the number of spaces.
  mutating func key(_ name: ArraySlice<UInt8>, _ address: ArraySlice<UInt8>) -> String {
    bytes.removeAll(keepingCapacity: true)
    // Most are ASCII, where bytes are enough and one text is made instead of many.
    if appendPlainWords(of: name, to: &bytes) {
      bytes.append(UInt8(ascii: "\n"))
      if appendPlainWords(of: address, to: &bytes) { return String(decoding: bytes, as: UTF8.self) }
    }
    return plainWords(name) + "\n" + plainWords(address)
  }
}

/// By `TextRule.lengthFault`, of UTF-8; so few bytes cannot be too many letters.
private func isTooLong(_ text: ArraySlice<UInt8>, _ rule: TextRule) -> Bool {
  text.count > rule.letters && rule.lengthFault(in: String(decoding: text, as: UTF8.self)) != nil
}

/// A number in digits with at most one point: `145`, `-111.8`, `.5`. No exponent, no separators (R-CSV-10).
package func plainDecimal(_ text: String) -> Double? {
  if let value = shortDecimal(text.utf8) { return value }
  if text.utf8.first == UInt8(ascii: "-"), let value = shortDecimal(text.utf8.dropFirst()) { return -value }
  var rest = text.utf8[...]
  if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { rest = rest.dropFirst() }
  var digits = 0
  var points = 0
  for byte in rest {
    if (48...57).contains(byte) { digits += 1 } else if byte == UInt8(ascii: ".") { points += 1 } else { return nil }
  }
  guard digits > 0, digits <= 40, points <= 1 else { return nil }
  return Double(text)
}

/// The same of UTF-8.
private func plainDecimal(_ text: ArraySlice<UInt8>) -> Double? {
  if let value = shortDecimal(text) { return value }
  if text.first == UInt8(ascii: "-"), let value = shortDecimal(text.dropFirst()) { return -value }
  return plainDecimal(String(decoding: text, as: UTF8.self))
}

/// The words of `text` in lower case with one space between them.
private func plainWords(_ text: ArraySlice<UInt8>) -> String {
  String(decoding: text, as: UTF8.self).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// The same of an ASCII text.
///
/// - Returns: false where the text is not ASCII; what was appended is then of no use.
private func appendPlainWords(of text: ArraySlice<UInt8>, to bytes: inout [UInt8]) -> Bool {
  let text = text.span
  var seen: UInt8 = 0
  bytes.append(addingCapacity: text.count) { words in
    // A space is due before the next letter, but not before the first.
    var isSpaceDue = false
    for index in text.indices {
      let byte = text[index]
      seen |= byte
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        isSpaceDue = !words.isEmpty
      } else {
        if isSpaceDue { words.append(0x20) }
        isSpaceDue = false
        words.append((65...90).contains(byte) ? byte | 0x20 : byte)
      }
    }
  }
  return seen < 0x80
}
