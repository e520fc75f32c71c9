import Glibc
package import StableModel

extension ForecastHour {
  /// True if a blanket must be waterproof: from 0.2 mm of precipitation; without an amount, from a probability of 50 %.
  /// Dry without both.
  package var isWet: Bool {
    if let rain { return rain >= 0.2 }
    return (probability ?? 0) >= 50
  }

  /// The temperature in °C that a horse feels: the wind chill, less 5 °C in wet weather.
  ///
  /// The wind chill applies at 10 °C or less and in more than 4.8 km/h of wind. Source: Environment Canada and US
  /// National Weather Service, wind chill index of 2001, `13.12 + 0.6215 T − 11.37 v^0.16 + 0.3965 T v^0.16`, T in °C,
  /// v in km/h. Example: 10 °C in 20 km/h feel like 7.376 °C.
  package var felt: Double {
    var felt = air
    if air <= 10, let wind, wind > 4.8 {
      let power = pow(wind, 0.16)
      felt = 13.12 + 0.6215 * air - 11.37 * power + 0.3965 * air * power
    }
    return isWet ? felt - 5 : felt
  }
}

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
