/// What a chemical does to the water. The words are the app's.
package enum ChemicalType: String, Hashable, Sendable, CaseIterable, Codable {
  case acid, base, calcium, alkalinity, chlorine, stabilizer
  /// Advice to exchange water; nothing is poured.
  case dilution
  /// No chemical at all.
  case none

  /// What can stand on a shelf.
  package static let stockable: [ChemicalType] = [.acid, .base, .calcium, .alkalinity, .chlorine, .stabilizer]

  /// Measured by volume, not by weight, where units are metric. Source: golden file `formatting.json`.
  package var isLiquid: Bool { self == .acid || self == .chlorine }

  /// What an ounce costs where no stock item of this kind names a price. Source: PRODUCT.md, Dosing.
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
