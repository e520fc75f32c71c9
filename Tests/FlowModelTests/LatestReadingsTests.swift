import FlowModel
import FlowTestKit
import Foundation
import PoolModel
import Testing

/// Every row of the golden file: the readings that a new visit starts with.
struct LatestReadingsTests {
  private struct File: Decodable {
    struct Case: Decodable {
      struct Readings: Decodable {
        let waterTempF: Double
        let pH: Double
        let calciumHardness: Double
        let totalAlkalinity: Double
        let cyanuricAcid: Double
        let totalDissolvedSolids: Double?
      }
      struct Input: Decodable {
        struct Event: Decodable {
          let timestamp: String
          let waterTempF: Double
          let pH: Double
          let calciumHardness: Double
          let totalAlkalinity: Double
          let cyanuricAcid: Double
        }
        let waterTempF: Double
        let pH: Double
        let calciumHardness: Double
        let totalAlkalinity: Double
        let cyanuricAcid: Double
        let totalDissolvedSolids: Double?
        let serviceEvents: [Event]
      }
      struct Expected: Decodable { let readings: Readings }
      let name: String
      let input: Input
      let expected: Expected
    }
    let cases: [Case]
  }

  @Test func `a visit starts with the newest readings in every golden case`() throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/latest_readings", withExtension: "json"))
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    #expect(!file.cases.isEmpty)
    for row in file.cases {
      var pool = Samples.pool()
      pool.readings = WaterReadings(
        pH: row.input.pH, waterTempF: row.input.waterTempF, calciumHardness: row.input.calciumHardness,
        totalAlkalinity: row.input.totalAlkalinity, cyanuricAcid: row.input.cyanuricAcid,
        totalDissolvedSolids: row.input.totalDissolvedSolids)
      let visits = try row.input.serviceEvents.map { event in
        Samples.visit(
          to: pool.id, at: try #require(Timestamp(rfc3339: event.timestamp)),
          readings: WaterReadings(
            pH: event.pH, waterTempF: event.waterTempF, calciumHardness: event.calciumHardness,
            totalAlkalinity: event.totalAlkalinity, cyanuricAcid: event.cyanuricAcid, totalDissolvedSolids: nil))
      }
      let readings = pool.latestReadings(visits: visits)
      let expected = row.expected.readings
      #expect(readings.pH == expected.pH, "\(row.name)")
      #expect(readings.waterTempF == expected.waterTempF, "\(row.name)")
      #expect(readings.calciumHardness == expected.calciumHardness, "\(row.name)")
      #expect(readings.totalAlkalinity == expected.totalAlkalinity, "\(row.name)")
      #expect(readings.cyanuricAcid == expected.cyanuricAcid, "\(row.name)")
      #expect(readings.totalDissolvedSolids == expected.totalDissolvedSolids, "\(row.name)")
    }
  }
}
