import PoolModel

/// One row by the meaning of its cells, with the remarks it gave cause for.
struct CSVRow {
  /// As a spreadsheet counts: the header is 1.
  let number: Int
  private(set) var issues: [CSVIssue] = []
  private let table: CSVTable
  private let index: Int

  /// - Parameter index: of the row in the table, from 0.
  init(_ table: CSVTable, _ index: Int) {
    self.table = table
    self.index = index
    number = index + 2
    for column in table.columnsWithControls(index) {
      warn(column, "\(column.rawValue) has control characters; they are left out")
    }
  }

  /// The cell, trimmed; empty where the file has no such column.
  func text(_ column: CSVColumn) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// The same as UTF-8.
  func bytes(_ column: CSVColumn) -> ArraySlice<UInt8> { table.content(index, column) }

  mutating func warn(_ field: CSVColumn, _ message: String) {
    issues.append(CSVIssue(row: number, severity: .warning, field: field, message: message))
  }

  /// The row's one error, which leaves it out: no name or no address (R-CSV-12), or one that no table can hold.
  func error() -> CSVIssue? {
    for column in CSVColumn.required {
      let text = bytes(column)
      if text.isEmpty {
        return CSVIssue(row: number, severity: .error, field: column, message: "\(column.rawValue) is empty")
      }
      if isLonger(text, than: Limits.nameLength) {
        return CSVIssue(
          row: number, severity: .error, field: column,
          message: "\(column.rawValue) is longer than \(Limits.nameLength) characters")
      }
    }
    return nil
  }

  /// A short text such as a phone number; left out with a warning where it is too long.
  mutating func shortText(_ column: CSVColumn) -> String {
    let text = text(column)
    guard isLonger(text, than: Limits.nameLength) else { return text }
    warn(column, "\(column.rawValue) is longer than \(Limits.nameLength) characters; left out")
    return ""
  }

  /// - Returns: nil where the cell is empty. A token that names no day is Monday (R-CSV-7).
  mutating func serviceDay(_ locale: Language) -> Weekday? {
    let text = text(.serviceDay)
    if text.isEmpty { return nil }
    if let day = CSVWeekday.day(text, locale: locale) { return day }
    warn(.serviceDay, "service_day is not a day of the week; Monday is used")
    return .monday
  }

  mutating func fee() -> Double? {
    number(.monthlyFee, "monthly_fee is not an amount of 0 or more, such as 145 or 120.50; left out") { $0 >= 0 }
  }

  mutating func volume() -> Double? {
    number(.poolVolume, "pool_volume is not a number of gallons above 0, such as 15000; left out") { $0 > 0 }
  }

  /// Both or neither: half a place is one warning (R-CSV-11).
  mutating func place() -> (latitude: Double, longitude: Double)? {
    let (north, east) = (bytes(.latitude), bytes(.longitude))
    if north.isEmpty, east.isEmpty { return nil }
    guard let latitude = plainDecimal(north), abs(latitude) <= 90 else {
      warn(.latitude, "latitude is not a number from -90 to 90; the coordinates are left out")
      return nil
    }
    guard let longitude = plainDecimal(east), abs(longitude) <= 180 else {
      warn(.longitude, "longitude is not a number from -180 to 180; the coordinates are left out")
      return nil
    }
    return (latitude, longitude)
  }

  private mutating func number(_ column: CSVColumn, _ message: String, _ isFine: (Double) -> Bool) -> Double? {
    let text = bytes(column)
    if text.isEmpty { return nil }
    guard let value = plainDecimal(text), isFine(value) else {
      warn(column, message)
      return nil
    }
    return value
  }
}

/// True where `text` has more than `limit` characters; bytes are counted first because that is quick.
func isLonger(_ text: String, than limit: Int) -> Bool { text.utf8.count > limit && text.count > limit }

/// The same of UTF-8.
private func isLonger(_ text: ArraySlice<UInt8>, than limit: Int) -> Bool {
  text.count > limit && String(decoding: text, as: UTF8.self).count > limit
}

/// A number in digits with at most one point: `145`, `-111.8`, `.5`. No exponent, no separators (R-CSV-10).
func plainDecimal(_ text: String) -> Double? {
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
