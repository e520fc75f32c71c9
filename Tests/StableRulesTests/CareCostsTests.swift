import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import StableModel
import StableRules
import Testing

struct CareCostsTests {
  private struct Input: Decodable {
    struct Event: Decodable {
      let horse: String
      let type: String
      let date: String
      let cost: String?
    }
    let timeZone: String
    let slot: String
    let horses: [String]
    let events: [Event]
  }
  private struct Expected: Decodable, Equatable {
    struct Line: Decodable, Equatable {
      let type: String
      let cost: String
    }
    struct HorseCosts: Decodable, Equatable {
      let horse: String
      let types: [Line]
      let total: String
    }
    struct Totals: Decodable, Equatable {
      let types: [Line]
      let total: String
    }
    let from: String
    let to: String
    let horses: [HorseCosts]
    let totals: Totals
  }

  @Test func `a week's costs equal every golden case`() throws {
    for row in try Golden<Input, Expected>.rows("costs") {
      var names = NamedHorses()
      let horses = row.input.horses.map { names.horse($0) }
      let events = try row.input.events.enumerated().map { number, event in
        CareEvent(
          id: CareEventID(Samples.uuid(1_000 + number)), horseID: names.id(event.horse),
          type: try #require(CareType(rawValue: event.type)), date: try date(event.date),
          cost: try event.cost.map { text in try #require(Cost(text), "\(row.name): \(text)") })
      }
      let zone = try zones.zone(named: row.input.timeZone)
      let today = FeedDates(at: try instant(row.input.slot), in: zone).today
      let costs = CareCosts(weekAround: today, events: events, horses: horses)
      let shown = Expected(
        from: costs.from.description, to: costs.to.description,
        horses: costs.horses.map {
          Expected.HorseCosts(horse: $0.horse.name, types: lines($0.types), total: money($0.total))
        },
        totals: Expected.Totals(types: lines(costs.types), total: money(costs.total)))
      #expect(shown == row.expected, "\(row.name)")
    }
  }

  private func lines(_ lines: [CareCosts.Line]) -> [Expected.Line] {
    lines.map { Expected.Line(type: $0.type.rawValue, cost: money($0.cost)) }
  }

  private func money(_ cost: Cost) -> String { "\(cost.cents / 100).\(padded(Int(cost.cents % 100), 2))" }
}
