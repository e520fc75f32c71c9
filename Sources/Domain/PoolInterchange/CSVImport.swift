package import FoundationEssentials
package import PoolModel

/// Turns a customers file into pools: bytes → table → plan. Source: PRODUCT.md, Customers files.
package enum CSVImport {
  /// - Throws: what refuses the whole file, in this order: too large, unreadable text, missing columns, an open quote or
  ///   too many rows. A bad row alone is an issue of the plan.
  package static func read(bytes: [UInt8], locale: Language) throws(CSVError) -> CSVTable {
    guard bytes.count <= Limits.csvBytes else { throw .tooLarge(bytes: bytes.count, limit: Limits.csvBytes) }
    guard let (text, encoding) = CSVText.decode(bytes) else { throw .unreadableTextFile }
    let (header, records) = CSVHeader.read(text) { texts in
      let columns = CSVColumn.meanings(of: texts).compactMap(\.self)
      let required = CSVColumn.required.count { columns.contains($0) }
      return CSVHeader.Sense(
        required: required, missing: CSVColumn.required.count - required, others: columns.count - required)
    }
    guard header.cellCount <= Limits.csvColumns else {
      throw .tooManyColumns(header.cellCount, limit: Limits.csvColumns)
    }
    let columns = CSVColumn.meanings(of: header.texts)
    let missing = CSVColumn.required.filter { !columns.contains($0) }
    guard missing.isEmpty else { throw .missingRequiredColumns(missing) }
    return CSVTable(
      encoding: encoding, delimiter: header.delimiter, locale: locale, columns: columns,
      pieces: try CSVPieces(locale: locale, columns: columns).cut(records, delimiter: header.delimiter))
  }

  /// Works out what the table does to the pools of one team and technician scope.
  ///
  /// - Parameters:
  ///   - profiles: the known profiles of the existing pools.
  ///   - freePlanRemaining: pools that may still be created on the free plan, negative above it; nil without a limit.
  ///   - makeID: the id of the next created pool of a day.
  package static func plan(
    _ table: CSVTable, existing: [Pool], profiles: [CustomerProfile] = [],
    defaults: NewPoolDefaults = .unitedStates, freePlanRemaining: Int? = nil, now: Timestamp, makeID: (Weekday) -> UUID
  ) -> CSVPlan {
    var planner = CSVPlanner(table, existing: existing, profiles: profiles, defaults: defaults, now: now)
    var (first, others) = together({ rows(of: table.pieces.prefix(1)) }, { rows(of: table.pieces.dropFirst()) })
    while let row = first.popLast() { planner.take(row, makeID: makeID) }
    while let row = others.popLast() { planner.take(row, makeID: makeID) }
    return planner.plan(freePlanRemaining: freePlanRemaining)
  }

  /// The last row first: they are taken from the end, which moves each where a loop would copy it.
  private static func rows(of pieces: ArraySlice<CSVPiece>) -> [CSVRow] {
    var rows: [CSVRow] = []
    rows.reserveCapacity(pieces.reduce(0) { $0 + $1.rowCount })
    var room = CSVRoom()
    for piece in pieces.reversed() {
      for index in (0..<piece.rowCount).reversed() { rows.append(CSVRow(piece, index, room: &room)) }
    }
    return rows
  }
}
