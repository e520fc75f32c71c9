/// The clock format of a team.
package enum ClockFormat: String, Sendable, CaseIterable, Codable {
  /// The usual format for the team's language and units.
  case automatic = "auto"
  case twelveHours = "12h"
  case twentyFourHours = "24h"

  /// Whether times use a 24-hour clock. `automatic` means 12 hours for English with imperial units (the United States), 24
  /// hours otherwise.
  package func uses24HourClock(language: Language, units: UnitSystem) -> Bool {
    switch self {
    case .automatic: !(language == .english && units == .imperial)
    case .twelveHours: false
    case .twentyFourHours: true
    }
  }
}

/// The currency of a team's fees and costs. The store contains plain numbers, like the app.
package enum Currency: String, Sendable, CaseIterable, Codable {
  case usDollar = "USD"
  case euro = "EUR"
  case real = "BRL"
  case pound = "GBP"
  case canadianDollar = "CAD"
  case australianDollar = "AUD"
  case mexicanPeso = "MXN"
  case franc = "CHF"

  /// The default currency of a team. The zone's country decides; the language decides only if the zone's country is unknown.
  package static func usual(language: Language, zone: String) -> Currency {
    if let region = Region(zone: zone) { return region.currency }
    return language == .portuguese ? .real : .usDollar
  }
}
