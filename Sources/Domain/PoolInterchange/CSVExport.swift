package import PoolModel

/// Records as lines of a CSV file that a spreadsheet opens without running anything, and that our own import reads back.
///
/// RFC 4180, comma separated. A cell that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, or one
/// of their full-width forms, also behind spaces, or with tab or CR, and is no plain number) gets an apostrophe before it,
/// which the import takes away again. Source of the rule: OWASP, "CSV Injection".
package enum CSVExport {
  /// One line without its end.
  package static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

  private static func cell(_ text: String) -> String {
    let safe = guarded(withoutControls(text))
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }

  /// Whether a spreadsheet may take for a formula what begins so. Spaces, and what is not seen, are no help before it: some
  /// programs look past them.
  private static func startsFormula(_ text: some Collection<UInt8>) -> Bool {
    // Most cells begin with a letter or a digit.
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

  /// An apostrophe that stands where ours would gets one, too, so that taking one away is always right.
  static func guarded(_ text: String) -> String {
    if startsFormula(text.utf8) { return plainDecimal(text) == nil ? "'" + text : text }
    return isGuard(text.utf8) ? "'" + text : text
  }

  package static func unguarded(_ text: String) -> String { isGuard(text.utf8) ? String(text.dropFirst()) : text }

  static func unguarded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { isGuard(text) ? text.dropFirst() : text }

  /// `'` before a formula, or before another guard.
  private static func isGuard(_ text: some Collection<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "'") else { return false }
    return startsFormula(text.drop { $0 == UInt8(ascii: "'") })
  }

  /// The shortest digits that read back to the same value, without an exponent: `145`, `-111.8`, `0.00001`. What is no
  /// number is the one nearest to it.
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

  /// A number that an import cannot take for two: not three digits alone behind its mark, which may be thousands.
  static func measure(_ value: Double) -> String {
    let text = number(value)
    return text.suffix(4).first == "." ? text + "0" : text
  }

  /// A sum of money: two decimals, or all that the value has.
  static func money(_ value: Double) -> String {
    let text = measure(value)
    guard let point = text.firstIndex(of: ".") else { return text + ".00" }
    return text.distance(from: point, to: text.endIndex) == 2 ? text + "0" : text
  }

  // MARK: Tables

  /// A customers file to fill in, and one row that shows how each column is written. Its volumes name their unit, as who
  /// fills it in may count litres.
  package static let template: [String] = [
    line(CSVColumn.fillable.map { $0 == .poolVolume ? "pool_volume_gallons" : $0.rawValue }),
    line([
      "Example Customer", "1 Example St, Mesa, AZ 85201", "Mon", "145", "15000", "Delete this row", "33.4152",
      "-111.8315", "Erin Example", "+1 480 555 0100", "weekly,dog", "maria",
    ]),
  ]

  package static let visitHeader = line([
    "visit_id", "pool_id", "customer_name", "at", "ph", "water_temp_f", "calcium_hardness", "total_alkalinity",
    "cyanuric_acid", "lsi", "chemical_cost", "notes", "currency",
  ])

  package static func line(of visit: ServiceEvent, customer: String, currency: Currency) -> String {
    let water = visit.readings
    /// Empty where it was not measured at this visit.
    func reading(_ value: Double, _ one: ReadingSet) -> String { visit.measured.contains(one) ? number(value) : "" }
    return line([
      visit.id.description, visit.poolID.description, customer, visit.timestamp.description, reading(water.pH, .pH),
      reading(water.waterTempF, .waterTemp), reading(water.calciumHardness, .calciumHardness),
      reading(water.totalAlkalinity, .totalAlkalinity), reading(water.cyanuricAcid, .cyanuricAcid),
      visit.hasIndex ? number(visit.lsiValue) : "", decimalText(finite(visit.totalChemicalCost), places: 2),
      visit.techNotes, currency.rawValue,
    ])
  }

  package static let stockHeader = line([
    "item_id", "name", "type", "stock_oz", "threshold_oz", "cost_per_oz", "concentration", "unit", "technician",
    "currency",
  ])

  package static func line(of item: InventoryItem, technician: String?, currency: Currency) -> String {
    line([
      item.id.description, item.name, item.chemicalType, number(item.currentStockOz),
      number(item.lowStockThresholdOz), money(item.costPerOz), number(item.concentration), item.unitLabel,
      technician ?? "", currency.rawValue,
    ])
  }
}
