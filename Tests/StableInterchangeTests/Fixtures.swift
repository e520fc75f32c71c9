import FlowModel
import Foundation
import Testing

/// `Fixtures/expected.json`: the expected result of each file.
struct StableFixtures<Case: Decodable>: Decodable {
  let fixtures: [Case]

  static func load() throws -> [Case] {
    try JSONDecoder().decode(Self.self, from: Data(fixtureBytes("expected.json"))).fixtures
  }
}

func fixtureBytes(_ name: String) throws -> [UInt8] {
  let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil), "\(name)")
  return Array(try Data(contentsOf: url))
}

/// The bytes of a fixture: a file, or repeated texts.
struct FixtureBytes: Decodable {
  let file: String?
  let make: [Piece]?

  struct Piece: Decodable {
    let text: String
    let times: Int

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      text = try values.decode(String.self)
      times = try values.decode(Int.self)
    }
  }

  var bytes: [UInt8] {
    get throws {
      if let file { return try fixtureBytes(file) }
      return try #require(make).flatMap { piece in [UInt8](String(repeating: piece.text, count: piece.times).utf8) }
    }
  }
}

func instant(_ text: String?) throws -> Timestamp { try #require(Timestamp(rfc3339: text ?? "")) }
func date(_ text: String?) throws -> CivilDate { try #require(CivilDate(text ?? "")) }
