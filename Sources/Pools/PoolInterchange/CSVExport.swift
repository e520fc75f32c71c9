package import FlowModel
import PoolChemistry
package import PoolModel

/// Writes records as CSV lines that are safe to open in a spreadsheet and that `CSVImport` reads back unchanged.
///
/// RFC 4180, comma separated. A cell that a spreadsheet could run as a formula gets an apostrophe in front, which the
/// import removes. Such a cell begins with `=`, `+`, `-`, `@` or a full-width form of these (also after spaces), or
/// with tab or CR, and is not a plain number. Source of the rule: OWASP, "CSV Injection".
package enum CSVExport {
  /// One line of the file, without the line end.
  package static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

  private static func cell(_ text: String) -> String {
    let safe = guarded(withoutControls(text))
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }

  /// True if a spreadsheet may run the text as a formula. Leading white space and invisible characters are skipped,
  /// because some spreadsheets skip them too.
  private static func startsFormula(_ text: some Collection<UInt8>) -> Bool {
    // Fast path: most cells begin with a letter or a digit.
    guard let first = text.first, !(0x30...0x39).contains(first), !(0x41...0x5A).contains(first),
      !(0x61...0x7A).contains(first)
    else { return false }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
      default: guard scalar.properties.isWhitespace || isHidden(scalar) else { return false }
      }
    }
    return false
  }

  /// The text with an apostrophe in front if a spreadsheet could run it as a formula. A text that already begins with
  /// such an apostrophe gets a second one, so that `unguarded` always restores the original.
  static func guarded(_ text: String) -> String {
    if startsFormula(text.utf8) { return plainDecimal(text) == nil ? "'" + text : text }
    return isGuard(text.utf8) ? "'" + text : text
  }

  /// Removes the apostrophe that `guarded` adds.
  package static func unguarded(_ text: String) -> String { isGuard(text.utf8) ? String(text.dropFirst()) : text }

  static func unguarded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { isGuard(text) ? text.dropFirst() : text }

  /// True if the text begins with an apostrophe followed by a formula, or by further apostrophes and a formula.
  private static func isGuard(_ text: some Collection<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "'") else { return false }
    return startsFormula(text.drop { $0 == UInt8(ascii: "'") })
  }

  /// The shortest decimal that reads back to the same value, without an exponent: `145`, `-111.8`, `0.00001`. NaN and
  /// infinities are replaced by the nearest finite number.
  package static func number(_ value: Double) -> String {
    let text = "\(finite(value))"
    guard let mark = text.firstIndex(where: { $0 == "e" }), let exponent = Int(text[text.index(after: mark)...]) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let mantissa = text[..<mark]
    let digits = mantissa.filter { $0.isNumber }
    let point = 1 + exponent
    let sign = value < 0 ? "-" : ""
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    return sign + digits + String(repeating: "0", count: max(0, point - digits.count))
  }

  /// A number that an import reads in only one way: three decimals get a trailing zero, because `1.234` could also mean
  /// 1,234.
  static func measure(_ value: Double) -> String {
    let text = number(value)
    return text.suffix(4).first == "." ? text + "0" : text
  }

  /// An amount of money with at least two decimals; more if the value has more.
  static func money(_ value: Double) -> String {
    let text = measure(value)
    guard let point = text.firstIndex(of: ".") else { return text + ".00" }
    return text.distance(from: point, to: text.endIndex) == 2 ? text + "0" : text
  }

  // MARK: Tables

  /// An empty customers file for users to fill in, with one example row. The volume heading names gallons, because a
  /// user might otherwise enter litres.
  package static let template: [String] = [
    line(CSVColumn.fillable.map { $0 == .poolVolume ? "pool_volume_gallons" : $0.rawValue }),
    line([
      "Example Customer", "1 Example St, Mesa, AZ 85201", "Mon", "145", "15000", "Delete this row", "33.4152",
      "-111.8315", "Erin Example", "+1 480 555 0100", "weekly,dog", "maria",
    ]),
  ]

  /// The header of a file of visits.
  ///
  /// - Parameter includesSanitiser: true adds free chlorine and salt; false if no visit has measured them.
  package static func visitHeader(includesSanitiser: Bool = false) -> String {
    line(
      [
        "visit_id", "pool_id", "customer_name", "at", "ph", "water_temp_f", "calcium_hardness", "total_alkalinity",
        "cyanuric_acid", "lsi", "chemical_cost", "notes", "currency",
      ] + (includesSanitiser ? [CSVColumn.freeChlorine, .salt].map(\.rawValue) : []))
  }

  /// The line of a visit, under `visitHeader`.
  package static func line(
    of visit: ServiceEvent, customer: String, currency: Currency, includesSanitiser: Bool = false,
    index: LSIMethod = .app
  ) -> String {
    let water = visit.readings
    /// The reading, or an empty cell if it was not measured at this visit.
    func reading(_ value: Double?, _ one: ReadingSet) -> String {
      visit.measured.contains(one) ? value.map(number) ?? "" : ""
    }
    let cells = [
      visit.id.description, visit.poolID.description, customer, visit.timestamp.description, reading(water.pH, .pH),
      reading(water.waterTempF, .waterTemp), reading(water.calciumHardness, .calciumHardness),
      reading(water.totalAlkalinity, .totalAlkalinity), reading(water.cyanuricAcid, .cyanuricAcid),
      visit.lsi(by: index).map(number) ?? "", decimalText(finite(visit.totalChemicalCost), places: 2),
      visit.techNotes, currency.rawValue,
    ]
    let sanitiser = [reading(water.freeChlorine, .freeChlorine), reading(water.salt, .salt)]
    return line(includesSanitiser ? cells + sanitiser : cells)
  }

  package static let stockHeader = line([
    "item_id", "name", "type", "stock_oz", "threshold_oz", "cost_per_oz", "concentration", "unit", "technician",
    "currency",
  ])

  /// The line of a stock item, under `stockHeader`; the technician is nil for the team's own stock.
  package static func line(of item: InventoryItem, technician: String?, currency: Currency) -> String {
    line([
      item.id.description, item.name, item.chemicalType, number(item.currentStockOz),
      number(item.lowStockThresholdOz), money(item.costPerOz), number(item.concentration), item.unitLabel,
      technician ?? "", currency.rawValue,
    ])
  }
}
