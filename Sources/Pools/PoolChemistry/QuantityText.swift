package import FlowModel
package import PoolModel

/// Formats amounts of chemicals for display.
package enum QuantityText {
  private static let gramsPerOz = UnitConversion.gramsPerOunce
  private static let millilitersPerOz = UnitConversion.millilitersPerOunce

  /// Formats an amount: `15 oz`, `2 lb(s) 3 oz`, `1.5 gal`; `30 g`, `1.2 kg`, `950 mL`, `2.9 L`; an em dash for 0.
  ///
  /// Imperial, app style: ounces below a pound, pounds and ounces below a gallon (128 oz), both truncated; from a gallon on,
  /// gallons with one decimal, for dry chemicals too. Imperial by kind: liquids in fluid ounces or gallons, other chemicals in
  /// ounces or pounds. Metric: liquids by volume, tablets, powders and other chemicals by weight; below 1,000 rounded to the
  /// nearest ten. Source: product.md, Quantities; golden file `formatting.json`.
  ///
  /// - Parameter largest: the largest amount shown beside this one; if it is shown in gallons, so is this one.
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
      case .byKind: return weight(ounces, unit: "lb")
      }
    case .metric:
      return type.isLiquid && !isDry
        ? metric(ounces * millilitersPerOz, small: "mL", large: "L")
        : metric(ounces * gramsPerOz, small: "g", large: "kg")
    }
  }

  /// The amount in ounces after rounding as in `text`. Differences are computed from these values, so that they agree with the
  /// displayed amounts.
  package static func shownAmount(
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

  /// Formats an amount in stock like `text`, for comparison with an amount needed; `0` if there is none.
  package static func stock(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits, isDry: Bool = false,
    besides largest: Double = 0
  ) -> String {
    ounces > 0 ? text(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry, besides: largest) : "0"
  }

  private static let ouncesPerGallon = 128.0

  /// Gallons with one decimal; two decimals below one gallon.
  private static func gallons(_ ounces: Double) -> String {
    decimalText(ounces / ouncesPerGallon, places: ounces < ouncesPerGallon ? 2 : 1) + " gal"
  }

  /// Whole ounces, or pounds and ounces from a pound on; fractions are truncated.
  private static func weight(_ ounces: Double, unit: String = "lb(s)") -> String {
    let whole = ounces.rounded(.down)
    let pounds = (whole / 16).rounded(.down)
    let rest = decimalText(whole - pounds * 16, places: 0)
    return pounds < 1 ? "\(rest) oz" : "\(decimalText(pounds, places: 0)) \(unit) \(rest) oz"
  }

  /// Amount in grams or millilitres, rounded to ten; from 1,000 on in the large unit with one decimal.
  private static func metric(_ amount: Double, small: String, large: String) -> String {
    guard amount < 1_000 else { return decimalText(amount / 1_000, places: 1) + " " + large }
    return "\(Int((amount / 10).rounded()) * 10) \(small)"
  }
}

extension ChemicalType {
  /// True for tablets and powders of a kind that is usually liquid. Muriatic acid is sold up to 34 % and bleach up to 15 %;
  /// trichlor has 90 %, calcium hypochlorite at least 65 %, dry acid 93 %. Acid of 100 % is an acid whose percentage was not
  /// entered.
  package func isDry(percent: Double) -> Bool { isLiquid && percent > 40 && !(self == .acid && percent == 100) }

  /// The same for a stock item, whose unit decides if it is a unit of weight or volume.
  package func isDry(percent: Double, unit: String) -> Bool {
    isLiquid && (AmountUnit.isWeight(unit) ?? isDry(percent: percent))
  }
}

extension InventoryItem {
  package var isDry: Bool {
    ChemicalType(rawValue: chemicalType)?.isDry(percent: concentration, unit: unitLabel) ?? false
  }
}

/// Classifies unit names.
package enum AmountUnit {
  /// True for a unit of weight, false for a unit of volume; nil for ounces, which can be both, and for unknown names.
  package static func isWeight(_ unit: some StringProtocol) -> Bool? {
    switch unit.lowercased() {
    case "lb", "lbs", "g", "kg": true
    case "gal", "ml", "l", "fl oz": false
    default: nil
    }
  }

  /// The unit in a typed amount or price that implies weight or volume: `kg` in `10 kg` or `3.50/kg`; nil if there is none.
  package static func named(in text: String) -> String? {
    text.lowercased().split { !$0.isLetter }.first { isWeight($0) != nil }.map(String.init)
  }
}
