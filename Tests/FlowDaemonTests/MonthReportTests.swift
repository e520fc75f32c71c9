import FlowControl
import FlowModel
import FlowStore
import FlowTestKit
import Foundation
import PoolControl
import PoolModel
import PoolStore
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// The demo's month report, through the service.
struct MonthReportTests {
  private struct Month: Decodable {
    struct Technician: Decodable {
      let technician: String
      let visits: Int
      let visits_before: Int
      let missed: Int
    }
    struct Chemical: Decodable {
      let type: String
      let ounces: Double
      let cost: Double
      let ounces_before: Double
      let cost_before: Double
    }
    struct Balance: Decodable {
      let corrosive: Int
      let balanced: Int
      let scale_forming: Int
    }
    struct Money: Decodable {
      let revenue: Double
      let chemicals: Double
      let profit: Double
      let loser_count: Int
    }
    struct Profit: Decodable { let customer: String }

    let technicians: [Technician]
    let missed_pools: Int
    let chemicals: [Chemical]
    let balance: Balance
    let money: Money
    let profits: [Profit]
    let unlocated: [String]
    let unpriced: [String]
  }

  /// A week after the demo's month, when none of its service days can still get a visit.
  private static let later = ServiceFixture.monday.advanced(by: .hours(7 * 24))

  private func month(_ fixture: ServiceFixture, _ month: String?, _ format: OwnerFormatView = .json) async throws
    -> String
  {
    try await fixture.poolService.reports.month(
      ReportsCall.Month(team: ServiceFixture.team, month: month, format: format), fixture.caller
    ).text
  }

  /// The expected values were counted from the archive's files by another program. They equal the golden values of 30 days,
  /// because there were no visits on the days in which the two periods differ.
  @Test func `the report of the demo's February matches its archive`() async throws {
    let fixture = try await ServiceFixture(at: Self.later)
    let told = try JSONDecoder().decode(Month.self, from: Data(try await month(fixture, "2026-02").utf8))
    #expect(told.technicians.map(\.technician) == ["dan", "keisha", "maria"])
    #expect(told.technicians.map(\.visits) == [154, 151, 151])
    #expect(told.technicians.map(\.visits_before) == [168, 171, 167])
    #expect(told.technicians.map(\.missed) == [6, 9, 9] && told.missed_pools == 15)
    // Liquid chlorine is shown by volume, tablets by weight: two lines of one kind.
    #expect(told.chemicals.map(\.type) == ["acid", "chlorine", "chlorine", "alkalinity", "base"])
    #expect(told.chemicals.map(\.ounces) == [16_573, 16_928, 1_520, 1_047, 80])
    #expect(told.chemicals.map(\.ounces_before) == [17_318, 18_112, 1_632, 805, 142])
    for (type, ounces, cost, costBefore) in [
      ("acid", 16_573.0, 828.65, 865.9), ("chlorine", 18_448, 612.16, 656), ("alkalinity", 1_047, 41.88, 32.2),
      ("base", 80, 7.2, 12.78),
    ] {
      let lines = told.chemicals.filter { $0.type == type }
      #expect(lines.reduce(0) { $0 + $1.ounces } == ounces, "\(type)")
      #expect(abs(lines.reduce(0) { $0 + $1.cost } - cost) < 1e-6, "\(type)")
      #expect(abs(lines.reduce(0) { $0 + $1.cost_before } - costBefore) < 1e-6, "\(type)")
    }
    #expect((told.balance.corrosive, told.balance.balanced, told.balance.scale_forming) == (1, 72, 44))
    let golden = try Golden.thirtyDays()
    #expect(abs(told.money.revenue - golden.totalRevenue) < 1e-6)
    #expect(abs(told.money.chemicals - golden.totalChemicalCost) < 1e-6)
    #expect(abs(told.money.profit - golden.totalProfit) < 1e-6 && told.money.loser_count == golden.moneyLoserCount)
    let pools = try await fixture.store.allPools(of: TeamID(1))
    #expect(
      told.profits.prefix(5).map(\.customer)
        == golden.firstFive.map { id in pools.first { $0.id.description == id }?.customerName ?? "" })
    #expect(told.unlocated.count == 3 && told.unpriced.count == 1)
  }

  @Test func `month reports omit closed days, exist in each format and refuse invalid months`() async throws {
    let fixture = try await ServiceFixture(at: Self.later)
    let plain = try JSONDecoder().decode(Month.self, from: Data(try await month(fixture, nil).utf8))
    _ = try await fixture.services.daysOff.add(
      DaysOffCall.Add(days: "2026-02-01..2026-03-31", team: ServiceFixture.team, dryRun: false),
      fixture.caller)
    let closed = try JSONDecoder().decode(Month.self, from: Data(try await month(fixture, "2026-02").utf8))
    #expect(plain.missed_pools == 15 && closed.missed_pools == 0)
    #expect(try await month(fixture, nil, .html).contains("<figure>"))
    #expect(try await month(fixture, nil, .md).contains("| dan | 154 | 168 | 0 |"))
    #expect(try await month(fixture, nil, .text).contains("No service day was missed."))
    for word in ["2026-13", "02-2026", "", "2026-02-03"] {
      await #expect(throws: ControlError.self, "\(word)") { try await month(fixture, word) }
    }
  }
}

/// Expected values from `config/demo/demo-expected.json`.
private struct Golden: Decodable {
  struct Analytics: Decodable {
    let totalRevenue: Double
    let totalChemicalCost: Double
    let totalProfit: Double
    let moneyLoserCount: Int
    let firstFive: [String]
  }

  let analytics: [String: Analytics]

  static func thirtyDays() throws -> Analytics {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../config/demo/demo-expected.json")
    return try #require(try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file)).analytics["30"])
  }
}
