import FlowModel
import Foundation
import PoolInterchange
import Testing

struct ForecastTests {
  private struct Case: Decodable {
    let name: String
    let kind: String
    let source: FixtureBytes
    let modifiedAt: String?
    let expected: Expected

    private enum Keys: CodingKey { case name, kind, modifiedAt, expected }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      name = try values.decode(String.self, forKey: .name)
      kind = try values.decode(String.self, forKey: .kind)
      modifiedAt = try values.decodeIfPresent(String.self, forKey: .modifiedAt)
      expected = try values.decode(Expected.self, forKey: .expected)
      source = try FixtureBytes(from: decoder)
    }
  }
  private struct Expected: Decodable {
    let error: String?
    let source: String?
    let issuedAt: String?
    let hours: [Hour]?

    private enum Keys: CodingKey { case error, source, issuedAt, hours }

    /// Fixtures of other kinds use these field names differently.
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      error = try values.decodeIfPresent(String.self, forKey: .error)
      source = try values.decodeIfPresent(String.self, forKey: .source)
      issuedAt = try values.decodeIfPresent(String.self, forKey: .issuedAt)
      hours = try values.decodeIfPresent([Hour].self, forKey: .hours)
    }
  }
  private struct Hour: Decodable {
    let start: String
    let values: [Double?]

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      start = try list.decode(String.self)
      values = try (0..<4).map { _ in try list.decodeIfPresent(Double.self) }
    }
  }

  @Test func `every forecast file is read or refused as expected`() throws {
    var (read, refused) = (0, 0)
    for row in try StableFixtures<Case>.load() where row.kind == "forecast" {
      do {
        let forecast = try ForecastReader.read(try row.source.bytes, modifiedAt: try instant(row.modifiedAt))
        read += 1
        #expect(row.expected.error == nil, "\(row.name)")
        #expect(forecast.source.rawValue == row.expected.source, "\(row.name)")
        #expect(forecast.issuedAt.description == row.expected.issuedAt, "\(row.name)")
        let hours = try #require(row.expected.hours, "\(row.name)")
        #expect(forecast.hours.map(\.start.description) == hours.map(\.start), "\(row.name)")
        for (hour, expected) in zip(forecast.hours, hours) {
          for (value, wanted) in zip([hour.air, hour.wind, hour.rain, hour.probability], expected.values) {
            #expect(isClose(value, wanted), "\(row.name), \(hour.start): \(value ?? -1) for \(wanted ?? -1)")
          }
        }
      } catch let fault as ForecastFault {
        refused += 1
        #expect(fault.code == row.expected.error, "\(row.name): \(fault)")
        #expect(!fault.description.isEmpty)
      }
    }
    #expect(read > 10 && refused > 30)
  }

  /// Within the file's own tolerance, or both missing.
  private func isClose(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-6
  }

  // MARK: One after another

  private struct Sequences: Decodable {
    struct Sequence: Decodable {
      struct Step: Decodable {
        let file: String
        let modifiedAt: String
      }
      struct Expected: Decodable {
        let outcomes: [String]
        let newest: String?
        let before: String?
      }
      let name: String
      let steps: [Step]
      let expected: Expected
    }
    let sequences: [Sequence]
  }

  @Test func `the newest forecast and its predecessor are kept`() throws {
    let sequences = try JSONDecoder().decode(Sequences.self, from: Data(fixtureBytes("expected.json"))).sequences
    #expect(!sequences.isEmpty)
    for sequence in sequences {
      var kept: [(file: String, issuedAt: Timestamp, digest: String)] = []
      let outcomes = try sequence.steps.map { step -> String in
        let bytes = try fixtureBytes(step.file)
        do {
          let forecast = try ForecastReader.read(bytes, modifiedAt: try instant(step.modifiedAt))
          let digest = String(decoding: bytes, as: UTF8.self)
          let effect = ForecastEffect.of(
            issuedAt: forecast.issuedAt, digest: digest, kept: kept.map { ($0.issuedAt, $0.digest) })
          if effect == .imported { kept = [(step.file, forecast.issuedAt, digest)] + kept.prefix(1) }
          return effect.rawValue
        } catch let fault as ForecastFault { return fault.code }
      }
      #expect(outcomes == sequence.expected.outcomes, "\(sequence.name)")
      #expect(kept.first?.file == sequence.expected.newest, "\(sequence.name)")
      #expect(kept.dropFirst().first?.file == sequence.expected.before, "\(sequence.name)")
    }
  }

  @Test func `the location is kept if the file contains it`() throws {
    let now = try instant("2026-01-19T15:04:05Z")
    let places = try ["forecast.csv", "open-meteo.json", "nws.json"].map {
      try ForecastReader.read(try fixtureBytes($0), modifiedAt: now).place
    }
    #expect(places == ["", "52.52,13.42", "38.96,-77.03"])
  }
}
