/// How a team's clocks are read out.
package enum ClockFormat: String, Sendable, CaseIterable, Codable {
  /// What the team's language and units suggest.
  case automatic = "auto"
  case twelveHours = "12h"
  case twentyFourHours = "24h"

  /// English with imperial units is the United States, which count to twelve twice; everybody else counts on.
  package func countsOn(language: Language, units: UnitSystem) -> Bool {
    switch self {
    case .automatic: !(language == .english && units == .imperial)
    case .twelveHours: false
    case .twentyFourHours: true
    }
  }
}

/// The money in which a team's fees and costs are; the store keeps bare numbers, as the app does.
package enum Currency: String, Sendable, CaseIterable, Codable {
  case usDollar = "USD"
  case euro = "EUR"
  case real = "BRL"
  case pound = "GBP"
  case canadianDollar = "CAD"
  case australianDollar = "AUD"
  case mexicanPeso = "MXN"
  case franc = "CHF"

  /// What a team of this language and zone most likely means, until it says otherwise.
  package static func usual(language: Language, zone: String) -> Currency {
    switch zone {
    case "Europe/London", "Europe/Belfast", "GB": return .pound
    case "Europe/Zurich": return .franc
    case "America/Toronto", "America/Vancouver", "America/Montreal", "America/Halifax", "America/Winnipeg",
      "America/Edmonton", "America/Regina":
      return .canadianDollar
    case "America/Mexico_City", "America/Monterrey", "America/Tijuana", "America/Cancun": return .mexicanPeso
    default: break
    }
    if zone.hasPrefix("Australia/") { return .australianDollar }
    if zone.hasPrefix("Europe/") { return .euro }
    return language == .portuguese ? .real : .usDollar
  }
}
