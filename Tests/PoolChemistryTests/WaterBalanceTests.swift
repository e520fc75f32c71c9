import FlowModel
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

struct WaterBalanceTests {
  private struct Expected: Decodable {
    let lsiValue: Double
    let temperatureFactor: Double
    let calciumFactor: Double
    let alkalinityFactor: Double
    let tdsFactor: Double
    let pH: Double
    let adjustedAlkalinity: Double
    let cyanuricAcid: Double
    let status: WaterCondition
    let deviationFromEquilibrium: Double
  }

  @Test func `the index and its ten fields equal every golden case`() throws {
    for row in try Golden<GoldenReadings, Expected>.rows("lsi") {
      let result = LSIResult(row.input.readings)
      let pairs = [
        (result.lsiValue, row.expected.lsiValue), (result.temperatureFactor, row.expected.temperatureFactor),
        (result.calciumFactor, row.expected.calciumFactor), (result.alkalinityFactor, row.expected.alkalinityFactor),
        (result.tdsFactor, row.expected.tdsFactor), (result.pH, row.expected.pH),
        (result.adjustedAlkalinity, row.expected.adjustedAlkalinity), (result.cyanuricAcid, row.expected.cyanuricAcid),
        (result.lsiValue, row.expected.deviationFromEquilibrium),
      ]
      for (got, wanted) in pairs { #expect(isClose(got, wanted), "\(row.name): \(got), not \(wanted)") }
      #expect(result.status == row.expected.status, "\(row.name)")
    }
  }

  private struct TableInput: Decodable {
    let table: String
    let value: Double
  }
  private struct Factor: Decodable { let factor: Double }

  @Test func `the four tables' factors equal every golden case`() throws {
    let tables: [String: FactorTable] = [
      "temperature": .temperature, "calcium": .calcium, "alkalinity": .alkalinity, "tds": .dissolvedSolids,
    ]
    for row in try Golden<TableInput, Factor>.rows("lsi_tables") {
      let table = try #require(tables[row.input.table])
      #expect(isClose(table.factor(of: row.input.value), row.expected.factor), "\(row.name)")
    }
  }

  private struct Index: Decodable { let lsi: Double }
  private struct Status: Decodable { let status: WaterCondition }

  @Test func `the limits of balanced water are exact`() throws {
    for row in try Golden<Index, Status>.rows("lsi_classify") {
      #expect(WaterCondition(lsi: row.input.lsi) == row.expected.status, "\(row.name): \(row.input.lsi)")
    }
  }

  @Test func `the index never falls with a reading and never rises with the stabiliser`() {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for _ in 0..<20_000 {
      let water = someWater(using: &random)
      let base = LSIResult(water).lsiValue
      let step = Double.random(in: 0...50, using: &random)
      var other = water
      other.waterTempF += step
      #expect(LSIResult(other).lsiValue >= base, "seed \(seed): temperature \(water) + \(step)")
      other = water
      other.calciumHardness += step
      #expect(LSIResult(other).lsiValue >= base, "seed \(seed): calcium \(water) + \(step)")
      other = water
      other.totalAlkalinity += step
      #expect(LSIResult(other).lsiValue >= base, "seed \(seed): alkalinity \(water) + \(step)")
      other = water
      other.cyanuricAcid += step
      #expect(LSIResult(other).lsiValue <= base, "seed \(seed): stabiliser \(water) + \(step)")
      other = water
      // The solids' factor falls, and it is subtracted.
      other.totalDissolvedSolids = (water.totalDissolvedSolids ?? 1_000) + step
      #expect(LSIResult(other).lsiValue >= base, "seed \(seed): solids \(water) + \(step)")
      other = water
      other.pH += step
      #expect(LSIResult(other).lsiValue >= base, "seed \(seed): pH \(water) + \(step)")
    }
  }

  @Test func `each table is monotone across its points, by single floating-point steps`() {
    for (table, rises) in [
      (FactorTable.temperature, true), (.calcium, true), (.alkalinity, true), (.dissolvedSolids, false),
    ] {
      for (point, factor) in zip(table.starts, table.factors) {
        #expect(table.factor(of: point) == factor)
        let before = table.factor(of: point.nextDown)
        let after = table.factor(of: point.nextUp)
        #expect(rises ? before <= factor && factor <= after : before >= factor && factor >= after, "at \(point)")
      }
    }
  }
}
