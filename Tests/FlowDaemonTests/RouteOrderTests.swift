import FlowControl
import FlowModel
import FlowStore
import FlowTestKit
import FlowWork
import PoolControl
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// The order of a day's stops: `pool list`, `route show` and the morning digest show the same one, and the nightly work never
/// overrides the dispatcher's order unless configured.
struct RouteOrderTests {
  private static let team = ServiceFixture.team

  private func set(_ order: String, _ fixture: ServiceFixture) async throws {
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "route-order", value: order)]), fixture.caller)
  }

  private func night(_ fixture: ServiceFixture) async throws -> RoutePlanner.Tally {
    try await fixture.poolService.planner.plan(ofNight: try await fixture.store.team(named: Self.team))
  }

  private func routes(_ fixture: ServiceFixture) async throws -> [RouteView] {
    try await fixture.poolService.routes.show(RoutesCall.Show(team: Self.team, day: "Mon"), fixture.caller).routes
  }

  /// Monday's stops in the digest's order, by technician.
  private func told(_ fixture: ServiceFixture) async throws -> [String: [String]] {
    let reply = try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: "2026-03-02", format: .json), fixture.caller)
    let digest = try #require(DigestJSON.morning(reply.text))
    return Dictionary(
      uniqueKeysWithValues: digest.sections.map { ($0.technician, $0.stops.map(\.customer)) })
  }

  /// Checks that the three answers show the same order.
  private func everyWayTellsTheSame(_ fixture: ServiceFixture) async throws {
    let told = try await told(fixture)
    for route in try await routes(fixture) { #expect(told[route.technician] == route.stops.map(\.customer)) }
    let listed = try await fixture.poolService.pools.list(
      PoolsCall.List(team: Self.team, technician: nil, day: "Mon"), fixture.caller
    ).pools
    for (technician, customers) in told {
      #expect(listed.filter { $0.technician == technician }.map(\.customer) == customers)
    }
  }

  @Test func `by default the nightly planning proposes an order without applying it`() async throws {
    let fixture = try await ServiceFixture()
    let before = try await told(fixture)
    let tally = try await night(fixture)
    #expect(tally.planned > 0 && tally.applied == 0 && tally.savedMinutes > 1)
    #expect(try await told(fixture) == before)
    try await everyWayTellsTheSame(fixture)
    #expect(try await routes(fixture).allSatisfy { $0.appliedByNight == false })
    // A stop moved today keeps its position, whatever the night proposes.
    let route = try #require(try await routes(fixture).first { $0.stops.count > 4 })
    _ = try await fixture.poolService.routes.move(
      RoutesCall.Move(team: Self.team, pool: route.stops[0].id, place: 4), fixture.caller)
    _ = try await night(fixture)
    #expect(try await told(fixture)[route.technician]?[3] == route.stops[0].customer)
    try await everyWayTellsTheSame(fixture)
  }

  @Test func `with route-order best the nightly planning applies improvements; undo restores a day`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let before = try await told(fixture)
    try await set("best", fixture)
    #expect(try await night(fixture).applied > 0)
    try await everyWayTellsTheSame(fixture)
    let applied = try await told(fixture)
    #expect(applied != before)
    for route in try await routes(fixture) {
      #expect((route.savedMinutes ?? 0) < 0.5 && route.appliedByNight == true)
    }
    #expect(try await night(fixture).applied == 0)
    _ = try await fixture.poolService.routes.undo(RoutesCall.Undo(team: Self.team, day: "Mon"), fixture.caller)
    #expect(try await told(fixture) == before)
  }

  @Test func `keeping a customer's time window outweighs a shorter route`()
    async throws
  {
    let fixture = try await ServiceFixture()
    try await set("best", fixture)
    _ = try await night(fixture)
    let route = try #require(try await routes(fixture).first { $0.stops.count > 6 })
    let last = try #require(route.stops.last)
    let pool = try #require(PoolID(last.id))
    let team = try await fixture.store.team(named: Self.team)
    _ = try await fixture.store.changeProfile(of: pool, team: team.id) { $0.preferredArrivalWindow = "8:00-9:00" }
    try await set("kept", fixture)
    #expect(try await night(fixture).applied == 0)
    let reply = try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: "2026-03-02", format: .json), fixture.caller)
    let digest = try #require(DigestJSON.morning(reply.text))
    let section = digest.sections.first { $0.technician == route.technician }
    let better = try #require(section?.better)
    #expect((better.late ?? 0) > 60 && better.minutes < 0)
    try await set("best", fixture)
    #expect(try await night(fixture).applied == 1)
    let applied = try #require(try await routes(fixture).first { $0.technician == route.technician })
    #expect(applied.stops.prefix(3).contains { $0.id == last.id })
    #expect(applied.minutes > route.minutes && applied.lateMinutes == applied.bestLateMinutes)
    #expect(try await night(fixture).applied == 0)
  }

  @Test func `a day's start, stop minutes and windows are settings of the night's planning`() async throws {
    let fixture = try await ServiceFixture()
    func set(_ key: String, _ value: String) async throws -> TeamSettingsView {
      try await fixture.services.teams.set(
        TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: key, value: value)]), fixture.caller
      ).team.settings
    }
    let usual = try await fixture.services.teams.show(TeamsCall.Show(name: Self.team), fixture.caller).team.settings
    #expect(usual.dayStart == nil && usual.stopMinutes == 20 && usual.windows == .respect)
    _ = try await night(fixture)
    #expect(try await set("day-start", "06:45").dayStart == "06:45")
    #expect(try await set("stop-minutes", "45").stopMinutes == 45)
    #expect(try await set("windows", "warn").windows == .warn)
    // Days with windows are planned again, once.
    #expect(try await night(fixture).planned > 0)
    #expect(try await night(fixture).planned == 0)
    let reply = try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: "2026-03-02", format: .json), fixture.caller)
    #expect(try #require(DigestJSON.morning(reply.text)).sections.allSatisfy { $0.stops.first?.eta == "06:45" })
    #expect(try await set("day-start", "auto").dayStart == nil)
    for (key, value, words) in [
      ("day-start", "25:00", "HH:MM"), ("stop-minutes", "0", "5 to 240"), ("stop-minutes", "x", "5 to 240"),
      ("windows", "hard", "ignore, warn, respect"),
    ] {
      await fixture.refuses(64, saying: key, words) { _ = try await set(key, value) }
    }
  }

  @Test func `a manually moved or pinned stop keeps its position in the best order`() async throws {
    let fixture = try await ServiceFixture()
    try await set("best", fixture)
    _ = try await night(fixture)
    let route = try #require(try await routes(fixture).first { $0.stops.count > 5 })
    let moved = route.stops[1]
    _ = try await fixture.poolService.routes.move(
      RoutesCall.Move(team: Self.team, pool: moved.id, place: 5), fixture.caller)
    _ = try await night(fixture)
    #expect(try await told(fixture)[route.technician]?[4] == moved.customer)
    #expect(try await routes(fixture).first { $0.technician == route.technician }?.stops[4].pin == 5)
    await fixture.refuses(64, saying: "route-order cannot be 'fast'", "kept, best") { try await set("fast", fixture) }
  }
}
