package import PoolModel

/// How much of a chemical, as a person would measure it.
package enum QuantityText {
  private static let gramsPerOz = UnitConversion.gramsPerOunce
  private static let millilitersPerOz = UnitConversion.millilitersPerOunce

  /// `15 oz`, `2 lb(s) 3 oz`, `1.5 gal`; `30 g`, `1.2 kg`, `950 mL`, `2.9 L`; an em dash for nothing.
  ///
  /// Imperial: below a pound ounces, below a gallon (128 oz) pounds and ounces, fractions cut off; from there gallons with
  /// one decimal, for dry chemicals too. Metric: liquids by volume, the others by weight; below 1,000 to the nearest ten.
  /// Source: PRODUCT.md, Quantities; golden file `formatting.json`.
  package static func text(ounces: Double, of type: ChemicalType, in units: UnitSystem) -> String {
    guard ounces > 0 else { return "\u{2014}" }
    switch units {
    case .imperial: return imperial(ounces)
    case .metric:
      return type.isLiquid
        ? metric(ounces * millilitersPerOz, small: "mL", large: "L")
        : metric(ounces * gramsPerOz, small: "g", large: "kg")
    }
  }

  private static func imperial(_ ounces: Double) -> String {
    guard ounces < 128 else { return decimalText(ounces / 128, places: 1) + " gal" }
    let whole = Int(ounces)
    return whole < 16 ? "\(whole) oz" : "\(whole / 16) lb(s) \(whole % 16) oz"
  }

  private static func metric(_ amount: Double, small: String, large: String) -> String {
    guard amount < 1_000 else { return decimalText(amount / 1_000, places: 1) + " " + large }
    return "\(Int((amount / 10).rounded()) * 10) \(small)"
  }
}
