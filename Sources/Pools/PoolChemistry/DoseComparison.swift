import FlowModel

/// The app's dose for a pH beside the dose of the carbonate equilibrium.
///
/// Source of the rule: `Dosing`; of the equilibrium: `CarbonateWater`. Example: pH 8.3, alkalinity 60, stabiliser 50, calcium
/// 250, solids 1,000 ppm, 77 °F and 12,500 gal: the rule says 114 fl oz, the equilibrium 15.3.
package struct DoseComparison: Hashable, Sendable {
  /// The rule's amount in whole ounces.
  package let ruleOz: Double
  package let carbonate: PHCorrection

  /// - Returns: nil if the recommendation adds neither acid nor soda ash for the pH.
  /// - Throws: `CarbonateFault` if the equilibrium gives no dose.
  package init?(_ recommendation: DoseRecommendation, in water: CarbonateWater, volumeGallons: Double)
    throws(CarbonateFault)
  {
    guard let target = recommendation.target else { return nil }
    switch recommendation.kind {
    case .lowerPH: carbonate = try water.acid(to: target, volumeGallons: volumeGallons)
    case .raisePH: carbonate = try water.base(to: target, volumeGallons: volumeGallons)
    case .raiseTA, .raiseCH, .lowerTA, .drain, .nudge, .balanced, .volumeRequired, .raiseFC: return nil
    }
    ruleOz = recommendation.quantityOz
  }

  /// The share of the equilibrium's amount from which the rule's is excessive: half more.
  package static let excess = 1.5

  /// Whether the rule's amount exceeds the equilibrium's by half or more.
  package var isExcessive: Bool { ruleOz >= Self.excess * carbonate.quantityOz }

  /// The amount with which to start, in whole ounces: the equilibrium's, rounded down to at least 1. Too little can be added
  /// to after a test, too much cannot be taken out.
  package var firstDoseOz: Double { max(1, carbonate.quantityOz.rounded(.down)) }
}
