import FlowCalendar
import FlowModel
import FlowPlatform
import Foundation
import Testing

/// Weekly times from the documentation (product.md, Notices).
@Suite struct OccurrenceVectorTests {
  struct File: Decodable {
    let cases: [Case]
  }
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable, Sendable {
      let weekday: Int
      let hour: Int
      let minute: Int
      let after: String
      let timeZone: String
      let count: Int
    }
    struct Expected: Decodable, Sendable {
      let fireAt: [String]
    }
    let name: String
    let input: Input
    let expected: Expected
    var testDescription: String { name }
  }

  static func cases() throws -> [Case] {
    try JSONDecoder().decode(File.self, from: try Fixture.data("occurrences.json")).cases
  }

  @Test(arguments: try cases())
  func `a weekly time occurs as documented`(vector: Case) throws {
    let weekday = try #require(Weekday(rawValue: vector.input.weekday))
    let time = try #require(TimeOfDay(hour: vector.input.hour, minute: vector.input.minute))
    let zone = try zones.zone(named: vector.input.timeZone)
    let rule = CalendarRule(.weekly(on: weekday, at: time), zone: zone)
    let found = rule.occurrences(after: instant(vector.input.after)).prefix(vector.input.count)
    #expect(found.map(\.instant.description) == vector.expected.fireAt)
  }
}
