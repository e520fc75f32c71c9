package import StableModel

extension BlanketAdvice {
  /// The blanket for a felt temperature: the one of the lowest limit above it. For unclipped horses all limits are 5 °C
  /// lower.
  ///
  /// - Parameter felt: in °C, not rounded.
  package static func advice(felt: Double, isWet: Bool, isClipped: Bool, limits: BlanketLimits) -> BlanketAdvice {
    let blankets: [BlanketAdvice] = [.sheet, .light, .medium, .heavy, .heavyLiner]
    var advice: BlanketAdvice = isWet ? .rainSheet : .none
    for (limit, blanket) in zip(limits.degrees, blankets) where felt < limit - (isClipped ? 0 : 5) { advice = blanket }
    return advice
  }
}
