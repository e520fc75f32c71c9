package import FlowModel

/// Conversion between imperial units, in which all values are stored, and metric units.
///
/// Source of the constants: product.md, Quantities; golden file `units.json`.
package enum UnitConversion {
  package static let litersPerGallon = 3.78541
  package static let gramsPerOunce = 28.3495
  package static let millilitersPerOunce = 29.5735

  /// Example: 78 °F is 25.555… °C.
  package static func celsius(fahrenheit: Double) -> Double { (fahrenheit - 32) * 5 / 9 }
  package static func fahrenheit(celsius: Double) -> Double { celsius * 9 / 5 + 32 }
  package static func liters(gallons: Double) -> Double { gallons * litersPerGallon }
  package static func gallons(liters: Double) -> Double { liters / litersPerGallon }
  package static func grams(ounces: Double) -> Double { ounces * gramsPerOunce }

  /// Price per litre for chemicals measured by volume, per kilogram for others.
  package static func costPerKilogramOrLiter(perOunce cost: Double, isLiquid: Bool) -> Double {
    finite(cost / (isLiquid ? millilitersPerOunce : gramsPerOunce) * 1_000)
  }

  /// Temperature for display: whole degrees, ties away from zero. Source: golden file `units.json`.
  package static func wholeDegrees(fahrenheit: Double, in units: UnitSystem) -> Double {
    switch units {
    case .imperial: fahrenheit.rounded()
    case .metric: celsius(fahrenheit: fahrenheit).rounded()
    }
  }
}
