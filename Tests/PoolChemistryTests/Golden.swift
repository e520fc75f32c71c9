import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import PoolModel
import Testing

/// The installed tz database, read once for all tests.
let zones = SystemZones()

/// A golden file: inputs with expected outputs, one case per line.
struct Golden<Input: Decodable, Expected: Decodable>: Decodable {
  struct Row: Decodable {
    let name: String
    let input: Input
    let expected: Expected
  }
  let cases: [Row]

  /// Every row of `Fixtures/NAME.json`; a file without rows fails the test.
  static func rows(_ name: String) throws -> [Row] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
    let file = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    try #require(!file.cases.isEmpty)
    return file.cases
  }
}

/// The files' own tolerance for numbers.
func isClose(_ left: Double, _ right: Double) -> Bool { abs(left - right) <= 1e-9 }

/// Five or six readings, as in most golden files.
struct GoldenReadings: Decodable {
  let waterTempF: Double
  let pH: Double
  let calciumHardness: Double
  let totalAlkalinity: Double
  let cyanuricAcid: Double
  let totalDissolvedSolids: Double?

  var readings: WaterReadings {
    WaterReadings(
      pH: pH, waterTempF: waterTempF, calciumHardness: calciumHardness, totalAlkalinity: totalAlkalinity,
      cyanuricAcid: cyanuricAcid, totalDissolvedSolids: totalDissolvedSolids)
  }
}

func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

func stockItem(_ number: Int, type: String, cost: Double) -> InventoryItem {
  var item = Samples.item(number, name: type, stock: 0, threshold: 0)
  item.chemicalType = type
  item.costPerOz = cost
  return item
}

extension SeededNumbers {
  /// A different seed each time; the test prints it.
  static var anySeed: UInt64 { UInt64.random(in: 1...UInt64.max) }
}

/// Readings in and around the tables' ranges, sometimes exactly on a table's point.
func someWater(using random: inout SeededNumbers) -> WaterReadings {
  func reading(_ range: ClosedRange<Double>, _ points: [Double]) -> Double {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return points[Int.random(in: 0..<points.count, using: &random)]
    case 1: return points[Int.random(in: 0..<points.count, using: &random)].nextDown
    case 2: return points[Int.random(in: 0..<points.count, using: &random)].nextUp
    case 3: return Double.random(in: range, using: &random).rounded()
    default: return Double.random(in: range, using: &random)
    }
  }
  let hardness: [Double] = [0, 5, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1_000]
  return WaterReadings(
    pH: reading(6...9, [7.4]), waterTempF: reading(20...120, [32, 37, 46, 53, 60, 66, 76, 84, 94, 105]),
    calciumHardness: reading(0...1_200, hardness), totalAlkalinity: reading(0...1_200, hardness),
    cyanuricAcid: reading(0...400, [0, 30, 150]),
    totalDissolvedSolids: Bool.random(using: &random)
      ? nil : reading(0...6_000, [0, 400, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000]))
}
