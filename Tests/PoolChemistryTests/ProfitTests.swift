import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import PoolChemistry
import PoolModel
import Testing

struct ProfitTests {
  private struct Event: Decodable {
    let timestamp: String
    let totalChemicalCost: Double
  }

  private static func pool(id: PoolID, name: String, fee: Double) -> Pool {
    var pool = Samples.pool(customer: name)
    pool.id = id
    pool.monthlyServiceFee = fee
    return pool
  }

  private static func visits(_ events: [Event], to pool: PoolID) throws -> [ServiceEvent] {
    try events.map { event in
      var visit = Samples.visit(to: pool, at: try instant(event.timestamp))
      visit.totalChemicalCost = event.totalChemicalCost
      return visit
    }
  }

  private struct Period: Decodable {
    let monthlyServiceFee: Double
    let serviceEvents: [Event]
    let now: String
    let timeZone: String
    let billingPeriodDays: Int
  }
  private struct Earned: Decodable {
    let totalChemCost: Double
    let profit: Double
    let isInTheRed: Bool
    let isMoneyLoser: Bool
    let marginRatio: Double?
  }

  private static func expect(_ profit: PoolProfit, _ wanted: Earned, _ name: String) {
    #expect(isClose(profit.totalChemicalCost, wanted.totalChemCost), "\(name)")
    #expect(isClose(profit.profit, wanted.profit), "\(name)")
    #expect(profit.isInTheRed == wanted.isInTheRed, "\(name)")
    #expect(profit.isMoneyLoser == wanted.isMoneyLoser, "\(name)")
    if let margin = wanted.marginRatio { #expect(isClose(profit.marginRatio, margin), "\(name)") }
  }

  @Test func `a pool's profit equals every golden case`() throws {
    for row in try Golden<Period, Earned>.rows("profit") {
      let pool = Self.pool(id: Samples.pool().id, name: "A", fee: row.input.monthlyServiceFee)
      let zone = try zones.zone(named: row.input.timeZone)
      let start = zone.sameTime(-row.input.billingPeriodDays, daysAfter: try instant(row.input.now))
      let visits = try Self.visits(row.input.serviceEvents, to: pool.id)
      Self.expect(PoolProfit(pool: pool, visits: visits, since: start), row.expected, row.name)
    }
  }

  private struct Analytics: Decodable {
    struct Pool: Decodable {
      let id: String
      let customerName: String
      let monthlyServiceFee: Double
      let serviceEvents: [Event]
    }
    let pools: [Pool]
    let now: String
    let timeZone: String
    let billingPeriodDays: Int
    let sortMode: ProfitOrder
    let onlyMoneyLosers: Bool
  }
  private struct Totals: Decodable {
    let totalRevenue: Double
    let totalChemicalCost: Double
    let totalProfit: Double
    let moneyLoserCount: Int
    let order: [String]
    let pools: [String: Earned]
  }

  @Test func `a team's profit report equals every golden case`() throws {
    for row in try Golden<Analytics, Totals>.rows("analytics") {
      let zone = try zones.zone(named: row.input.timeZone)
      let start = zone.sameTime(-row.input.billingPeriodDays, daysAfter: try instant(row.input.now))
      let profits = try row.input.pools.map { pool in
        let id = try #require(PoolID(pool.id))
        return PoolProfit(
          pool: Self.pool(id: id, name: pool.customerName, fee: pool.monthlyServiceFee),
          visits: try Self.visits(pool.serviceEvents, to: id), since: start)
      }
      let report = ProfitReport(profits, order: row.input.sortMode, onlyMoneyLosers: row.input.onlyMoneyLosers)
      #expect(report.pools.map(\.poolID.description) == row.expected.order, "\(row.name)")
      #expect(isClose(report.totalRevenue, row.expected.totalRevenue), "\(row.name)")
      #expect(isClose(report.totalChemicalCost, row.expected.totalChemicalCost), "\(row.name)")
      #expect(isClose(report.totalProfit, row.expected.totalProfit), "\(row.name)")
      #expect(report.moneyLoserCount == row.expected.moneyLoserCount, "\(row.name)")
      try #require(row.expected.pools.count == profits.count, "\(row.name)")
      for profit in profits {
        Self.expect(profit, try #require(row.expected.pools[profit.poolID.description]), row.name)
      }
    }
  }

  private struct Health: Decodable {
    struct Pool: Decodable {
      let id: String
      let latitude: Double
      let longitude: Double
      let monthlyServiceFee: Double
      let eventTimestamps: [String]
    }
    let pools: [Pool]
    let now: String
    let timeZone: String
  }
  private struct Findings: Decodable {
    let missingCoordinates: [String]
    let missingServiceFee: [String]
    let staleService: [String]
  }

  @Test func `data health equals every golden case`() throws {
    for row in try Golden<Health, Findings>.rows("data_health") {
      let zone = try zones.zone(named: row.input.timeZone)
      let limit = zone.sameTime(-DataHealth.staleDays, daysAfter: try instant(row.input.now))
      let health = DataHealth(
        try row.input.pools.map { pool in
          var made = Self.pool(id: try #require(PoolID(pool.id)), name: "A", fee: pool.monthlyServiceFee)
          made.latitude = pool.latitude
          made.longitude = pool.longitude
          return (made, try pool.eventTimestamps.map(instant).max())
        }, staleBefore: limit)
      #expect(health.missingCoordinates.map(\.description) == row.expected.missingCoordinates, "\(row.name)")
      #expect(health.missingServiceFee.map(\.description) == row.expected.missingServiceFee, "\(row.name)")
      #expect(health.staleService.map(\.description) == row.expected.staleService, "\(row.name)")
    }
  }
}
