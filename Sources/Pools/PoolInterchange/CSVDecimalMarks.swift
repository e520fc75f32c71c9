/// The decimal mark of each numeric column, inferred from the file's own unambiguous numbers: a cell `180,00` shows
/// that `1.200` in the same column means 1,200. Nil without evidence, or if no ambiguous number needs it.
struct CSVDecimalMarks: Hashable, Sendable {
  private(set) var fee: DecimalMark?
  private(set) var volume: DecimalMark?

  init(_ pieces: [CSVPiece]) {
    let fee = Self.tally(pieces, .monthlyFee)
    let volume = Self.tally(pieces, .poolVolume)
    var file = fee + volume
    if fee.needsFile || volume.needsFile {
      // Coordinates are often copied from maps, which use a point in every country: only a comma in them is evidence.
      file.commas += (Self.tally(pieces, .latitude) + Self.tally(pieces, .longitude)).commas
    }
    self.fee = fee.isEmpty ? file.mark : fee.mark
    self.volume = volume.isEmpty ? file.mark : volume.mark
  }

  /// The number of cells that show each decimal mark, and of those that can be read in two ways.
  private struct Tally {
    var points = 0
    var commas = 0
    var ambiguous = 0

    var isEmpty: Bool { points + commas == 0 }
    /// True if the column has ambiguous numbers and no evidence of its own.
    var needsFile: Bool { isEmpty && ambiguous > 0 }
    /// The decimal mark; nil if there is no evidence, or evidence for both marks.
    var mark: DecimalMark? { (points > 0) == (commas > 0) ? nil : points > 0 ? .point : .comma }

    static func + (first: Tally, second: Tally) -> Tally {
      Tally(
        points: first.points + second.points, commas: first.commas + second.commas,
        ambiguous: first.ambiguous + second.ambiguous)
    }
  }

  private static func tally(_ pieces: [CSVPiece], _ column: CSVColumn) -> Tally {
    var tally = Tally()
    for piece in pieces where piece.has(column) {
      for row in 0..<piece.rowCount {
        guard let number = number(piece.content(row, column), column) else { continue }
        switch number.decimal {
        case .point: tally.points += 1
        case .comma: tally.commas += 1
        case nil: if number.onlyMark != nil { tally.ambiguous += 1 }
        }
      }
    }
    return tally
  }

  /// The number in a cell; nil for a number without marks, because it shows nothing, and for other text.
  private static func number(_ cell: ArraySlice<UInt8>, _ column: CSVColumn) -> CSVNumber? {
    // Fast path: most numbers have no mark.
    guard cell.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) else { return nil }
    if let short = CSVNumber(short: cell) { return short }
    let text = String(decoding: cell, as: UTF8.self)
    switch column {
    case .monthlyFee: return CSVNumber(moneyNumber(text).number)
    case .poolVolume: return CSVNumber(spacesTrimmed(CSVVolumeUnit.split(text).number))
    default: return CSVNumber(text)
    }
  }
}
