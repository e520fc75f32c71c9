import Glibc
package import StableModel

extension ForecastHour {
  /// Whether a blanket has to be waterproof: an amount decides, without one the probability; without both it is dry.
  package var isWet: Bool {
    if let rain { return rain >= 0.2 }
    return (probability ?? 0) >= 50
  }

  /// How cold a horse feels the hour, °C: the wind chill, and 5 °C less where it is wet.
  ///
  /// Wind chill at 10 °C and less in more than 4.8 km/h of wind. Source: Environment Canada and US National Weather
  /// Service, wind chill index of 2001, `13.12 + 0.6215 T − 11.37 v^0.16 + 0.3965 T v^0.16`, T in °C, v in km/h.
  /// Example: 10 °C in 20 km/h feel like 7.376 °C.
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
  /// The lowest limit that is not reached decides; unclipped horses are 5 °C hardier.
  ///
  /// - Parameter felt: °C, not rounded.
  package static func advice(felt: Double, isWet: Bool, isClipped: Bool, limits: BlanketLimits) -> BlanketAdvice {
    let blankets: [BlanketAdvice] = [.sheet, .light, .medium, .heavy, .heavyLiner]
    var advice: BlanketAdvice = isWet ? .rainSheet : .none
    for (limit, blanket) in zip(limits.degrees, blankets) where felt < limit - (isClipped ? 0 : 5) { advice = blanket }
    return advice
  }
}
