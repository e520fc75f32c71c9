import FlowModel
import FlowTestKit
import PoolChemistry
import Testing

struct DosingTests {
  private struct Input: Decodable {
    struct Item: Decodable {
      let chemicalType: String
      let costPerOz: Double
    }
    let lsi: Double
    let pH: Double
    let totalAlkalinity: Double
    let calciumHardness: Double
    let poolVolumeGallons: Double
    let inventory: [Item]
  }
  private struct Expected: Decodable {
    struct Recommendation: Decodable {
      let kind: DoseRecommendation.Kind
      let chemicalName: String
      let chemicalType: ChemicalType
      let quantityOz: Double
      let estimatedCost: Double
    }
    let recommendations: [Recommendation]
    let totalCost: Double
  }

  @Test func `the advice equals every golden case`() throws {
    for row in try Golden<Input, Expected>.rows("dosing") {
      let water = row.input
      let advice = Dosing(
        lsi: water.lsi, pH: water.pH, totalAlkalinity: water.totalAlkalinity, calciumHardness: water.calciumHardness,
        volumeGallons: water.poolVolumeGallons
      ).recommendations(
        inventory: water.inventory.enumerated().map { stockItem($0, type: $1.chemicalType, cost: $1.costPerOz) })
      try #require(advice.count == row.expected.recommendations.count, "\(row.name)")
      for (got, wanted) in zip(advice, row.expected.recommendations) {
        #expect(got.kind == wanted.kind, "\(row.name)")
        #expect(got.chemicalName == wanted.chemicalName, "\(row.name)")
        #expect(got.chemicalType == wanted.chemicalType, "\(row.name)")
        #expect(got.quantityOz == wanted.quantityOz, "\(row.name)")
        #expect(isClose(got.estimatedCost, wanted.estimatedCost), "\(row.name)")
      }
      #expect(isClose(advice.reduce(0) { $0 + $1.estimatedCost }, row.expected.totalCost), "\(row.name)")
    }
  }

  @Test func `no dose or cost is negative, and every dose is a whole number`() {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for _ in 0..<20_000 {
      let water = someWater(using: &random)
      let volume = Double.random(in: -1_000...200_000, using: &random)
      let advice = Dosing(water, volumeGallons: volume).recommendations(
        inventory: [stockItem(1, type: "acid", cost: Double.random(in: 0...1, using: &random))])
      #expect(!advice.isEmpty, "seed \(seed)")
      for dose in advice {
        #expect(dose.quantityOz >= 0 && dose.estimatedCost >= 0, "seed \(seed): \(dose) for \(water), \(volume) gal")
        #expect(dose.quantityOz == dose.quantityOz.rounded(), "seed \(seed): \(dose)")
      }
    }
  }

  @Test func `a worse reading never asks for a smaller dose`() {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for _ in 0..<5_000 {
      let pH = Double.random(in: 6...7.3, using: &random)
      let volume = Double.random(in: 1_000...200_000, using: &random)
      func ash(_ pH: Double, _ volume: Double) -> Double {
        let advice = Dosing(
          lsi: -1, pH: pH, totalAlkalinity: 100, calciumHardness: 300, volumeGallons: volume
        ).recommendations(inventory: [])
        return advice[0].quantityOz
      }
      #expect(ash(pH - 0.3, volume) >= ash(pH, volume), "seed \(seed)")
      #expect(ash(pH, volume * 1.5) >= ash(pH, volume), "seed \(seed)")
    }
  }

  private struct Amount: Decodable {
    let oz: Double
    let chemicalType: ChemicalType
    let unitSystem: UnitSystem
  }
  private struct Text: Decodable { let text: String }

  @Test func `by kind, liquids are shown as volumes, solids as weights`() {
    func text(_ ounces: Double, _ type: ChemicalType) -> String {
      QuantityText.text(ounces: ounces, of: type, in: .imperial, doses: .byKind)
    }
    for (ounces, liquid, dry) in [
      (0.0, "\u{2014}", "\u{2014}"), (15.9, "15 fl oz", "15 oz"), (16, "16 fl oz", "1 lb 0 oz"),
      (127.9, "127 fl oz", "7 lb 15 oz"), (128, "1.0 gal", "8 lb 0 oz"), (416, "3.2 gal", "26 lb 0 oz"),
    ] {
      for type in ChemicalType.stockable { #expect(text(ounces, type) == (type.isLiquid ? liquid : dry), "\(ounces)") }
    }
    func stock(_ ounces: Double, _ type: ChemicalType, _ units: UnitSystem, _ doses: DoseUnits) -> String {
      QuantityText.stock(ounces: ounces, of: type, in: units, doses: doses)
    }
    #expect(stock(-1, .acid, .imperial, .app) == "0" && stock(416, .acid, .imperial, .app) == "3.2 gal")
    #expect(stock(416, .acid, .imperial, .byKind) == "3.2 gal" && stock(416, .acid, .metric, .app) == "12.3 L")
    #expect(stock(1e300, .base, .imperial, .byKind).hasSuffix(" oz"))
  }

  @Test func `a quantity's text equals every golden case`() throws {
    for row in try Golden<Amount, Text>.rows("formatting") {
      let text = QuantityText.text(ounces: row.input.oz, of: row.input.chemicalType, in: row.input.unitSystem)
      #expect(text == row.expected.text, "\(row.name)")
    }
  }

  @Test(
    arguments: [
      (1.25, 1, "1.2"), (1.35, 1, "1.4"), (0.15, 1, "0.1"), (0.25, 1, "0.2"), (0.75, 1, "0.8"), (2.5, 0, "2"),
      (3.5, 0, "4"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.2"), (1_234.5, 0, "1234"), (0.005, 2, "0.01"),
      (1.005, 2, "1.00"),
      (9.999, 2, "10.00"), (0, 2, "0.00"), (447.7, 0, "448"), (.nan, 1, "nan"), (-.infinity, 1, "-inf"),
    ] as [(Double, Int, String)]) func `decimals are rounded as printf does`(
      value: Double, places: Int, text: String
    )
  {
    #expect(decimalText(value, places: places) == text)
  }
}
