import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import PoolModel
import Testing

struct PlanGateTests {
  private struct Input: Decodable {
    let kind: String
    let tier: String?
    let feature: String?
    let poolCount: Int?
    let creates: Int?
    let totalDayPools: Int?
    let servicedCount: Int?
    let start: String?
    let timeZone: String?
  }
  private struct Expected: Decodable {
    let allowed: Bool?
    let complete: Bool?
    let setsHasCompletedRouteOnce: Bool?
    let expiresAt: String?
  }

  /// The other kinds in the file are screens of the app, which a daemon lacks.
  private static let screens: Set = ["notificationEligible", "showPrimer", "shouldRequestReview", "paywall"]

  private func plan(_ tier: String?) throws -> Plan {
    switch try #require(tier) {
    case "free": .free
    case "trial": .trial(expires: Samples.mondayMorning.advanced(by: .hours(1)))
    default: .paid
    }
  }

  @Test func `a plan allows what every golden case says`() throws {
    var kinds: [String: Int] = [:]
    for row in try Golden<Input, Expected>.rows("gating") {
      kinds[row.input.kind, default: 0] += 1
      let now = Samples.mondayMorning
      switch row.input.kind {
      case "canAccess":
        let feature = try #require(PlanFeature(rawValue: row.input.feature ?? ""), "\(row.name)")
        let allowed = try plan(row.input.tier).allows(feature, records: row.input.poolCount ?? 0, at: now)
        #expect(allowed == row.expected.allowed, "\(row.name)")
      case "importAllowed":
        let left = try plan(row.input.tier).recordsLeft(records: try #require(row.input.poolCount), at: now)
        let creates = try #require(row.input.creates)
        #expect((left.map { creates <= $0 } ?? true) == row.expected.allowed, "\(row.name)")
      case "routeCompletion":
        let progress = RouteProgress(
          pools: try #require(row.input.totalDayPools), serviced: try #require(row.input.servicedCount))
        #expect(progress.isComplete == row.expected.complete, "\(row.name)")
        #expect(progress.countsAsRoute == row.expected.setsHasCompletedRouteOnce, "\(row.name)")
      case "trialExpiry":
        let zone = try zones.zone(named: try #require(row.input.timeZone))
        let end = zone.sameTime(7, daysAfter: try instant(try #require(row.input.start)))
        #expect(end == Timestamp(rfc3339: try #require(row.expected.expiresAt)), "\(row.name)")
      default: #expect(Self.screens.contains(row.input.kind), "\(row.name)")
      }
    }
    for kind in ["canAccess", "importAllowed", "routeCompletion", "trialExpiry"] { #expect(kinds[kind] ?? 0 > 0) }
  }

  @Test func `an expired trial allows only what the free plan does`() {
    let ended = Plan.trial(expires: Samples.mondayMorning)
    #expect(!ended.allows(.analytics, records: 1, at: Samples.mondayMorning))
    #expect(ended.recordsLeft(records: 5, at: Samples.mondayMorning) == 0)
  }
}
