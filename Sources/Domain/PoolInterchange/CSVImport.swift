package import FoundationEssentials
import PoolChemistry
package import PoolModel

/// Turns a customers file into pools: bytes → table → plan. Source: PRODUCT.md, Customers files.
package enum CSVImport {
  /// - Parameters:
  ///   - units: what a volume counts where its heading names no unit.
  ///   - isOfProfiles: the file is a list of profiles: it makes no pools and changes none.
  ///   - map: columns that the caller names, each of them in the file.
  /// - Throws: what refuses the whole file, in this order: too large, unreadable text, missing columns, an open quote or
  ///   too many rows. A bad row alone is an issue of the plan.
  package static func read(
    bytes: [UInt8], locale: Language, units: UnitSystem = .imperial, map: CSVHeadingMap = .none,
    isOfProfiles: Bool = false
  ) throws(CSVError) -> CSVTable {
    guard bytes.count <= Limits.csvBytes else { throw .tooLarge(bytes: bytes.count, limit: Limits.csvBytes) }
    guard let (text, encoding) = CSVText.decode(bytes) else { throw .unreadableTextFile }
    let (header, records) = CSVHeader.read(text) { sense(of: $0, map) }
    guard header.cellCount <= Limits.csvColumns else {
      throw .tooManyColumns(header.cellCount, limit: Limits.csvColumns)
    }
    let layout = CSVLayout(headings: header.texts, map: map, language: locale)
    guard layout.missing.isEmpty else { throw .missingRequiredColumns(layout.missing) }
    let pieces = try CSVPieces(locale: locale, layout: layout).cut(records, delimiter: header.delimiter)
    return CSVTable(
      encoding: encoding, delimiter: header.delimiter, locale: locale, layout: layout, units: units,
      isOfProfiles: isOfProfiles, decimals: CSVDecimalMarks(pieces), pieces: pieces)
  }

  /// The headings of a file, as they are written; none where it is no text.
  package static func headings(of bytes: [UInt8], map: CSVHeadingMap = .none) -> [String] {
    CSVHeader.headings(of: bytes) { sense(of: $0, map) }
  }

  private static func sense(of headings: [String], _ map: CSVHeadingMap) -> CSVHeader.Sense {
    let layout = CSVLayout(headings: headings, map: map)
    let required = CSVColumn.required.count - layout.missing.count
    return CSVHeader.Sense(
      required: required, missing: layout.missing.count, others: layout.meanings.count { $0 != nil } - required)
  }

  /// Works out what the table does to the pools of one team and technician scope.
  ///
  /// - Parameters:
  ///   - profiles: the known profiles of the existing pools.
  ///   - team: what a created pool has where the file says nothing, and the team's money.
  ///   - repeats: what a second row of the same customer and address does.
  ///   - freePlanRemaining: pools that may still be created on the free plan, negative above it; nil without a limit.
  ///   - makeID: the id of the next created pool of a day.
  package static func plan(
    _ table: CSVTable, existing: [Pool], profiles: [CustomerProfile] = [],
    team: CSVTeam = CSVTeam(RegionDefaults(region: "US")), repeats: CSVRepeats = .update, freePlanRemaining: Int? = nil,
    now: Timestamp, makeID: (Weekday) -> UUID
  ) -> CSVPlan {
    var planner = CSVPlanner(
      table, existing: existing, profiles: profiles, team: team, repeats: repeats, now: now)
    let reading = CSVReading(table)
    var (first, others) = together(
      { rows(of: table.pieces.prefix(1), reading) }, { rows(of: table.pieces.dropFirst(), reading) })
    while let row = first.popLast() { planner.take(row, makeID: makeID) }
    while let row = others.popLast() { planner.take(row, makeID: makeID) }
    return planner.plan(freePlanRemaining: freePlanRemaining)
  }

  /// The last row first: they are taken from the end, which moves each where a loop would copy it.
  private static func rows(of pieces: ArraySlice<CSVPiece>, _ reading: CSVReading) -> [CSVRow] {
    var rows: [CSVRow] = []
    rows.reserveCapacity(pieces.reduce(0) { $0 + $1.rowCount })
    var room = CSVRoom()
    for piece in pieces.reversed() {
      for index in (0..<piece.rowCount).reversed() { rows.append(CSVRow(piece, index, reading, room: &room)) }
    }
    return rows
  }
}
