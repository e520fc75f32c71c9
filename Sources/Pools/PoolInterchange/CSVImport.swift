package import FlowModel
package import FoundationEssentials
import PoolChemistry
package import PoolModel

/// Imports a customers file: bytes → table → plan. Source: product.md, Customers files.
package enum CSVImport {
  /// Decodes a file, chooses its delimiter and cuts it into cells.
  ///
  /// - Parameters:
  ///   - locale: the language of day names, and the address order if the headings do not show it.
  ///   - units: the unit of volumes if neither heading nor cell names one.
  ///   - isOfProfiles: true for a list of profiles, which creates no pools and changes none.
  ///   - map: user-defined column meanings; the caller has checked that the file has these headings.
  ///   - parallel: cuts the rows in two pieces.
  /// - Throws: an error that refuses the whole file, checked in this order: too large, unreadable text, missing
  ///   columns, an unterminated quote or too many rows. An invalid row is reported as an issue of the plan instead.
  package static func read(
    bytes: [UInt8], locale: Language, units: UnitSystem = .imperial, map: CSVHeadingMap = .none,
    isOfProfiles: Bool = false, parallel: some ParallelRunner = SerialRunner()
  ) throws(CSVError) -> CSVTable {
    guard bytes.count <= Limits.csvBytes else { throw .tooLarge(bytes: bytes.count, limit: Limits.csvBytes) }
    guard let (text, encoding) = CSVText.decode(bytes) else { throw .unreadableTextFile }
    let (header, records) = CSVHeader.read(text) { sense(of: $0, map) }
    guard header.cellCount <= Limits.csvColumns else {
      throw .tooManyColumns(header.cellCount, limit: Limits.csvColumns)
    }
    let layout = CSVLayout(headings: header.texts, map: map, language: locale)
    guard layout.missing.isEmpty else { throw .missingRequiredColumns(layout.missing) }
    let pieces = try CSVPieces(locale: locale, layout: layout).cut(
      records, delimiter: header.delimiter, parallel: parallel)
    return CSVTable(
      encoding: encoding, delimiter: header.delimiter, locale: locale, layout: layout, units: units,
      isOfProfiles: isOfProfiles, decimals: CSVDecimalMarks(pieces), pieces: pieces)
  }

  /// The headings of a file as written; empty if the bytes are not text.
  package static func headings(of bytes: [UInt8], map: CSVHeadingMap = .none) -> [String] {
    CSVHeader.headings(of: bytes) { sense(of: $0, map) }
  }

  private static func sense(of headings: [String], _ map: CSVHeadingMap) -> CSVHeader.Sense {
    let layout = CSVLayout(headings: headings, map: map)
    let required = CSVColumn.required.count - layout.missing.count
    return CSVHeader.Sense(
      required: required, missing: layout.missing.count, others: layout.meanings.count { $0 != nil } - required)
  }

  /// Computes the effect of the table on the pools of one team and technician scope. Nothing is changed.
  ///
  /// - Parameters:
  ///   - profiles: the stored profiles of the existing pools.
  ///   - services: the present dates of service of the existing pools.
  ///   - team: the defaults of created pools, and the team's currency.
  ///   - repeats: the effect of a second row with the same customer and address.
  ///   - freePlanRemaining: pools that the free plan still allows, negative above the limit; nil without a limit.
  ///   - today: the date of the import in the team's zone; nil for that in UTC.
  ///   - parallel: reads the pieces of the table in two parts.
  ///   - makeID: makes the id of the next pool created on a day.
  package static func plan(
    _ table: CSVTable, existing: [Pool], profiles: [CustomerProfile] = [],
    services: ServiceCalendar = .weekly,
    team: CSVTeam = CSVTeam(RegionDefaults(region: "US")), repeats: CSVRepeats = .update, freePlanRemaining: Int? = nil,
    now: Timestamp, today: CivilDate? = nil, parallel: some ParallelRunner = SerialRunner(), makeID: (Weekday) -> UUID
  ) -> CSVPlan {
    var planner = CSVPlanner(
      table, existing: existing, profiles: profiles, services: services, team: team, repeats: repeats, now: now,
      today: today ?? CivilDate(daysSince1970: Int(now.seconds / 86_400)))
    let reading = CSVReading(table)
    var (first, others) = parallel.run(
      { rows(of: table.pieces.prefix(1), reading) }, { rows(of: table.pieces.dropFirst(), reading) })
    while let row = first.popLast() { planner.take(row, makeID: makeID) }
    while let row = others.popLast() { planner.take(row, makeID: makeID) }
    return planner.plan(freePlanRemaining: freePlanRemaining)
  }

  /// The rows in reverse order: the caller pops them from the end, which moves each row instead of copying it.
  private static func rows(of pieces: ArraySlice<CSVPiece>, _ reading: CSVReading) -> [CSVRow] {
    var rows: [CSVRow] = []
    rows.reserveCapacity(pieces.reduce(0) { $0 + $1.rowCount })
    var buffer = CSVRowBuffer()
    for piece in pieces.reversed() {
      for index in (0..<piece.rowCount).reversed() { rows.append(CSVRow(piece, index, reading, buffer: &buffer)) }
    }
    return rows
  }
}
