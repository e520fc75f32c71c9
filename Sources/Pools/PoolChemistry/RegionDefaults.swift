package import FlowModel
package import PoolModel

/// Default values of a new pool, by country.
///
/// Source: product.md, Water and Quantities; golden file `regions.json`. Only the US gets imperial units.
package struct RegionDefaults: Hashable, Sendable {
  package private(set) var volumeGallons: Double
  package let readings: WaterReadings
  package let monthlyServiceFee: Double
  package let units: UnitSystem

  /// - Parameter region: ISO 3166 country code in any case, such as `US`; an unknown code gets the general defaults.
  package init(region: String) {
    let code = region.uppercased()
    let temperature: Double
    switch code {
    case "US", "CA": temperature = 78
    case "GB", "DE": temperature = 77
    case "ES", "BR": temperature = 82
    default: temperature = 79
    }
    volumeGallons = code == "US" || code == "CA" ? 15_000 : 13_209
    readings = WaterReadings(
      pH: 7.4, waterTempF: temperature, calciumHardness: 250, totalAlkalinity: 100, cyanuricAcid: 30,
      totalDissolvedSolids: LSIResult.usualDissolvedSolids)
    monthlyServiceFee = 150
    units = code == "US" ? .imperial : .metric
  }

  /// Default values of a new pool of a team.
  ///
  /// - Parameter region: country of this pool; nil: the country of the team's zone, with the team's default volume if it has
  ///   one.
  package init(of team: Team, region: String? = nil) {
    self.init(region: region ?? Region.country(ofZone: team.zone) ?? team.units.usualCountry)
    if region == nil, let volume = team.settings.defaultVolumeGallons { volumeGallons = volume }
  }
}

/// Default stock of a truck. Source: product.md, Quantities; golden file `regions.json`.
package struct CatalogueItem: Hashable, Sendable {
  package let name: String
  package let chemicalType: ChemicalType
  package let costPerOz: Double
  package let stockOz: Double
  /// Percent by weight.
  package let concentration: Double

  private init(_ name: String, _ type: ChemicalType, cost: Double, stock: Double, percent: Double) {
    self.name = name
    chemicalType = type
    costPerOz = cost
    stockOz = stock
    concentration = percent
  }

  package static let standard: [CatalogueItem] = [
    CatalogueItem("Muriatic Acid (31.45%)", .acid, cost: 0.05, stock: 256, percent: 31.45),
    CatalogueItem("Soda Ash (Sodium Carbonate)", .base, cost: 0.09, stock: 160, percent: 100),
    CatalogueItem("Calcium Chloride (Hardness Up)", .calcium, cost: 0.07, stock: 400, percent: 77),
    CatalogueItem("Sodium Bicarbonate (Alkalinity Up)", .alkalinity, cost: 0.04, stock: 320, percent: 100),
    CatalogueItem("Trichlor Tabs (Stabilized Chlorine)", .chlorine, cost: 0.18, stock: 400, percent: 90),
    CatalogueItem("Liquid Chlorine (12.5% Sodium Hypochlorite)", .chlorine, cost: 0.02, stock: 512, percent: 12.5),
    CatalogueItem("Cyanuric Acid (Stabilizer)", .stabilizer, cost: 0.12, stock: 64, percent: 100),
  ]
}
