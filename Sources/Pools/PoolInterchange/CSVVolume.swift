import FlowModel
import PoolChemistry

/// The unit of a volume in a customers file.
enum CSVVolumeUnit: Hashable, Sendable {
  case gallons, litres, cubicMetres

  /// The unit that a heading names: `Gallons`, `Volume (L)`, `Beckenvolumen m³`; nil if it names none.
  ///
  /// - Parameter heading: the heading after `CSVColumn.normalized`.
  init?(heading: String) {
    guard let unit = Self.parts(of: heading).unit else { return nil }
    self = unit
  }

  /// True if a heading that the app does not know is a volume: a unit alone (`Gallons`), or a word for volume with or
  /// without a unit.
  static func isVolume(_ heading: String) -> Bool {
    let (base, unit) = parts(of: heading)
    return base.isEmpty ? unit != nil && heading.count > 1 : volumes.contains(base)
  }

  init(_ units: UnitSystem) { self = units == .metric ? .litres : .gallons }

  func gallons(_ number: Double) -> Double {
    switch self {
    case .gallons: number
    case .litres: UnitConversion.gallons(liters: number)
    case .cubicMetres: UnitConversion.gallons(liters: number * 1_000)
    }
  }

  /// Splits a cell such as `56,000 L` into its number and its unit; nil if there is no known unit.
  static func split(_ text: String) -> (number: Substring, unit: CSVVolumeUnit?) {
    let number = text.prefix { !$0.isLetter }
    let tail = text[number.endIndex...].lowercased()
    let name = tail.last == "." ? String(tail.dropLast()) : tail
    guard !name.isEmpty, let unit = units[name] else { return (text[...], nil) }
    return (number, unit)
  }

  private static func parts(of heading: String) -> (base: String, unit: CSVVolumeUnit?) {
    var unit: CSVVolumeUnit?
    let words = heading.split(separator: "_").filter { word in
      guard let named = units[String(word)] else { return true }
      unit = unit ?? named
      return false
    }
    return (words.filter { $0 != "us" && $0 != "in" }.joined(separator: "_"), unit)
  }

  private static let units: [String: CSVVolumeUnit] = {
    var units: [String: CSVVolumeUnit] = [:]
    for (unit, names) in [
      (CSVVolumeUnit.gallons, "gal gals gallon gallons galones galón galões galão gallonen"),
      (.litres, "l lt ltr ltrs liter liters litre litres litro litros"),
      (.cubicMetres, "m3 m³ cbm kubikmeter cubic_metres cubic_meters metros_cúbicos mètres_cubes"),
    ] {
      for name in names.split(separator: " ") { units[String(name)] = unit }
    }
    return units
  }()

  private static let volumes: Set<String> = [
    "volume", "pool_volume", "pool_size", "pool_capacity", "capacity", "water_volume", "volumen", "poolvolumen",
    "beckenvolumen", "beckeninhalt", "wasservolumen", "inhalt", "volumen_de_la_piscina", "volumen_piscina", "capacidad",
    "volume_de_la_piscine", "volume_piscine", "volume_bassin", "capacité", "volume_da_piscina", "volume_piscina",
    "capacidade",
  ]
}
