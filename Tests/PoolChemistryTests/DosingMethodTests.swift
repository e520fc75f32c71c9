import FlowModel
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

/// The recommendations by the app's rule and by the carbonate equilibrium.
struct DosingMethodTests {
  /// pH 8.3 in soft, stabilised water: the rule says 114 fl oz of acid in 12,500 gal, the equilibrium 15.3.
  private static let soft = WaterReadings(
    pH: 8.3, waterTempF: 77, calciumHardness: 250, totalAlkalinity: 60, cyanuricAcid: 50, totalDissolvedSolids: 1_000)

  private static func recommendations(
    _ method: DosingMethod, _ water: WaterReadings = soft, assumed: ReadingSet = [], gallons: Double = 12_500,
    inventory: [InventoryItem] = []
  ) -> [DoseRecommendation] {
    method.recommendations(for: water, assumed: assumed, volumeGallons: gallons, inventory: inventory)
  }

  private static func comparison(_ one: DoseRecommendation?) -> DoseComparison? {
    if case .dose(let comparison)? = one?.equilibrium { comparison } else { nil }
  }

  @Test func `both methods compare the same two amounts`() throws {
    for (method, ounces) in [(DosingMethod.app, 114.0), (.carbonate, 15)] {
      let advice = Self.recommendations(method)
      #expect(advice.map(\.kind) == [.lowerPH] && advice[0].quantityOz == ounces && advice[0].target == 7.6)
      let comparison = try #require(Self.comparison(advice[0]))
      #expect(comparison.ruleOz == 114 && comparison.firstDoseOz == 15 && comparison.isExcessive)
      #expect(comparison.carbonate.assumed == [.totalDissolvedSolids, .borate])
    }
  }

  @Test func `the equilibrium's amount costs the stock's price`() {
    var acid = Samples.item(1, name: "Acid", stock: 10, threshold: 0)
    acid.chemicalType = ChemicalType.acid.rawValue
    acid.costPerOz = 0.5
    #expect(Self.recommendations(.app, inventory: [acid])[0].estimatedCost == 57)
    #expect(Self.recommendations(.carbonate, inventory: [acid])[0].estimatedCost == 7.5)
    let usual = Self.recommendations(.carbonate)[0]
    #expect(usual.estimatedCost == 15 * ChemicalType.acid.usualCostPerOz)
  }

  @Test(arguments: [
    (ReadingSet.totalAlkalinity, CarbonateFault.missing(.totalAlkalinity)), (.cyanuricAcid, .missing(.cyanuricAcid)),
  ])
  func `a reading that was never taken keeps the rule's amount`(assumed: ReadingSet, fault: CarbonateFault) {
    for method in DosingMethod.allCases {
      let advice = Self.recommendations(method, assumed: assumed)
      #expect(advice.map(\.quantityOz) == [114] && advice[0].equilibrium == .fault(fault))
    }
  }

  @Test func `readings that contradict each other or are out of range keep the rule's amount`() {
    var water = Self.soft
    (water.pH, water.cyanuricAcid) = (7.2, 250)
    guard case .fault(let fault)? = Self.recommendations(.carbonate, water)[0].equilibrium else {
      Issue.record("no fault")
      return
    }
    #expect(fault.kind == .contradiction && fault.reading == nil && fault.value == nil)
    water = Self.soft
    water.pH = 9.6
    #expect(Self.recommendations(.carbonate, water)[0].equilibrium == .fault(.outOfRange(.pH, 9.6)))
    let amounts = DosingMethod.allCases.map { Self.recommendations($0, water).map(\.quantityOz) }
    #expect(amounts[0] == amounts[1])
  }

  @Test func `only a dose for the pH depends on the method`() {
    for pH in stride(from: 6.8, through: 8.6, by: 0.1) {
      for alkalinity in stride(from: 40.0, through: 240, by: 20) {
        for calcium in [100.0, 300, 500] {
          let water = WaterReadings(
            pH: pH, waterTempF: 82, calciumHardness: calcium, totalAlkalinity: alkalinity, cyanuricAcid: 40,
            totalDissolvedSolids: 1_000)
          let rule = Dosing(water, volumeGallons: 15_000).recommendations(inventory: [])
          let app = Self.recommendations(.app, water, gallons: 15_000)
          let carbonate = Self.recommendations(.carbonate, water, gallons: 15_000)
          #expect(app.map(\.kind) == rule.map(\.kind) && carbonate.map(\.kind) == rule.map(\.kind))
          let amounts = DosingMethod.allCases.map {
            $0.recommendations(for: water, assumed: [], volumeGallons: 15_000, compares: false)
          }
          #expect(amounts[0] == rule && amounts[1] == carbonate)
          for (index, one) in rule.enumerated() {
            #expect(app[index].quantityOz == one.quantityOz && app[index].estimatedCost == one.estimatedCost)
            if one.kind == .lowerPH || one.kind == .raisePH {
              #expect(carbonate[index].quantityOz == Self.comparison(carbonate[index])?.firstDoseOz)
            } else {
              #expect(app[index] == one && carbonate[index] == one)
            }
          }
        }
      }
    }
  }

  @Test func `a visit's plan has the method's recommendations and doses`() {
    var pool = Samples.pool(1)
    pool.volumeGallons = 12_500
    for (method, ounces) in [(DosingMethod.app, 114.0), (.carbonate, 15)] {
      let plan = VisitPlan(pool: pool, inventory: [], readings: Self.soft, confirmed: .all, by: method)
      #expect(plan.doses.map(\.quantityOz) == [ounces] && plan.recommendations[0].quantityOz == ounces)
    }
    let plan = VisitPlan(
      pool: pool, inventory: [], readings: Self.soft, confirmed: .all, assumed: .cyanuricAcid, by: .carbonate)
    #expect(plan.doses.map(\.quantityOz) == [114])
  }
}
