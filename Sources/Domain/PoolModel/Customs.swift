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

  /// What a team of this language and zone most likely means, until it says otherwise. The zone's country decides; the
  /// language is asked only where the zone names none that we know.
  package static func usual(language: Language, zone: String) -> Currency {
    if let region = Region(zone: zone) { return region.currency }
    return language == .portuguese ? .real : .usDollar
  }
}
