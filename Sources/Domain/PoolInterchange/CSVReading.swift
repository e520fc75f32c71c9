import PoolModel

/// How the cells of one file are read, beyond what a row says by itself.
struct CSVReading: Sendable {
  let decimals: CSVDecimalMarks
  /// What a volume counts whose cell names no unit.
  let volumeUnit: CSVVolumeUnit
  /// The normalized heading of the status, which may be a question such as `active`.
  let statusHeading: String

  /// US gallons that the app's form takes. Source: PRODUCT.md, Limits of a form.
  static let usualGallons: ClosedRange<Double> = 1_000...200_000
  /// The smallest hot tubs hold more US gallons than this.
  static let leastGallons = 100.0

  init(_ table: CSVTable) {
    decimals = table.decimals
    volumeUnit = table.layout.volumeUnit ?? (table.layout.isOwnExport ? .gallons : CSVVolumeUnit(table.units))
    statusHeading = table.layout.name(of: .status)
  }
}

/// The cells of one row by their meaning, trimmed; empty where the file has no such column.
struct CSVCells {
  let piece: CSVPiece
  let row: Int

  /// UTF-8.
  subscript(column: CSVColumn) -> ArraySlice<UInt8> { piece.content(row, column) }

  func text(_ column: CSVColumn) -> String { String(decoding: self[column], as: UTF8.self) }

  func text(at place: Int) -> String { String(decoding: piece.content(row, at: place), as: UTF8.self) }

  /// The customer's name: its column, else first and last name, else the company.
  var customer: String {
    for name in [text(.customerName), person, text(.company)] where !name.isEmpty { return name }
    return ""
  }

  /// First and last name.
  var person: String {
    [text(.firstName), text(.lastName)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The contact's name, else the person where that is not the customer's own name.
  func contact(besides customer: String) -> String {
    let named = text(.contactName)
    if !named.isEmpty { return named }
    let person = person
    return person == customer ? "" : person
  }

  /// The pool's address on one line, and its street alone where that is not all of it.
  func address(of customer: String) -> (whole: String, street: String?) {
    for columns in piece.layout.addresses {
      guard let (address, street) = columns.joined(without: [customer, text(.company)], text(at:)) else { continue }
      return (address, street == address ? nil : street)
    }
    return ("", nil)
  }

  /// The first filled cell of a column that may be there several times.
  func first(_ column: CSVColumn) -> String {
    let text = text(column)
    guard text.isEmpty else { return text }
    let layout = piece.layout
    return layout.further.lazy.filter { layout.meanings[$0] == column }.map { self.text(at: $0) }.first { !$0.isEmpty }
      ?? ""
  }

  /// Lines for the notes: what a profile has no field for.
  ///
  /// - Parameter known: texts that are elsewhere already.
  func furtherNotes(known: [String]) -> [String] {
    let layout = piece.layout
    var lines: [String] = []
    for place in layout.further {
      let text = text(at: place)
      if !text.isEmpty, !known.contains(text) { lines.append("\(layout.headings[place]): \(text)") }
    }
    for (column, label) in [
      (CSVColumn.company, "Company"), (.dogName, "Dog"), (.bodyOfWater, "Body of water"), (.frequency, "Frequency"),
    ] {
      let text = text(column)
      guard !text.isEmpty, !known.contains(text), column != .frequency || !CSVWord.isWeekly(text) else { continue }
      lines.append("\(label): \(text)")
    }
    return lines
  }
}
