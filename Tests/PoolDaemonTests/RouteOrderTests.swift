import PoolControl
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import PoolTestKit
import PoolWork
import Testing

@testable import PoolDaemon

/// The order of a day's stops: `pool list`, `route show` and the morning digest show the same one, and the nightly work never
/// overrides the dispatcher's order unless configured.
struct RouteOrderTests {
  private static let team = ServiceStand.team

  private func set(_ order: String, _ stand: ServiceStand) async throws {
    _ = try await stand.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "route-order", value: order)]), stand.caller)
  }

  private func night(_ stand: ServiceStand) async throws -> RoutePlanner.Tally {
    try await stand.work.planner.plan(ofNight: try await stand.store.team(named: Self.team))
  }

  private func routes(_ stand: ServiceStand) async throws -> [RouteView] {
    try await stand.services.routes.show(RoutesCall.Show(team: Self.team, day: "Mon"), stand.caller).routes
  }

  /// Monday's stops in the digest's order, by technician.
  private func told(_ stand: ServiceStand) async throws -> [String: [String]] {
    let reply = try await stand.services.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: "2026-03-02", format: .json), stand.caller)
    let digest = try #require(DigestJSON.morning(reply.text))
    return Dictionary(
      uniqueKeysWithValues: digest.sections.map { ($0.technician, $0.stops.map(\.customer)) })
  }

  /// Checks that the three answers show the same order.
  private func everyWayTellsTheSame(_ stand: ServiceStand) async throws {
    let told = try await told(stand)
    for route in try await routes(stand) { #expect(told[route.technician] == route.stops.map(\.customer)) }
    let listed = try await stand.services.pools.list(
      PoolsCall.List(team: Self.team, technician: nil, day: "Mon"), stand.caller
    ).pools
    for (technician, customers) in told {
      #expect(listed.filter { $0.technician == technician }.map(\.customer) == customers)
    }
  }

  @Test func `by default the nightly planning proposes an order without applying it`() async throws {
    let stand = try await ServiceStand()
    let before = try await told(stand)
    let tally = try await night(stand)
    #expect(tally.planned > 0 && tally.applied == 0 && tally.savedMinutes > 1)
    #expect(try await told(stand) == before)
    try await everyWayTellsTheSame(stand)
    #expect(try await routes(stand).allSatisfy { $0.appliedByNight == false })
    // A stop moved today keeps its position, whatever the night proposes.
    let route = try #require(try await routes(stand).first { $0.stops.count > 4 })
    _ = try await stand.services.routes.move(
      RoutesCall.Move(team: Self.team, pool: route.stops[0].id, place: 4), stand.caller)
    _ = try await night(stand)
    #expect(try await told(stand)[route.technician]?[3] == route.stops[0].customer)
    try await everyWayTellsTheSame(stand)
  }

  @Test func `with route-order best the nightly planning applies improvements; undo restores a day`()
    async throws
  {
    let stand = try await ServiceStand()
    let before = try await told(stand)
    try await set("best", stand)
    #expect(try await night(stand).applied > 0)
    try await everyWayTellsTheSame(stand)
    let applied = try await told(stand)
    #expect(applied != before)
    for route in try await routes(stand) {
      #expect((route.savedMinutes ?? 0) < 0.5 && route.appliedByNight == true)
    }
    #expect(try await night(stand).applied == 0)
    _ = try await stand.services.routes.undo(RoutesCall.Undo(team: Self.team, day: "Mon"), stand.caller)
    #expect(try await told(stand) == before)
  }

  @Test func `keeping a customer's time window outweighs a shorter route`()
    async throws
  {
    let stand = try await ServiceStand()
    try await set("best", stand)
    _ = try await night(stand)
    let route = try #require(try await routes(stand).first { $0.stops.count > 6 })
    let last = try #require(route.stops.last)
    let pool = try #require(PoolID(last.id))
    let team = try await stand.store.team(named: Self.team)
    _ = try await stand.store.changeProfile(of: pool, team: team.id) { $0.preferredArrivalWindow = "8:00-9:00" }
    try await set("kept", stand)
    #expect(try await night(stand).applied == 0)
    let reply = try await stand.services.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: "2026-03-02", format: .json), stand.caller)
    let digest = try #require(DigestJSON.morning(reply.text))
    let section = digest.sections.first { $0.technician == route.technician }
    let better = try #require(section?.better)
    #expect((better.late ?? 0) > 60 && better.minutes < 0)
    try await set("best", stand)
    #expect(try await night(stand).applied == 1)
    let applied = try #require(try await routes(stand).first { $0.technician == route.technician })
    #expect(applied.stops.prefix(3).contains { $0.id == last.id })
    #expect(applied.minutes > route.minutes && applied.lateMinutes == applied.bestLateMinutes)
    #expect(try await night(stand).applied == 0)
  }

  @Test func `a day's start, stop minutes and windows are settings of the night's planning`() async throws {
    let stand = try await ServiceStand()
    func set(_ key: String, _ value: String) async throws -> TeamSettingsView {
      try await stand.services.teams.set(
        TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: key, value: value)]), stand.caller
      ).team.settings
    }
    let usual = try await stand.services.teams.show(TeamsCall.Show(name: Self.team), stand.caller).team.settings
    #expect(usual.dayStart == nil && usual.stopMinutes == 20 && usual.windows == .respect)
    _ = try await night(stand)
    #expect(try await set("day-start", "06:45").dayStart == "06:45")
    #expect(try await set("stop-minutes", "45").stopMinutes == 45)
    #expect(try await set("windows", "warn").windows == .warn)
    // Days with windows are planned again, once.
    #expect(try await night(stand).planned > 0)
    #expect(try await night(stand).planned == 0)
    let reply = try await stand.services.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: "2026-03-02", format: .json), stand.caller)
    #expect(try #require(DigestJSON.morning(reply.text)).sections.allSatisfy { $0.stops.first?.eta == "06:45" })
    #expect(try await set("day-start", "auto").dayStart == nil)
    for (key, value, words) in [
      ("day-start", "25:00", "HH:MM"), ("stop-minutes", "0", "5 to 240"), ("stop-minutes", "x", "5 to 240"),
      ("windows", "hard", "ignore, warn, respect"),
    ] {
      await stand.refuses(64, saying: key, words) { _ = try await set(key, value) }
    }
  }

  @Test func `a manually moved or pinned stop keeps its position in the best order`() async throws {
    let stand = try await ServiceStand()
    try await set("best", stand)
    _ = try await night(stand)
    let route = try #require(try await routes(stand).first { $0.stops.count > 5 })
    let moved = route.stops[1]
    _ = try await stand.services.routes.move(
      RoutesCall.Move(team: Self.team, pool: moved.id, place: 5), stand.caller)
    _ = try await night(stand)
    #expect(try await told(stand)[route.technician]?[4] == moved.customer)
    #expect(try await routes(stand).first { $0.technician == route.technician }?.stops[4].pin == 5)
    await stand.refuses(64, saying: "route-order cannot be 'fast'", "kept, best") { try await set("fast", stand) }
  }
}
