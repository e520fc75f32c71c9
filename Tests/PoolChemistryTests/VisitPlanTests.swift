import FlowModel
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

struct VisitPlanTests {
  struct Input: Decodable {
    struct Pool: Decodable {
      let waterTempF: Double
      let pH: Double
      let calciumHardness: Double
      let totalAlkalinity: Double
      let cyanuricAcid: Double
      let totalDissolvedSolids: Double?
      let poolVolumeGallons: Double
    }
    struct Item: Decodable {
      let id: String
      let chemicalType: String
      let costPerOz: Double
      let currentStockOz: Double
      let lowStockThresholdOz: Double
    }
    enum Confirmed: Decodable {
      case all
      case some([Int])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let places = try? container.decode([Int].self) {
          self = .some(places)
        } else {
          _ = try container.decode(String.self)
          self = .all
        }
      }
    }
    let pool: Pool
    let inventory: [Item]
    let readings: GoldenReadings
    let confirmed: Confirmed
  }
  struct Expected: Decodable {
    struct AfterSave: Decodable {
      struct Recommendation: Decodable {
        let kind: DoseRecommendation.Kind
        let chemicalType: ChemicalType
        let quantityOz: Double
        let estimatedCost: Double
      }
      struct Event: Decodable {
        let lsiValue: Double
        let totalChemicalCost: Double
      }
      struct Dose: Decodable {
        let chemicalID: String?
        let chemicalType: String
        let quantityOz: Double
        let cost: Double
      }
      let recommendations: [Recommendation]
      let event: Event
      let doses: [Dose]
      let inventory: [String: Double]
    }
    struct AfterUndo: Decodable {
      struct Pool: Decodable { let cachedLSI: Double }
      let pool: Pool
    }
    let afterSave: AfterSave
    let afterUndo: AfterUndo
  }

  @Test func `a visit's effects equal every golden case`() throws {
    for row in try Golden<Input, Expected>.rows("quicklog") {
      var pool = Samples.pool()
      pool.volumeGallons = row.input.pool.poolVolumeGallons
      pool.readings = WaterReadings(
        pH: row.input.pool.pH, waterTempF: row.input.pool.waterTempF,
        calciumHardness: row.input.pool.calciumHardness, totalAlkalinity: row.input.pool.totalAlkalinity,
        cyanuricAcid: row.input.pool.cyanuricAcid, totalDissolvedSolids: row.input.pool.totalDissolvedSolids)
      let inventory = try row.input.inventory.enumerated().map { index, item in
        var made = stockItem(index, type: item.chemicalType, cost: item.costPerOz)
        made.id = try #require(InventoryItemID(item.id))
        made.currentStockOz = item.currentStockOz
        return made
      }
      let confirmed: DoseConfirmation =
        switch row.input.confirmed {
        case .all: .all
        case .some(let places): .some(places)
        }
      let plan = VisitPlan(
        pool: pool, inventory: inventory, readings: row.input.readings.readings, confirmed: confirmed)
      let wanted = row.expected.afterSave
      #expect(isClose(plan.result.lsiValue, wanted.event.lsiValue), "\(row.name)")
      #expect(isClose(plan.totalChemicalCost, wanted.event.totalChemicalCost), "\(row.name)")
      try #require(plan.recommendations.count == wanted.recommendations.count, "\(row.name)")
      for (got, wanted) in zip(plan.recommendations, wanted.recommendations) {
        #expect(got.kind == wanted.kind && got.chemicalType == wanted.chemicalType, "\(row.name)")
        #expect(got.quantityOz == wanted.quantityOz, "\(row.name)")
        #expect(isClose(got.estimatedCost, wanted.estimatedCost), "\(row.name)")
      }
      try #require(plan.doses.count == wanted.doses.count, "\(row.name)")
      for (got, wanted) in zip(plan.doses, wanted.doses) {
        #expect(got.item?.description == wanted.chemicalID, "\(row.name)")
        #expect(got.chemicalType == wanted.chemicalType && got.quantityOz == wanted.quantityOz, "\(row.name)")
        #expect(isClose(got.cost, wanted.cost), "\(row.name)")
      }
      for item in inventory {
        let left = try #require(wanted.inventory[item.id.description])
        #expect(isClose(plan.stockAfter[item.id] ?? item.currentStockOz, left), "\(row.name)")
      }
      // After an undo, the pool's index is computed from its previous readings.
      #expect(isClose(LSIResult(pool.readings).lsiValue, row.expected.afterUndo.pool.cachedLSI), "\(row.name)")
    }
  }

  @Test func `stock never falls below zero`() {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for _ in 0..<5_000 {
      let inventory = ["acid", "base", "alkalinity", "calcium"].enumerated().map { index, type in
        var item = stockItem(index, type: type, cost: 0.1)
        item.currentStockOz = Double.random(in: 0...300, using: &random)
        return item
      }
      var pool = Samples.pool()
      pool.volumeGallons = Double.random(in: 1_000...200_000, using: &random)
      let water = someWater(using: &random)
      let measured = inventory.map {
        MeasuredDose(item: $0.id, quantityOz: Double.random(in: 0...400, using: &random))
      }
      for confirmed in [DoseConfirmation.all, .measured(measured + measured), .nothing] {
        let plan = VisitPlan(pool: pool, inventory: inventory, readings: water, confirmed: confirmed)
        #expect(plan.stockAfter.values.allSatisfy { $0 >= 0 }, "seed \(seed)")
        #expect(plan.totalChemicalCost >= 0, "seed \(seed)")
      }
    }
  }
}
