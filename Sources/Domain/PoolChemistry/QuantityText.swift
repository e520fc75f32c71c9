package import PoolModel

/// How much of a chemical, as a person would measure it.
package enum QuantityText {
  private static let gramsPerOz = UnitConversion.gramsPerOunce
  private static let millilitersPerOz = UnitConversion.millilitersPerOunce

  /// `15 oz`, `2 lb(s) 3 oz`, `1.5 gal`; `30 g`, `1.2 kg`, `950 mL`, `2.9 L`; an em dash for nothing.
  ///
  /// Imperial: below a pound ounces, below a gallon (128 oz) pounds and ounces, fractions cut off; from there gallons with
  /// one decimal, for dry chemicals too; by kind liquids are fluid ounces or gallons, the others ounces or pounds. Metric:
  /// liquids by volume, tablets, powders and all others by weight; below 1,000 to the nearest ten.
  /// Source: PRODUCT.md, Quantities; golden file `formatting.json`.
  ///
  /// - Parameter largest: of the amounts of the same chemical that a reader compares this one with: where that is told in
  ///   gallons, this one is, too.
  package static func text(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits = .app, isDry: Bool = false,
    besides largest: Double = 0
  ) -> String {
    guard ounces > 0 else { return "\u{2014}" }
    let isGallons = max(ounces, largest) >= ouncesPerGallon
    switch units {
    case .imperial:
      switch doses {
      case .app: return isGallons ? gallons(ounces) : weight(ounces)
      case .byKind where type.isLiquid && !isDry: return isGallons ? gallons(ounces) : "\(Int(ounces)) fl oz"
      case .byKind: return weight(ounces)
      }
    case .metric:
      return type.isLiquid && !isDry
        ? metric(ounces * millilitersPerOz, small: "mL", large: "L")
        : metric(ounces * gramsPerOz, small: "g", large: "kg")
    }
  }

  /// An amount as `text` tells it, in ounces: what is missing is worked out of these, so that a reader who subtracts the two
  /// amounts that are shown comes to the same.
  package static func told(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits = .app, isDry: Bool = false,
    besides largest: Double = 0
  ) -> Double {
    let isLiquid = type.isLiquid && !isDry
    switch units {
    case .imperial:
      let isGallons = max(ounces, largest) >= ouncesPerGallon && (doses == .app || isLiquid)
      guard isGallons else { return ounces.rounded(.down) }
      return shown(ounces / ouncesPerGallon, places: ounces < ouncesPerGallon ? 2 : 1) * ouncesPerGallon
    case .metric:
      let perOunce = isLiquid ? millilitersPerOz : gramsPerOz
      let amount = ounces * perOunce
      return (amount < 1_000 ? (amount / 10).rounded() * 10 : shown(amount / 1_000, places: 1) * 1_000) / perOunce
    }
  }

  /// What is in stock: as `text`, so that it can be compared with what is needed; `0` for nothing.
  package static func stock(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits, isDry: Bool = false,
    besides largest: Double = 0
  ) -> String {
    ounces > 0 ? text(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry, besides: largest) : "0"
  }

  private static let ouncesPerGallon = 128.0

  /// Less than a gallon stands beside more than one: it has a digit more.
  private static func gallons(_ ounces: Double) -> String {
    decimalText(ounces / ouncesPerGallon, places: ounces < ouncesPerGallon ? 2 : 1) + " gal"
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
  /// has 90 %, calcium hypochlorite 65 and more, dry acid 93. Acid of 100 % is one whose percentage was not said.
  package func isDry(percent: Double) -> Bool { isLiquid && percent > 40 && !(self == .acid && percent == 100) }

  /// The same of a stock item, whose unit tells it where it is one of weight or of volume.
  package func isDry(percent: Double, unit: String) -> Bool {
    isLiquid && (AmountUnit.isWeight(unit) ?? isDry(percent: percent))
  }
}

extension InventoryItem {
  package var isDry: Bool {
    ChemicalType(rawValue: chemicalType)?.isDry(percent: concentration, unit: unitLabel) ?? false
  }
}

/// What the name of a unit says about what is measured with it.
package enum AmountUnit {
  /// True for a unit of weight, false for one of volume; nil for an ounce, which is both, and for all other words.
  package static func isWeight(_ unit: some StringProtocol) -> Bool? {
    switch unit.lowercased() {
    case "lb", "lbs", "g", "kg": true
    case "gal", "ml", "l", "fl oz": false
    default: nil
    }
  }

  /// The unit of a typed amount or price that says which of the two it is: `kg` of `10 kg`, `3.50/kg`; nil for none.
  package static func named(in text: String) -> String? {
    text.lowercased().split { !$0.isLetter }.first { isWeight($0) != nil }.map(String.init)
  }
}
