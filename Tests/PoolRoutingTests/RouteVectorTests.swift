import FlowModel
import Foundation
import PoolModel
import PoolRouting
import Testing

/// Every row of the golden files for distances, legs and the app's optimiser.
struct RouteVectorTests {
  private struct Travel: Decodable {
    struct Tolerance: Decodable {
      let distanceMiles: Double
      let minutes: Double
    }
    struct Case: Decodable {
      struct Input: Decodable {
        let from: [Double]
        let to: [Double]
      }
      struct Expected: Decodable {
        let distanceMiles: Double
        let minutes: Double
      }
      let name: String
      let input: Input
      let expected: Expected
    }
    let tolerance: Tolerance
    let cases: [Case]
  }

  private struct Routes: Decodable {
    struct Tolerance: Decodable { let minutes: Double }
    struct Case: Decodable {
      struct Pool: Decodable {
        let id: String
        let latitude: Double
        let longitude: Double
        let routeOrder: Int
      }
      struct Input: Decodable {
        let objective: String
        let pools: [Pool]
      }
      struct Expected: Decodable {
        let objective: String
        let currentOrderedPoolIDs: [String]
        let orderedPoolIDs: [String]
        let estimatedCurrentMinutes: Double
        let estimatedOptimizedMinutes: Double
        let estimatedMinutesSaved: Double
        let unresolvedStopIDs: [String]
      }
      let name: String
      let input: Input
      let expected: Expected
    }
    let tolerance: Tolerance
    let cases: [Case]
  }

  private func file<File: Decodable>(_ name: String) throws -> File {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
    return try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
  }

  @Test func `miles and minutes equal every golden case`() throws {
    let file: Travel = try file("travel")
    #expect(!file.cases.isEmpty)
    for row in file.cases {
      let from = try Coordinate(latitude: row.input.from[0], longitude: row.input.from[1])
      let to = try Coordinate(latitude: row.input.to[0], longitude: row.input.to[1])
      let miles = from.miles(to: to)
      let minutes = LegEstimate.minutes(miles: miles)
      #expect((miles - row.expected.distanceMiles).magnitude <= file.tolerance.distanceMiles, "\(row.name)")
      #expect((minutes - row.expected.minutes).magnitude <= file.tolerance.minutes, "\(row.name)")
    }
  }

  @Test func `the reference optimiser equals every golden case`() throws {
    let file: Routes = try file("routes")
    #expect(!file.cases.isEmpty)
    for row in file.cases {
      let day = try DayRoute.optimise(
        try stops(row), objective: try objective(row.input.objective), algorithm: .reference)
      let expected = row.expected
      #expect(day.current.map(\.description) == expected.currentOrderedPoolIDs, "\(row.name)")
      #expect(day.ordered.map(\.description) == expected.orderedPoolIDs, "\(row.name)")
      #expect(day.unresolved.map(\.description) == expected.unresolvedStopIDs, "\(row.name)")
      let tolerance = file.tolerance.minutes
      #expect((day.figures.minutes - expected.estimatedCurrentMinutes).magnitude <= tolerance, "\(row.name)")
      #expect((day.bestFigures.minutes - expected.estimatedOptimizedMinutes).magnitude <= tolerance, "\(row.name)")
      let saved = day.figures.minutesSaved(by: day.bestFigures)
      #expect((saved - expected.estimatedMinutesSaved).magnitude <= tolerance, "\(row.name)")
    }
  }

  @Test func `the strong optimiser keeps unlocated stops and never costs more than the reference`() throws {
    let file: Routes = try file("routes")
    for row in file.cases {
      let stops = try stops(row)
      let objective = try objective(row.input.objective)
      let reference = try DayRoute.optimise(stops, objective: objective, algorithm: .reference)
      let strong = try DayRoute.optimise(stops, objective: objective, algorithm: .strong)
      #expect(Set(strong.ordered) == Set(reference.current), "\(row.name)")
      for (place, id) in strong.current.enumerated() where strong.unresolved.contains(id) {
        #expect(strong.ordered[place] == id, "\(row.name)")
      }
      if objective == .time {
        #expect(strong.bestFigures.minutes <= reference.bestFigures.minutes + 1e-9, "\(row.name)")
      }
      if objective == .distance {
        #expect(strong.bestFigures.miles <= reference.bestFigures.miles + 1e-9, "\(row.name)")
      }
    }
  }

  private func stops(_ row: Routes.Case) throws -> [DayRoute.Stop] {
    try row.input.pools.map {
      DayRoute.Stop(
        id: try #require(PoolID($0.id)), latitude: $0.latitude, longitude: $0.longitude, routeOrder: $0.routeOrder)
    }
  }

  private func objective(_ word: String) throws -> TravelObjective {
    let words: [String: TravelObjective] = [
      "minDriveTime": .time, "minDriveDistance": .distance, "balanced": .balanced,
    ]
    return try #require(words[word])
  }
}
