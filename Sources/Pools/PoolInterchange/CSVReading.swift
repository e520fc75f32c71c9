import FlowModel

/// The settings for reading the cells of one file, derived from the whole file.
struct CSVReading: Sendable {
  let decimals: CSVDecimalMarks
  /// The unit of a volume whose cell names none.
  let volumeUnit: CSVVolumeUnit
  /// The normalized heading of the status column, because the cell may answer a question such as `active`; empty
  /// without the column.
  let statusHeading: String

  /// The US gallons that the app's form accepts. Source: product.md, Limits of a form.
  static let usualGallons: ClosedRange<Double> = 1_000...200_000
  /// A lower bound in US gallons; even the smallest hot tubs hold more.
  static let leastGallons = 100.0

  init(_ table: CSVTable) {
    decimals = table.decimals
    volumeUnit = table.layout.volumeUnit ?? (table.layout.isOwnExport ? .gallons : CSVVolumeUnit(table.units))
    statusHeading = table.layout.name(of: .status)
  }
}

/// The trimmed cells of one row, by column; empty if the file does not have the column.
struct CSVCells {
  let piece: CSVPiece
  let row: Int

  /// The cell as UTF-8.
  subscript(column: CSVColumn) -> ArraySlice<UInt8> { piece.content(row, column) }

  func text(_ column: CSVColumn) -> String {
    piece.has(column) ? String(decoding: self[column], as: UTF8.self) : ""
  }

  func text(at position: Int) -> String { String(decoding: piece.content(row, at: position), as: UTF8.self) }

  /// The customer's name: the name column, else first and last name, else the company.
  var customer: String {
    for name in [text(.customerName), person, text(.company)] where !name.isEmpty { return name }
    return ""
  }

  /// First and last name, joined by a space.
  var person: String {
    [text(.firstName), text(.lastName)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The contact's name, else first and last name unless they are the customer's name.
  func contact(besides customer: String) -> String {
    let named = text(.contactName)
    if !named.isEmpty { return named }
    let person = person
    return person == customer ? "" : person
  }

  /// The pool's address on one line. `street` is the street alone, nil if the address has nothing else.
  func address(of customer: String) -> (whole: String, street: String?) {
    for columns in piece.layout.addresses {
      guard let (address, street) = columns.joined(without: [customer, text(.company)], text(at:)) else { continue }
      return (address, street == address ? nil : street)
    }
    return ("", nil)
  }

  /// The first filled cell among several columns with the same meaning.
  func first(_ column: CSVColumn) -> String {
    guard piece.has(column) else { return "" }
    let text = text(column)
    guard text.isEmpty else { return text }
    for position in piece.layout.further where piece.layout.meanings[position] == column {
      let further = self.text(at: position)
      if !further.isEmpty { return further }
    }
    return ""
  }

  /// The note lines for columns that a profile has no field for, each with its heading or a label.
  ///
  /// - Parameter known: texts that are stored elsewhere and must not be repeated.
  func furtherNotes(known: [String]) -> [String] {
    let layout = piece.layout
    var lines: [String] = []
    for position in layout.further {
      let text = text(at: position)
      if !text.isEmpty, !known.contains(text) { lines.append("\(layout.headings[position]): \(text)") }
    }
    for (column, label) in [
      (CSVColumn.company, "Company"), (.dogName, "Dog"), (.bodyOfWater, "Body of water"), (.frequency, "Frequency"),
    ] {
      let text = text(column)
      guard !text.isEmpty, !known.contains(text), column != .frequency || CSVFrequency(text) == nil else { continue }
      lines.append("\(label): \(text)")
    }
    return lines
  }
}
