package import PoolModel

/// What a form says about what somebody typed; nil where it is fine.
///
/// Source of limits and sentences: PRODUCT.md, Limits of a form; golden file `validation.json`. Both limits are allowed.
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

  /// Gallons or litres of a text that may name its unit: `15000`, `15000gal`, `56000 L`, `56m3`.
  ///
  /// - Parameter units: what a bare number counts.
  /// - Returns: the number without its unit, and what it counts.
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

  /// Ounces of an amount such as `12`, `12oz`, `2lb 3oz`, `900g`, `2.5 L`.
  ///
  /// Weights count ounces of weight and volumes fluid ounces, whatever is poured: the store knows only ounces.
  /// - Parameter units: what a bare number counts: ounces; for a metric team millilitres of what is poured by volume, else
  ///   grams.
  /// - Returns: nil for what is no amount.
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
        // A number without a unit stands alone.
        guard total == nil, rest.isEmpty else { return nil }
        return units == .imperial ? number : number / (type.isLiquid && !isDry ? millilitersPerOz : gramsPerOz)
      }
      guard let size = ouncesPerUnit[String(unit)] else { return nil }
      total = (total ?? 0) + number * size
    }
    return total
  }

  /// What an ounce costs: `0.05` or `1.60/lb`, `3.50/kg`, `2/L`; a bare number is an ounce's, for a metric team a litre's or
  /// a kilogram's.
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

  /// A plain decimal with a point, such as `12`, `-0.5`; nil for anything else, also for `1e3`, `nan` and `inf`.
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
  /// What is wanted, after a colon.
  package var sentence: String {
    "it is from \(decimalText(range.lowerBound, places: 0)) to \(decimalText(range.upperBound, places: 0))\(unit)"
  }
}

/// What a test kit can have said: beyond these somebody mistyped. Reasons stand beside `Limits`.
package enum ReadingCheck {
  /// The first reading that cannot be, as a sentence; nil where all can be.
  package static func complaint(about water: WaterReadings) -> ReadingComplaint? {
    let readings: [(String, Double?, NumberRule)] = [
      ("ph", water.pH, .pH), ("temp", water.waterTempF, .waterTempF), ("calcium", water.calciumHardness, .hardness),
      ("alkalinity", water.totalAlkalinity, .hardness), ("cya", water.cyanuricAcid, .cyanuricAcid),
      ("tds", water.totalDissolvedSolids, .dissolvedSolids),
    ]
    for (name, value, rule) in readings {
      guard let value, !rule.accepts(value) else { continue }
      return ReadingComplaint(field: name, value: "\(value)", why: rule.sentence)
    }
    return nil
  }
}

/// One reading that cannot be.
package struct ReadingComplaint: Hashable, Sendable {
  /// As the command line calls it.
  package let field: String
  package let value: String
  package let why: String
}
