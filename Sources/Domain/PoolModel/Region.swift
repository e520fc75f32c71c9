/// The country that a time zone names, where units or money hang on it.
///
/// Source of the names: `zone.tab` and the older names of `backward`, tz database 2025b.
package enum Region: Sendable, CaseIterable {
  case unitedStates
  case canada
  case mexico
  case brazil
  case australia
  case unitedKingdom
  case switzerland
  /// The European zones of no other case here, most of which pay in euros.
  case europe

  /// - Parameter zone: a name of the tz database, such as `America/Phoenix`.
  /// - Returns: nil where the zone names no such country: `UTC`, `Asia/Tokyo`.
  package init?(zone: String) {
    if let region = Self.ofZones[zone] {
      self = region
    } else if let region = Self.ofPrefixes.first(where: { zone.hasPrefix($0.prefix) })?.region {
      self = region
    } else {
      return nil
    }
  }

  /// The ISO 3166 code of a zone's country, where that decides what a new pool usually has; empty for a country that has what
  /// most have. Source: product.md, Quantities.
  ///
  /// - Returns: nil where the zone names no country that we know.
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

  /// What a team of this region usually has. Source: product.md, Quantities: imperial units are for the United States
  /// alone.
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
  /// Zones of these are of one country each; `ofZones` has what differs.
  private static let ofPrefixes: [(prefix: String, region: Region)] = [
    ("US/", .unitedStates), ("America/Indiana/", .unitedStates), ("America/Kentucky/", .unitedStates),
    ("America/North_Dakota/", .unitedStates), ("Canada/", .canada), ("Mexico/", .mexico), ("Brazil/", .brazil),
    ("Australia/", .australia), ("Europe/", .europe),
  ]

  private static let ofZones: [String: Region] = {
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
  /// The country whose values a new pool has where the zone names none: imperial units are for the United States alone.
  package var usualCountry: String { self == .imperial ? "US" : "" }
}
