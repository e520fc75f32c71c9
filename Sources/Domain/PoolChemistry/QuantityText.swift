package import PoolModel

/// How much of a chemical, as a person would measure it.
package enum QuantityText {
  private static let gramsPerOz = UnitConversion.gramsPerOunce
  private static let millilitersPerOz = UnitConversion.millilitersPerOunce

  /// `15 oz`, `2 lb(s) 3 oz`, `1.5 gal`; `30 g`, `1.2 kg`, `950 mL`, `2.9 L`; an em dash for nothing.
  ///
  /// Imperial: below a pound ounces, below a gallon (128 oz) pounds and ounces, fractions cut off; from there gallons with
  /// one decimal, for dry chemicals too; by kind liquids are fluid ounces or gallons, the others ounces or pounds. Metric: liquids by volume, the others by weight; below 1,000 to the nearest ten.
  /// Source: PRODUCT.md, Quantities; golden file `formatting.json`.
  package static func text(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits = .app, isDry: Bool = false
  ) -> String {
    guard ounces > 0 else { return "\u{2014}" }
    switch units {
    case .imperial:
      switch doses {
      case .app: return ounces < ouncesPerGallon ? weight(ounces) : gallons(ounces)
      case .byKind where type.isLiquid && !isDry:
        return ounces < ouncesPerGallon ? "\(Int(ounces)) fl oz" : gallons(ounces)
      case .byKind: return weight(ounces)
      }
    case .metric:
      return type.isLiquid
        ? metric(ounces * millilitersPerOz, small: "mL", large: "L")
        : metric(ounces * gramsPerOz, small: "g", large: "kg")
    }
  }

  /// What lies on a shelf: as `text`, but what is weighed is weighed to any amount, so that what is there and what is
  /// needed can be compared; `0` for nothing.
  package static func stock(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits, isDry: Bool = false
  ) -> String {
    guard ounces > 0 else { return "0" }
    let isWeighed = units == .imperial && !(doses == .byKind && type.isLiquid && !isDry)
    return isWeighed ? weight(ounces) : text(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry)
  }

  private static let ouncesPerGallon = 128.0

  private static func gallons(_ ounces: Double) -> String {
    decimalText(ounces / ouncesPerGallon, places: 1) + " gal"
  }

  private static func weight(_ ounces: Double) -> String {
    let whole = ounces.rounded(.down)
    let pounds = (whole / 16).rounded(.down)
    let rest = decimalText(whole - pounds * 16, places: 0)
    return pounds < 1 ? "\(rest) oz" : "\(decimalText(pounds, places: 0)) lb(s) \(rest) oz"
  }

  private static func metric(_ amount: Double, small: String, large: String) -> String {
    guard amount < 1_000 else { return decimalText(amount / 1_000, places: 1) + " " + large }
    return "\(Int((amount / 10).rounded()) * 10) \(small)"
  }
}

extension ChemicalType {
  /// Tablets and powders of a kind that is else a liquid. Muriatic acid is sold up to 34 % and bleach up to 15 %; trichlor
  /// has 90 %, calcium hypochlorite 65 and more, dry acid 93.
  package func isDry(percent: Double) -> Bool { isLiquid && percent > 40 }
}

extension InventoryItem {
  package var isDry: Bool { ChemicalType(rawValue: chemicalType)?.isDry(percent: concentration) ?? false }
}
