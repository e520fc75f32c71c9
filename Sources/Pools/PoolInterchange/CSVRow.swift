import FlowModel
import PoolModel

/// One row of a customers file, with each cell parsed, and the warnings that parsing produced.
struct CSVRow: Sendable {
  /// The row number as in a spreadsheet: the header is row 1.
  let number: Int
  /// The error that leaves the row out: a name or address that is missing (R-CSV-12) or too long. Other cells of such a
  /// row are not read.
  private(set) var error: CSVIssue?
  private(set) var issues: [CSVIssue] = []
  /// Warnings that the golden files do not expect, kept apart from `issues`.
  private(set) var notices: [CSVIssue] = []
  /// True if the customer's status says that there is no service; other cells of the row are not read.
  private(set) var isInactive = false
  /// Name and address, ignoring case and the number of spaces; identifies the pool.
  private(set) var key = ""
  /// The key with the street alone as address; nil if the address is only a street.
  private(set) var streetKey: String?
  private(set) var (customerName, address) = ("", "")
  /// Nil if the cell is empty. Text that names no day becomes Monday (R-CSV-7).
  private(set) var serviceDay: Weekday?
  /// All days, if the cell names several.
  private(set) var serviceDays: [Weekday] = []
  private(set) var hasNumericDay = false
  /// Nil if the cell is empty or names no known frequency.
  private(set) var frequency: CSVFrequency?
  private(set) var frequencyText = ""
  private(set) var (fee, volume): (Double?, Double?)
  /// True if a mark was read as a thousands separator because the file's numbers use a decimal comma.
  private(set) var usesDecimalComma = false
  /// The coordinates, or nil: if one of them is missing or invalid, both are dropped with one warning (R-CSV-11).
  private(set) var position: (latitude: Double, longitude: Double)?
  /// Short texts; a text that is too long is dropped with a warning.
  private(set) var (contactName, contactPhone, technician) = ("", "", "")
  private(set) var (contactEmail, gateCode, bodyOfWater, arrivalWindow) = ("", "", "", "")
  /// Nil for a file without a column of `CSVPoolRecord`.
  private(set) var record: CSVPoolRecord?
  private(set) var tags = ""
  /// The text that the row adds to the pool's notes.
  private(set) var notes = ""

  /// Parses a row.
  ///
  /// - Parameter index: the index of the row in the piece, from 0.
  init(_ piece: CSVPiece, _ index: Int, _ reading: CSVReading, buffer: inout CSVRowBuffer) {
    number = piece.rowsBefore + index + 2
    // In a function of its own: the compiler copies the whole row if an initializer returns early.
    read(piece, index, reading, buffer: &buffer)
  }

  private mutating func read(_ piece: CSVPiece, _ index: Int, _ reading: CSVReading, buffer: inout CSVRowBuffer) {
    for column in piece.columnsWithControls(index) {
      warn(column, .controlCharacters)
    }
    let cells = CSVCells(piece: piece, row: index)
    readStatus(cells, reading)
    guard !isInactive else { return }
    let (name, position) = readIdentity(cells, buffer: &buffer)
    error = Self.missing(name, .customerName, row: number) ?? Self.missing(position, .address, row: number)
    guard error == nil else { return }
    key = buffer.key(name, position)
    (customerName, address) = (String(decoding: name, as: UTF8.self), String(decoding: position, as: UTF8.self))
    if piece.isOverfull(index) { note(.address, .moreCells) }
    if piece.hasRecords { readRecord(cells) }
    serviceDay = day(cells.text(.serviceDay), piece.locale)
    fee = fee(cells, reading)
    volume = volume(cells[.poolVolume], reading)
    self.position = degrees(cells[.latitude], cells[.longitude])
    readProfile(cells, buffer: &buffer)
  }

  /// Adds a warning that the golden files expect.
  mutating func warn(_ field: CSVColumn, _ fault: RowFault, value: String? = nil) {
    issues.append(issue(field, fault, value))
  }

  /// Adds a warning that the golden files do not expect.
  mutating func note(_ field: CSVColumn, _ fault: RowFault, value: String? = nil) {
    notices.append(issue(field, fault, value))
  }

  private func issue(_ field: CSVColumn, _ fault: RowFault, _ value: String?) -> CSVIssue {
    CSVIssue(row: number, severity: .warning, field: field, fault: fault, value: value.map(TextRule.shown.truncated))
  }

  /// Renames the pool, to separate it from a pool with the same customer and address.
  mutating func rename(_ name: String, buffer: inout CSVRowBuffer) {
    customerName = name
    key = buffer.key(Array(name.utf8)[...], Array(address.utf8)[...])
  }

  /// Removes the warning that only the first of several weekdays is used.
  mutating func keepAllDays() {
    issues.removeAll { if case .severalWeekdays = $0.fault { true } else { false } }
  }

  /// Clears a column in which the row contradicts an earlier row of the same pool.
  mutating func clear(_ column: CSVColumn) {
    switch column {
    case .serviceDay: serviceDay = nil
    case .monthlyFee: fee = nil
    case .poolVolume: volume = nil
    case .contactName: contactName = ""
    case .contactPhone: contactPhone = ""
    case .contactEmail: contactEmail = ""
    case .gateCode: gateCode = ""
    case .technician: technician = ""
    case .frequency: (frequency, frequencyText) = (nil, "")
    default: preconditionFailure("no earlier row is compared by \(column.rawValue)")
    }
  }

  // MARK: One cell after the other

  private mutating func readRecord(_ cells: CSVCells) {
    let record = CSVPoolRecord(cells)
    self.record = record
    for fault in record.faults { warn(fault.column, fault.fault, value: fault.value) }
  }

  private mutating func readStatus(_ cells: CSVCells, _ reading: CSVReading) {
    guard !reading.statusHeading.isEmpty, case let status = cells.text(.status), !status.isEmpty else { return }
    switch CSVKeywords.isActive(status, under: reading.statusHeading) {
    case true?: break
    case false?: isInactive = true
    case nil: note(.status, .unknownStatus, value: status)
    }
  }

  /// The customer's name and address, UTF-8.
  private mutating func readIdentity(
    _ cells: CSVCells, buffer: inout CSVRowBuffer
  ) -> (name: ArraySlice<UInt8>, address: ArraySlice<UInt8>) {
    if cells.piece.isPlain { return (cells[.customerName], cells[.address]) }
    let name = cells.customer
    let (address, street) = cells.address(of: name)
    let nameBytes = Array(name.utf8)[...]
    if let street { streetKey = buffer.key(nameBytes, Array(street.utf8)[...]) }
    return (nameBytes, Array(address.utf8)[...])
  }

  /// The error for a missing or too long cell; nil for a usable one.
  private static func missing(_ text: ArraySlice<UInt8>, _ column: CSVColumn, row: Int) -> CSVIssue? {
    let fault: RowFault
    if text.isEmpty {
      fault = .empty
    } else if isTooLong(text, .name) {
      fault = .tooLong(.name, leavesOutRow: true)
    } else {
      return nil
    }
    return CSVIssue(row: row, severity: .error, field: column, fault: fault)
  }

  private mutating func shortText(_ text: String, _ column: CSVColumn) -> String {
    guard !text.isEmpty, TextRule.name.lengthFault(in: text) != nil else { return text }
    warn(column, .tooLong(.name, leavesOutRow: false))
    return ""
  }

  private mutating func day(_ text: String, _ locale: Language) -> Weekday? {
    if text.isEmpty { return nil }
    if let day = CSVWeekday.day(text, locale: locale) {
      hasNumericDay = text.utf8.first.map { (48...57).contains($0) } ?? false
      return day
    }
    let days = CSVWeekday.days(among: text, locale: locale)
    switch days {
    case .several(let days):
      serviceDays = days
      warn(.serviceDay, .severalWeekdays(days[0]), value: text)
      return days[0]
    case .one(let day):
      warn(.serviceDay, .weekdayAmongWords(day), value: text)
      return day
    case .none:
      warn(.serviceDay, .noWeekday, value: text)
      return .monday
    }
  }

  private mutating func fee(_ cells: CSVCells, _ reading: CSVReading) -> Double? {
    let cell = cells[.monthlyFee]
    if cell.isEmpty { return nil }
    let text = String(decoding: cell, as: UTF8.self)
    let amount = simpleNumber(cell).map(CSVAmount.value) ?? CSVAmount(fee: text, decimal: reading.decimals.fee)
    guard let fee = number(amount, .monthlyFee, .noFee, text, reading.decimals.fee, NumberRule.monthlyFee.accepts)
    else {
      return nil
    }
    guard case let kind = cells.text(.rateType), !kind.isEmpty, !CSVKeywords.isMonthly(kind) else { return fee }
    warn(.monthlyFee, .feeNotMonthly, value: kind)
    return nil
  }

  /// The pool's volume in US gallons; nil without a usable volume.
  private mutating func volume(_ cell: ArraySlice<UInt8>, _ reading: CSVReading) -> Double? {
    if cell.isEmpty { return nil }
    let text = String(decoding: cell, as: UTF8.self)
    let decimal = reading.decimals.volume
    let amount =
      simpleNumber(cell).map { .value(reading.volumeUnit.gallons($0)) }
      ?? CSVAmount(volume: text, unit: reading.volumeUnit, decimal: decimal, usual: CSVReading.usualGallons)
    // poolflow's own export writes volumes unchanged, including a volume of 0.
    let isRecord = record?.id != nil
    guard
      let volume = number(
        amount, .poolVolume, .noVolume, text, decimal, { (isRecord || $0 > 0) && NumberRule.volume.accepts($0) })
    else { return nil }
    if isRecord { return volume }
    if volume < CSVReading.leastGallons {
      warn(.poolVolume, .tinyVolume(least: CSVReading.leastGallons), value: text)
      return nil
    }
    if case .decided = amount, decimal == nil { note(.poolVolume, .decidedVolume(volume), value: text) }
    if volume < CSVReading.usualGallons.lowerBound {
      note(.poolVolume, .smallVolume(least: CSVReading.usualGallons.lowerBound), value: text)
    }
    return volume
  }

  /// The value of an amount; nil, with a warning, if the amount is unreadable, ambiguous or out of range.
  private mutating func number(
    _ amount: CSVAmount, _ column: CSVColumn, _ fault: RowFault, _ text: String, _ decimal: DecimalMark?,
    _ isFine: (Double) -> Bool
  ) -> Double? {
    switch amount {
    case .value(let value) where isFine(value): return value
    case .decided(let value) where isFine(value):
      if decimal == .comma { usesDecimalComma = true }
      return value
    case .value, .decided, .unreadable: warn(column, fault, value: text)
    case .ambiguous: warn(column, .ambiguousNumber, value: text)
    }
    return nil
  }

  private mutating func degrees(
    _ north: ArraySlice<UInt8>, _ east: ArraySlice<UInt8>
  ) -> (latitude: Double, longitude: Double)? {
    if north.isEmpty, east.isEmpty { return nil }
    guard let latitude = degrees(north, .latitude, NumberRule.latitude, Limits.latitude),
      let longitude = degrees(east, .longitude, NumberRule.longitude, Limits.longitude)
    else { return nil }
    return (latitude, longitude)
  }

  private mutating func degrees(
    _ cell: ArraySlice<UInt8>, _ column: CSVColumn, _ rule: NumberRule, _ range: ClosedRange<Double>
  ) -> Double? {
    if let value = shortDegrees(cell), rule.accepts(value) { return value }
    let text = String(decoding: cell, as: UTF8.self)
    if let value = decimalDegrees(text), rule.accepts(value) { return value }
    warn(column, .noDegrees(range), value: text)
    return nil
  }

  private mutating func readProfile(_ cells: CSVCells, buffer: inout CSVRowBuffer) {
    contactName = shortText(cells.contact(besides: customerName), .contactName)
    contactPhone = shortText(cells.first(.contactPhone), .contactPhone)
    contactEmail = shortText(cells.first(.contactEmail), .contactEmail)
    gateCode = shortText(cells.text(.gateCode), .gateCode)
    arrivalWindow = shortText(cells.text(.arrivalWindow), .arrivalWindow)
    technician = shortText(cells.text(.technician), .technician)
    bodyOfWater = shortText(cells.text(.bodyOfWater), .bodyOfWater)
    tags = cells.text(.tags)
    if !technician.isEmpty, Technician.isReserved(technician) { warn(.technician, .reservedTechnician) }
    if let named = CustomerProfile.technicianTag(in: tags), technician.isEmpty, Technician.isReserved(named) {
      warn(.tags, .reservedTechnician)
    }
    if case let text = cells.text(.frequency), !text.isEmpty {
      frequency = CSVFrequency(text)
      frequencyText = text
      if frequency == nil { note(.frequency, .otherFrequency, value: text) }
    }
    var text = cells[.notes]
    if cells.piece.hasFurtherNotes {
      let known = [customerName, contactName, contactPhone, contactEmail, cells.text(.notes)]
      let lines = cells.furtherNotes(known: known)
      if !lines.isEmpty {
        text = Array((text.isEmpty ? lines : [cells.text(.notes)] + lines).joined(separator: "\n").utf8)[...]
      }
    }
    // poolflow's own export contains the complete notes, including the lines that earlier imports appended.
    let isRecord = record?.id != nil
    notes =
      isRecord
      ? String(decoding: text, as: UTF8.self)
      : buffer.notes(notes: text, contactName: contactName, contactPhone: contactPhone, tags: cells[.tags])
  }
}

/// A buffer reused for all rows, to avoid one allocation per row.
struct CSVRowBuffer {
  private var bytes: [UInt8] = []

  /// The note lines of one row: see `CSVNotes.block`.
  ///
  /// - Parameter notes: UTF-8, as are the tags.
  mutating func notes(
    notes: ArraySlice<UInt8>, contactName: String, contactPhone: String, tags: ArraySlice<UInt8>
  ) -> String {
    CSVNotes.block(notes: notes, contactName: contactName, contactPhone: contactPhone, tags: tags, buffer: &bytes)
  }

  /// The lookup key of a name and an address (UTF-8), which ignores case and the number of spaces.
  mutating func key(_ name: ArraySlice<UInt8>, _ address: ArraySlice<UInt8>) -> String {
    bytes.removeAll(keepingCapacity: true)
    // Fast path for ASCII: works on bytes and makes a single string.
    if appendNormalized(of: name, to: &bytes) {
      bytes.append(UInt8(ascii: "\n"))
      if appendNormalized(of: address, to: &bytes) { return String(decoding: bytes, as: UTF8.self) }
    }
    return normalizedText(name) + "\n" + normalizedText(address)
  }
}

/// True if UTF-8 text violates the length limit of the rule. With at most `rule.maxCharacters` bytes it cannot have too many
/// characters.
private func isTooLong(_ text: ArraySlice<UInt8>, _ rule: TextRule) -> Bool {
  text.count > rule.maxCharacters && rule.lengthFault(in: String(decoding: text, as: UTF8.self)) != nil
}

/// Parses a decimal with at most one point: `145`, `-111.8`, `.5`. Exponents and digit separators are refused with nil
/// (R-CSV-10).
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

/// Fast path for degrees in digits, with a minus sign or none, and at most one point; nil for anything else.
private func shortDegrees(_ text: ArraySlice<UInt8>) -> Double? {
  guard text.first == UInt8(ascii: "-") else { return shortDecimal(text) }
  return shortDecimal(text.dropFirst()).map { -$0 }
}

/// Fast path for the commonest numbers: digits with at most one point. Nil for exactly three digits after the point,
/// which are ambiguous.
private func simpleNumber(_ text: ArraySlice<UInt8>) -> Double? {
  if let point = text.firstIndex(of: UInt8(ascii: ".")), text.endIndex - point == 4 { return nil }
  return shortDecimal(text)
}

/// The words of `text` in lower case, separated by single spaces.
private func normalizedText(_ text: ArraySlice<UInt8>) -> String {
  String(decoding: text, as: UTF8.self).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// Appends the words of an ASCII text in lower case, separated by single spaces.
///
/// - Returns: false if the text is not ASCII; the caller must then discard the appended bytes.
private func appendNormalized(of text: ArraySlice<UInt8>, to bytes: inout [UInt8]) -> Bool {
  let text = text.span
  var seen: UInt8 = 0
  bytes.append(addingCapacity: text.count) { words in
    // A space goes before each word except the first.
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
