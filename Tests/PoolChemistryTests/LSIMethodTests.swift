import FlowModel
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

/// The saturation index with the stabiliser corrected by the pH.
struct LSIMethodTests {
  private static func water(pH: Double, alkalinity: Double = 100, stabiliser: Double = 90) -> WaterReadings {
    WaterReadings(
      pH: pH, waterTempF: 76, calciumHardness: 250, totalAlkalinity: alkalinity, cyanuricAcid: stabiliser,
      totalDissolvedSolids: 1_000)
  }

  @Test(arguments: [
    (7.0, 0.23), (7.1, 0.25), (7.2, 0.27), (7.3, 0.29), (7.4, 0.31), (7.5, 0.32), (7.6, 0.33), (7.8, 0.35),
    (7.9, 0.355),
    (8.0, 0.36), (6.2, 0.23), (8.9, 0.36),
  ])
  func `the part of the stabiliser follows the table, and its ends beyond it`(pH: Double, part: Double) {
    let result = LSIResult(Self.water(pH: pH), by: .phCorrected)
    #expect(abs(result.adjustedAlkalinity - (100 - 90 * part)) < 1e-9)
    #expect(LSIResult(Self.water(pH: pH), by: .app) == LSIResult(Self.water(pH: pH)))
    #expect(LSIResult(Self.water(pH: pH)).adjustedAlkalinity == 70)
  }

  @Test func `a worked index`() {
    // pH 7.2, alkalinity 100 and stabiliser 90 leave 75.7 ppm: 7.2 + 0.6 + 2.0 + 1.9028 - 12.1.
    let result = LSIResult(Self.water(pH: 7.2), by: .phCorrected)
    #expect(abs(result.adjustedAlkalinity - 75.7) < 1e-9)
    #expect(abs(result.alkalinityFactor - FactorTable.alkalinity.factor(of: 75.7)) < 1e-12)
    #expect(abs(result.lsiValue - (7.2 + 0.6 + 2.0 + result.alkalinityFactor - 12.1)) < 1e-12)
    #expect(LSIResult(Self.water(pH: 7.2, alkalinity: 20, stabiliser: 100), by: .phCorrected).adjustedAlkalinity == 0)
  }

  @Test func `a stored index gives the same value as the readings`() {
    var chance = SeededNumbers(seed: 20_261_129)
    for _ in 0..<500 {
      let water = Self.water(
        pH: .random(in: 6.5...8.6, using: &chance), alkalinity: .random(in: 0...300, using: &chance),
        stabiliser: .random(in: 0...200, using: &chance))
      let stored = LSIResult(water).lsiValue
      func lsi(_ method: LSIMethod) -> Double {
        method.lsi(
          stored: stored, pH: water.pH, totalAlkalinity: water.totalAlkalinity, cyanuricAcid: water.cyanuricAcid)
      }
      #expect(lsi(.app) == stored)
      #expect(abs(lsi(.phCorrected) - LSIResult(water, by: .phCorrected).lsiValue) < 1e-9, "\(water)")
    }
  }

  @Test func `water without stabiliser has one index`() {
    for pH in [6.8, 7.4, 8.2] {
      let water = Self.water(pH: pH, stabiliser: 0)
      #expect(LSIResult(water, by: .phCorrected) == LSIResult(water))
    }
  }

  @Test func `the doses follow the index of the method`() {
    // Corrosive by the app's rule (-0.31), balanced with the correction (-0.25).
    var water = Self.water(pH: 7.1, alkalinity: 100, stabiliser: 100)
    water.calciumHardness = 250
    func kinds(_ index: LSIMethod) -> [DoseRecommendation.Kind] {
      DosingMethod.app.recommendations(for: water, assumed: [], volumeGallons: 10_000, index: index).map(\.kind)
    }
    for method in LSIMethod.allCases {
      #expect((kinds(method) == [.balanced]) == (LSIResult(water, by: method).status == .balanced), "\(method)")
    }
    let plan = VisitPlan(
      pool: Samples.pool(1), inventory: [], readings: water, confirmed: .nothing, index: .phCorrected)
    #expect(plan.storedIndex != plan.result.lsiValue)
  }
}
