import FlowModel
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

/// The ideal range of free chlorine, and the dose that reaches its end.
struct ChlorineTests {
  private static func water(
    chlorine: Double?, stabiliser: Double = 50, salt: Double? = nil, pH: Double = 7.5
  ) -> WaterReadings {
    WaterReadings(
      pH: pH, waterTempF: 78, calciumHardness: 250, totalAlkalinity: 100, cyanuricAcid: stabiliser,
      totalDissolvedSolids: 1_000, freeChlorine: chlorine, salt: salt)
  }

  private static func item(
    _ number: Int, _ name: String, _ percent: Double, type: ChemicalType = .chlorine, cost: Double = 0.02
  ) -> InventoryItem {
    var item = Samples.item(number, name: name, stock: 500, threshold: 0)
    (item.chemicalType, item.concentration, item.costPerOz, item.unitLabel) = (type.rawValue, percent, cost, "oz")
    return item
  }

  private static func doses(
    _ water: WaterReadings, assumed: ReadingSet = [], gallons: Double = 10_000, _ stock: [InventoryItem] = []
  ) -> [DoseRecommendation] {
    DosingMethod.app.recommendations(for: water, assumed: assumed, volumeGallons: gallons, inventory: stock)
  }

  @Test(arguments: [
    (0.0, false, 1.0, 4.0), (10, false, 2, 4), (30, false, 2.3, 4), (50, false, 3.8, 5.6), (80, false, 6, 9),
    (100, false, 7.5, 10), (200, false, 7.5, 10), (0, true, 1, 4), (40, true, 2, 4), (70, true, 3.5, 5.3),
    (100, true, 5, 7.5),
  ])
  func `the range of free chlorine rises with the stabiliser`(
    stabiliser: Double, hasGenerator: Bool, least: Double, most: Double
  ) {
    let range = ChlorineRange(stabiliser: stabiliser, hasGenerator: hasGenerator)
    #expect(range.ideal == least...most)
    #expect(range.target == most)
  }

  @Test func `unknown stabiliser counts as some`() {
    #expect(ChlorineRange(stabiliser: nil, hasGenerator: false).ideal == 2...4)
    #expect(ChlorineRange(Self.water(chlorine: 1), assumed: .cyanuricAcid).ideal == 2...4)
    #expect(ChlorineRange(Self.water(chlorine: 1, salt: 3_000), assumed: []).hasGenerator)
    #expect(WaterParameter.freeChlorine.ideal(in: Self.water(chlorine: 1), assumed: []) == 3.8...5.6)
    #expect(WaterParameter.salt.ideal == 2_700...3_400)
  }

  @Test(arguments: [
    ("Liquid", 10.0, 12.80, false), ("Liquid", 12.5, 10.24, false), ("Dichlor", 56, 2.384, true),
    ("Cal-hypo", 65, 2.054, true), ("Trichlor", 90, 1.484, true),
  ])
  func `each product raises 10,000 gallons by 1 ppm with its known amount`(
    name: String, percent: Double, ounces: Double, isDry: Bool
  ) {
    let product = ChlorineProduct.preferred(in: [Self.item(1, name, percent)])
    #expect(product.isDry == isDry && product.name == name)
    #expect(abs(product.ounces(raising: 1, volumeGallons: 10_000) - ounces) < 0.005)
  }

  @Test func `liquid is preferred to granules, granules to tablets, and bleach stands for an empty stock`() {
    let tablets = Self.item(1, "Trichlor Tabs", 90)
    let granules = Self.item(2, "Cal-hypo", 65)
    let liquid = Self.item(3, "Liquid", 10)
    let acid = Self.item(4, "Acid", 31.45, type: .acid)
    #expect(ChlorineProduct.preferred(in: [tablets, granules, acid, liquid]).name == "Liquid")
    #expect(ChlorineProduct.preferred(in: [tablets, granules, acid]).name == "Cal-hypo")
    #expect(ChlorineProduct.preferred(in: [acid, tablets]).name == "Trichlor Tabs")
    #expect(ChlorineProduct.preferred(in: [acid]) == .usual)
    #expect(ChlorineProduct.usual.percent == 12.5 && ChlorineProduct.usual.item == nil)
    let unknown = ChlorineProduct.preferred(in: [Self.item(5, "Chlorine", 100)])
    #expect(unknown.percent == 65 && unknown.isDry)
  }

  @Test func `a dose brings the reading to the target`() throws {
    // 3.6 ppm in 15,000 gallons are 204.4 g of chlorine: 1,635 mL of 12.5 %, 55.3 fl oz.
    let advice = Self.doses(
      Self.water(chlorine: 2), gallons: 15_000, [Self.item(1, "Tabs", 90), Self.item(2, "Liquid", 12.5, cost: 0.03)])
    let dose = try #require(advice.first)
    #expect(advice.count == 1 && dose.kind == .raiseFC && dose.quantityOz == 55 && dose.target == 5.6)
    #expect(dose.chemicalName == "Liquid" && dose.chlorine?.item == Self.item(2, "", 1).id && !dose.isDry)
    #expect(isClose(dose.estimatedCost, 1.65))
  }

  @Test func `the reading decides whether there is a dose`() {
    #expect(Self.doses(Self.water(chlorine: nil)).map(\.kind) == [.balanced])
    #expect(Self.doses(Self.water(chlorine: 5.5)).map(\.kind) == [.raiseFC])
    #expect(Self.doses(Self.water(chlorine: 5.6)).map(\.kind) == [.balanced])
    #expect(Self.doses(Self.water(chlorine: 9)).map(\.kind) == [.balanced])
    // A generator makes chlorine until the next visit, so only too little of it gets a dose.
    #expect(Self.doses(Self.water(chlorine: 3, salt: 3_000)).map(\.kind) == [.balanced])
    #expect(Self.doses(Self.water(chlorine: 2, salt: 3_000)).map(\.kind) == [.raiseFC])
    #expect(Self.doses(Self.water(chlorine: 1), gallons: 0).map(\.kind) == [.volumeRequired])
    #expect(Self.doses(Self.water(chlorine: 1), assumed: .all).map(\.kind) == [.raiseFC])
  }

  @Test func `other doses come first and stay as they are`() {
    let (with, without) = (Self.water(chlorine: 1, pH: 8.4), Self.water(chlorine: nil, pH: 8.4))
    for method in DosingMethod.allCases {
      func doses(_ water: WaterReadings) -> [DoseRecommendation] {
        method.recommendations(for: water, assumed: [], volumeGallons: 12_000)
      }
      #expect(doses(with).dropLast() == doses(without)[...] && doses(with).last?.kind == .raiseFC)
    }
  }

  @Test func `the dose never overshoots and grows with volume and want`() {
    var chance = SeededNumbers(seed: 20_261_129)
    for _ in 0..<500 {
      let stabiliser = Double.random(in: 0...150, using: &chance)
      let chlorine = Double.random(in: 0...12, using: &chance)
      let gallons = Double.random(in: 500...100_000, using: &chance)
      let salt = Bool.random(using: &chance) ? 3_000.0 : nil
      let water = Self.water(chlorine: chlorine, stabiliser: stabiliser, salt: salt)
      let range = ChlorineRange(water, assumed: [])
      let dose = Self.doses(water, gallons: gallons).first { $0.kind == .raiseFC }
      #expect((dose != nil) == range.asksForDose(at: chlorine), "\(water)")
      guard let dose else { continue }
      let raised = dose.quantityOz / ChlorineProduct.usual.ounces(raising: 1, volumeGallons: gallons)
      let ounce = 1 / ChlorineProduct.usual.ounces(raising: 1, volumeGallons: gallons)
      #expect(abs(chlorine + raised - range.target) <= ounce, "\(water) \(gallons)")
      let double = Self.doses(water, gallons: gallons * 2).first { $0.kind == .raiseFC }
      #expect((double?.quantityOz ?? 0) >= dose.quantityOz)
    }
  }

  @Test func `a logged dose is taken from the recommended product`() {
    let stock = [Self.item(1, "Trichlor Tabs", 90), Self.item(2, "Liquid", 12.5)]
    let plan = VisitPlan(
      pool: Samples.pool(1), inventory: stock, readings: Self.water(chlorine: 1), confirmed: .all)
    #expect(plan.doses.map(\.name) == ["Liquid"] && plan.doses[0].item == stock[1].id && !plan.doses[0].isDry)
    #expect(plan.stockAfter[stock[0].id] == nil)
  }

  @Test func `implausible readings are refused`() {
    #expect(ReadingCheck.complaint(about: Self.water(chlorine: 100, salt: 50_000)) == nil)
    let chlorine = ReadingCheck.complaint(about: Self.water(chlorine: 101))
    #expect(chlorine?.field == "free-chlorine" && chlorine?.why == "must be between 0 and 100 ppm")
    let salt = ReadingCheck.complaint(about: Self.water(chlorine: 1, salt: -1))
    #expect(salt?.field == "salt" && salt?.why == "must be between 0 and 50000 ppm")
  }
}
