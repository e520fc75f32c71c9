package import FlowModel
package import PoolModel

/// Meaning of a saturation index: corrosive water dissolves plaster and metal, scale-forming water deposits scale.
package enum WaterCondition: String, Hashable, Sendable, CaseIterable, Codable {
  case corrosive, balanced, scaleForming

  /// Balanced water has an index from -0.3 to +0.3, both included.
  package static let limit = 0.3

  /// Corrosive below -0.3, scale-forming above +0.3. Source: product.md, Water; golden file `lsi_classify.json`.
  package init(lsi: Double) {
    if lsi < -Self.limit {
      self = .corrosive
    } else if lsi > Self.limit {
      self = .scaleForming
    } else {
      self = .balanced
    }
  }
}

/// The Langelier saturation index of one pool, with its terms.
///
/// `pH + temperature + calcium + alkalinity - dissolved solids`, where the last four terms are factors from their tables. Total
/// alkalinity is first reduced by a third of the cyanuric acid, which is not carbonate, to at least 0. Evaluated in doubles in
/// this order, without rounding.
///
/// Source: product.md, Water; golden file `lsi.json`. Example: pH 7.4, 78 °F, calcium 250, alkalinity 100, stabiliser 30 and
/// solids 1,000 ppm give 7.4 + 0.625 + 2.0 + 1.96 - 12.1 = -0.115: balanced.
package struct LSIResult: Hashable, Sendable {
  package let lsiValue: Double
  package let temperatureFactor: Double
  package let calciumFactor: Double
  package let alkalinityFactor: Double
  package let tdsFactor: Double
  package let pH: Double
  /// Alkalinity without cyanuric acid, in parts per million.
  package let adjustedAlkalinity: Double
  package let cyanuricAcid: Double
  package let status: WaterCondition

  /// Dissolved solids assumed if they were not measured, in parts per million.
  package static let usualDissolvedSolids = 1_000.0

  /// - Parameter method: the team's; the text above is about the app's.
  package init(_ water: WaterReadings, by method: LSIMethod = .app) {
    pH = water.pH
    cyanuricAcid = water.cyanuricAcid
    adjustedAlkalinity = method.carbonateAlkalinity(
      pH: water.pH, totalAlkalinity: water.totalAlkalinity, cyanuricAcid: water.cyanuricAcid)
    temperatureFactor = FactorTable.temperature.factor(of: water.waterTempF)
    calciumFactor = FactorTable.calcium.factor(of: water.calciumHardness)
    alkalinityFactor = FactorTable.alkalinity.factor(of: adjustedAlkalinity)
    tdsFactor = FactorTable.dissolvedSolids.factor(of: water.totalDissolvedSolids ?? Self.usualDissolvedSolids)
    lsiValue = pH + temperatureFactor + calciumFactor + alkalinityFactor - tdsFactor
    status = WaterCondition(lsi: lsiValue)
  }
}
