/// The decimal mark of each numeric column, inferred from the file's own unambiguous numbers: a cell `180,00` shows
/// that `1.200` in the same column means 1,200.
struct CSVDecimalMarks: Hashable, Sendable {
  private(set) var fee: DecimalMark?
  private(set) var volume: DecimalMark?

  init(_ pieces: [CSVPiece]) {
    let fee = Self.tally(pieces, .monthlyFee)
    let volume = Self.tally(pieces, .poolVolume)
    // Coordinates are often copied from maps, which use a point in every country: only a comma in them is evidence.
    let coordinates = Self.tally(pieces, .latitude) + Self.tally(pieces, .longitude)
    let file = fee + volume + Tally(points: 0, commas: coordinates.commas)
    self.fee = fee.isEmpty ? file.mark : fee.mark
    self.volume = volume.isEmpty ? file.mark : volume.mark
  }

  /// The number of cells that show each decimal mark.
  private struct Tally {
    var points = 0
    var commas = 0

    var isEmpty: Bool { points + commas == 0 }
    /// The decimal mark; nil if there is no evidence, or evidence for both marks.
    var mark: DecimalMark? { (points > 0) == (commas > 0) ? nil : points > 0 ? .point : .comma }

    static func + (first: Tally, second: Tally) -> Tally {
      Tally(points: first.points + second.points, commas: first.commas + second.commas)
    }
  }

  private static func tally(_ pieces: [CSVPiece], _ column: CSVColumn) -> Tally {
    var tally = Tally()
    for piece in pieces where piece.has(column) {
      for row in 0..<piece.rowCount {
        switch decimal(piece.content(row, column), column) {
        case .point: tally.points += 1
        case .comma: tally.commas += 1
        case nil: break
        }
      }
    }
    return tally
  }

  private static func decimal(_ cell: ArraySlice<UInt8>, _ column: CSVColumn) -> DecimalMark? {
    // Fast path: most numbers have no mark.
    guard cell.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) else { return nil }
    let text = String(decoding: cell, as: UTF8.self)
    switch column {
    case .monthlyFee: return CSVNumber(moneyNumber(text).number)?.decimal
    case .poolVolume: return CSVNumber(spacesTrimmed(CSVVolumeUnit.split(text).number))?.decimal
    default: return CSVNumber(text)?.decimal
    }
  }
}
