import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import StableModel
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

func instant(_ text: String?) throws -> Timestamp { try #require(Timestamp(rfc3339: text ?? "")) }
func date(_ text: String?) throws -> CivilDate { try #require(CivilDate(text ?? "")) }

extension SeededNumbers {
  /// A different seed each time; the test prints it.
  static var anySeed: UInt64 { UInt64.random(in: 1...UInt64.max) }
}

/// Assigns each name in the vectors a stable id.
struct NamedHorses {
  private var ids: [String: HorseID] = [:]

  mutating func id(_ name: String) -> HorseID {
    if let id = ids[name] { return id }
    let id = HorseID(Samples.uuid(ids.count + 1))
    ids[name] = id
    return id
  }

  mutating func horse(_ name: String, isClipped: Bool = false) -> Horse {
    Horse(id: id(name), name: name, isClipped: isClipped, added: CivilDate(year: 2025, month: 1, day: 1))
  }
}
