import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import StableModel
import StableRules
import Testing

struct FeedBoardTests {
  private struct Input: Decodable {
    let kind: String
    let timeZone: String
    let horses: [GivenHorse]?
    let steps: [FeedStep]?
    let view: FeedView?
    let after: String?
    let count: Int?
  }
  private struct Expected: Decodable {
    let outcomes: [FeedResultCase]?
    let board: BoardCase?
    let history: [HistoryCase]?
    let resets: [Reset]?
  }
  private struct Reset: Decodable, Equatable {
    let fireAt: String
    let closes: String
  }

  @Test func `the feed board equals every golden case`() throws {
    var kinds: [String: Int] = [:]
    for row in try Golden<Input, Expected>.rows("feed_board") {
      kinds[row.input.kind, default: 0] += 1
      let zone = try zones.zone(named: row.input.timeZone)
      switch row.input.kind {
      case "steps":
        var barn = GoldenBarn(zone: zone)
        for horse in try #require(row.input.horses) {
          let isNew = barn.add(horse)
          #expect(isNew, "\(row.name)")
        }
        let outcomes = try #require(row.input.steps).map { try barn.perform($0) }
        for (number, (outcome, expected)) in zip(outcomes, try #require(row.expected.outcomes)).enumerated() {
          #expect(outcome == expected, "\(row.name), step \(number + 1)")
        }
        #expect(outcomes.count == row.expected.outcomes?.count, "\(row.name)")
        #expect(try barn.board(try #require(row.input.view)) == row.expected.board, "\(row.name)")
        #expect(barn.history == row.expected.history, "\(row.name)")
      case "resets":
        let rule = CalendarRule(.daily(at: .midnight), zone: zone)
        let resets = rule.occurrences(after: try instant(row.input.after)).prefix(try #require(row.input.count))
        let found = resets.map {
          Reset(
            fireAt: $0.instant.description, closes: FeedDates.closed(by: $0.instant, in: zone).description)
        }
        #expect(found == row.expected.resets, "\(row.name)")
      default: Issue.record("\(row.name) is of an unknown kind")
      }
    }
    for kind in ["steps", "resets"] { #expect(kinds[kind] ?? 0 > 0) }
  }
}
