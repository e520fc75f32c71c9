/// The country of a time zone, where default units, currency or water values depend on it.
///
/// Source: `zone.tab` and the older names of `backward`, tz database 2025b.
package enum Region: Sendable, CaseIterable {
  case unitedStates
  case canada
  case mexico
  case brazil
  case australia
  case unitedKingdom
  case switzerland
  /// European zones that have no case of their own here; most of these countries use the euro.
  case europe

  /// - Parameter zone: a name of the tz database, such as `America/Phoenix`.
  /// - Returns: nil if the zone has no such country: `UTC`, `Asia/Tokyo`.
  package init?(zone: String) {
    if let region = Self.regionsByZone[zone] {
      self = region
    } else if let region = Self.regionsByPrefix.first(where: { zone.hasPrefix($0.prefix) })?.region {
      self = region
    } else {
      return nil
    }
  }

  /// The ISO 3166 code of a zone's country if new pools there have special default values; empty for a country with the
  /// general defaults. Source: product.md, Quantities.
  ///
  /// - Returns: nil if the zone's country is unknown.
  package static func country(ofZone zone: String) -> String? {
    switch zone {
    case "Europe/Berlin", "Europe/Busingen": return "DE"
    case "Europe/Madrid", "Atlantic/Canary", "Africa/Ceuta": return "ES"
    default: break
    }
    guard let region = Region(zone: zone) else { return nil }
    switch region {
    case .unitedStates: return "US"
    case .canada: return "CA"
    case .brazil: return "BR"
    case .unitedKingdom: return "GB"
    case .mexico, .australia, .switzerland, .europe: return ""
    }
  }

  /// The default units of a team in this region. Source: product.md, Quantities: only the United States use imperial units.
  package var units: UnitSystem { self == .unitedStates ? .imperial : .metric }

  package var currency: Currency {
    switch self {
    case .unitedStates: .usDollar
    case .canada: .canadianDollar
    case .mexico: .mexicanPeso
    case .brazil: .real
    case .australia: .australianDollar
    case .unitedKingdom: .pound
    case .switzerland: .franc
    case .europe: .euro
    }
  }
}

extension Region {
  /// Prefixes of zone names that belong to one country; exceptions are in `regionsByZone`.
  private static let regionsByPrefix: [(prefix: String, region: Region)] = [
    ("US/", .unitedStates), ("America/Indiana/", .unitedStates), ("America/Kentucky/", .unitedStates),
    ("America/North_Dakota/", .unitedStates), ("Canada/", .canada), ("Mexico/", .mexico), ("Brazil/", .brazil),
    ("Australia/", .australia), ("Europe/", .europe),
  ]

  private static let regionsByZone: [String: Region] = {
    var regions: [String: Region] = [
      "Navajo": .unitedStates, "Pacific/Honolulu": .unitedStates, "Pacific/Johnston": .unitedStates,
      "HST": .unitedStates, "MST": .unitedStates, "EST": .unitedStates,
      "EST5EDT": .unitedStates, "CST6CDT": .unitedStates, "MST7MDT": .unitedStates, "PST8PDT": .unitedStates,
      "Europe/London": .unitedKingdom, "Europe/Belfast": .unitedKingdom, "Europe/Guernsey": .unitedKingdom,
      "Europe/Isle_of_Man": .unitedKingdom, "Europe/Jersey": .unitedKingdom, "GB": .unitedKingdom,
      "GB-Eire": .unitedKingdom, "Europe/Zurich": .switzerland, "Europe/Vaduz": .switzerland,
      "Atlantic/Canary": .europe, "Atlantic/Madeira": .europe, "Atlantic/Azores": .europe, "Portugal": .europe,
      "Eire": .europe,
    ]
    for (region, cities) in americanCities {
      for city in cities.split(whereSeparator: \.isWhitespace) { regions["America/\(city)"] = region }
    }
    return regions
  }()

  private static let americanCities: [(Region, String)] = [
    (
      .unitedStates,
      """
      Adak Anchorage Atka Boise Chicago Denver Detroit Fort_Wayne Indianapolis Juneau Knox_IN Los_Angeles Louisville
      Menominee Metlakatla New_York Nome Phoenix Shiprock Sitka Yakutat
      """
    ),
    (
      .canada,
      """
      Atikokan Blanc-Sablon Cambridge_Bay Coral_Harbour Creston Dawson Dawson_Creek Edmonton Fort_Nelson Glace_Bay
      Goose_Bay Halifax Inuvik Iqaluit Moncton Montreal Nipigon Pangnirtung Rainy_River Rankin_Inlet Regina Resolute
      St_Johns Swift_Current Thunder_Bay Toronto Vancouver Whitehorse Winnipeg Yellowknife
      """
    ),
    (
      .mexico,
      """
      Bahia_Banderas Cancun Chihuahua Ciudad_Juarez Ensenada Hermosillo Matamoros Mazatlan Merida Mexico_City Monterrey
      Ojinaga Santa_Isabel Tijuana
      """
    ),
    (
      .brazil,
      """
      Araguaina Bahia Belem Boa_Vista Campo_Grande Cuiaba Eirunepe Fortaleza Maceio Manaus Noronha Porto_Acre Porto_Velho
      Recife Rio_Branco Santarem Sao_Paulo
      """
    ),
  ]
}

extension UnitSystem {
  /// The country whose default values a new pool gets if the zone has none: the United States for imperial units.
  package var usualCountry: String { self == .imperial ? "US" : "" }
}
