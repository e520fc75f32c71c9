/// Kind of chemical, by its effect on the water. The raw values are the app's.
package enum ChemicalType: String, Hashable, Sendable, CaseIterable, Codable {
  case acid, base, calcium, alkalinity, chlorine, stabilizer
  /// Advice to replace water; no chemical is added.
  case dilution
  /// No chemical.
  case none

  /// Kinds that can be kept in stock.
  package static let stockable: [ChemicalType] = [.acid, .base, .calcium, .alkalinity, .chlorine, .stabilizer]

  /// True if the chemical is measured by volume rather than weight in metric units. Source: golden file `formatting.json`.
  package var isLiquid: Bool { self == .acid || self == .chlorine }

  /// Default price per ounce, used if no stock item of this kind has a price. Source: product.md, Dosing.
  package var usualCostPerOz: Double {
    switch self {
    case .acid: 0.05
    case .base: 0.09
    case .calcium: 0.07
    case .alkalinity: 0.04
    case .chlorine: 0.02
    case .stabilizer: 0.12
    case .dilution, .none: 0
    }
  }
}
