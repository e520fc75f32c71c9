package import FlowModel
package import PoolModel

/// Validation of form fields: each check returns an error message, or nil for a valid text.
///
/// Source of limits and messages: product.md, Limits of a form; golden file `validation.json`. Limits are inclusive.
package enum FieldCheck {
  package static func monthlyFee(_ text: String) -> String? {
    guard !trimmingSpaces(text).isEmpty else { return "Enter monthly fee" }
    guard let fee = number(text) else { return "Enter a valid number" }
    return fee > 0 ? nil : "Fee must be greater than 0"
  }

  /// - Parameter text: gallons, or litres for a metric team.
  package static func poolVolume(_ text: String, units: UnitSystem) -> String? {
    guard !trimmingSpaces(text).isEmpty else { return "Enter pool volume" }
    guard let volume = number(text) else { return "Enter a valid number" }
    switch units {
    case .imperial:
      if volume < volumeGallons.lowerBound { return "Minimum 1,000 gal" }
      return volume > volumeGallons.upperBound ? "Maximum 200,000 gal" : nil
    case .metric:
      if volume < volumeLiters.lowerBound { return "Minimum 3,785 L" }
      return volume > volumeLiters.upperBound ? "Maximum 757,082 L" : nil
    }
  }

  package static let volumeGallons: ClosedRange<Double> = 1_000...200_000
  package static let volumeLiters: ClosedRange<Double> = 3_785...757_082

  /// Splits a volume that may contain a unit: `15000`, `15000gal`, `56000 L`, `56m3`.
  ///
  /// - Parameter units: unit system of a number without unit.
  /// - Returns: the number as text (cubic metres converted to litres), and its unit system: gallons or litres.
  package static func volume(_ text: String, units: UnitSystem) -> (number: String, units: UnitSystem) {
    let lower = trimmingSpaces(text).lowercased()
    for (unit, system) in [("gal", UnitSystem.imperial), ("l", .metric)] where lower.hasSuffix(unit) {
      guard number(lower.dropLast(unit.count)) != nil else { break }
      return (trimmingSpaces(lower.dropLast(unit.count)), system)
    }
    for unit in ["m3", "m³"] where lower.hasSuffix(unit) {
      guard let cubic = number(lower.dropLast(unit.count)) else { break }
      return (decimalText(cubic * 1_000, places: 0), .metric)
    }
    return (text, units)
  }

  /// US gallons of a volume that may contain a unit, as `volume` takes it.
  package static func gallons(_ text: String, units: UnitSystem) throws(FieldFault) -> Double {
    let (digits, units) = volume(text, units: units)
    if let why = poolVolume(digits, units: units) { throw FieldFault(why: why) }
    let number = number(digits) ?? 0
    return units == .metric ? UnitConversion.gallons(liters: number) : number
  }

  /// Parses an amount such as `12`, `12oz`, `2lb 3oz`, `900g` or `2.5 L`.
  ///
  /// Weights become ounces and volumes fluid ounces, for any chemical: the store has only ounces.
  /// - Parameter units: unit system of a number without unit: ounces, or for a metric team millilitres (liquids) or grams.
  /// - Returns: ounces, or nil if the text is not an amount.
  package static func ounces(
    _ text: some StringProtocol, of type: ChemicalType, isDry: Bool = false, units: UnitSystem
  ) -> Double? {
    var rest = trimmingSpaces(text.lowercased().replacing("lb(s)", with: "lb"))[...]
    var total: Double?
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
      guard let number = number(digits) else { return nil }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard !unit.isEmpty else {
        // A number without a unit must be the whole text.
        guard total == nil, rest.isEmpty else { return nil }
        return units == .imperial ? number : number / (type.isLiquid && !isDry ? millilitersPerOz : gramsPerOz)
      }
      guard let size = ouncesPerUnit[String(unit)] else { return nil }
      total = (total ?? 0) + number * size
    }
    return total
  }

  /// Parses a price: `0.05` or `1.60/lb`, `3.50/kg`, `2/L`; without a unit it is per ounce, for a metric team per litre or
  /// kilogram.
  ///
  /// - Returns: the price per ounce, or nil if the text is not a price.
  package static func costPerOunce(
    _ text: String, of type: ChemicalType, isDry: Bool = false, units: UnitSystem
  ) -> Double? {
    let parts = text.lowercased().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let cost = number(parts[0]) else { return nil }
    let metric = type.isLiquid && !isDry ? "l" : "kg"
    let unit = parts.count == 2 ? trimmingSpaces(parts[1]) : units == .imperial ? "oz" : metric
    return ouncesPerUnit[unit].map { cost / $0 }
  }

  private static let gramsPerOz = UnitConversion.gramsPerOunce
  private static let millilitersPerOz = UnitConversion.millilitersPerOunce
  private static let ouncesPerUnit: [String: Double] = [
    "oz": 1, "lb": 16, "lbs": 16, "gal": 128, "g": 1 / gramsPerOz, "kg": 1_000 / gramsPerOz,
    "ml": 1 / millilitersPerOz, "l": 1_000 / millilitersPerOz,
  ]

  /// Parses a plain decimal such as `12` or `-0.5`; nil for other texts, including `1e3`, `nan` and `inf`.
  package static func number(_ text: some StringProtocol) -> Double? {
    let trimmed = trimmingSpaces(text)
    let digits = trimmed.hasPrefix("-") || trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed[...]
    guard digits.utf8.contains(where: { (48...57).contains($0) }), digits.utf8.count <= 24,
      digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }), digits.utf8.count(where: { $0 == 46 }) <= 1
    else { return nil }
    return Double(trimmed)
  }
}

extension NumberRule {
  /// The valid range, as the end of an error message.
  package var sentence: String {
    "must be between \(decimalText(range.lowerBound, places: 0)) and \(decimalText(range.upperBound, places: 0))\(unit)"
  }
}

/// Plausibility check of readings: values outside these ranges are typing errors. `Limits` documents the ranges.
package enum ReadingCheck {
  /// The first implausible reading; nil if all are plausible.
  package static func complaint(about water: WaterReadings) -> ReadingComplaint? {
    let readings: [(String, Double?, NumberRule)] = [
      ("ph", water.pH, .pH), ("temp", water.waterTempF, .waterTempF), ("calcium", water.calciumHardness, .hardness),
      ("alkalinity", water.totalAlkalinity, .hardness), ("cya", water.cyanuricAcid, .cyanuricAcid),
      ("tds", water.totalDissolvedSolids, .dissolvedSolids), ("free-chlorine", water.freeChlorine, .freeChlorine),
      ("salt", water.salt, .salt),
    ]
    for (name, value, rule) in readings {
      guard let value, !rule.accepts(value) else { continue }
      return ReadingComplaint(field: name, value: "\(value)", why: rule.sentence)
    }
    return nil
  }
}

/// An implausible reading.
package struct ReadingComplaint: Hashable, Sendable {
  /// Name of the command-line option.
  package let field: String
  package let value: String
  package let why: String
}

/// Why a text is not accepted as the value of a field.
package struct FieldFault: Error {
  package let why: String
}
