import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// Team failures on every engine.
struct TroubleTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func addTeam(_ name: String, to store: any Teams) async throws -> Team {
    try await store.addTeam(Samples.team(name), defaultTechnician: name, now: now) { _ in [] }
  }

  @Test(arguments: Engine.all)
  func `a team failure is announced once until it is resolved, across restarts`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (one, two) = (try await addTeam("one", to: store), try await addTeam("two", to: store))
    let routes = [SinkRoute(sink: "drop")]
    #expect(try await store.notifyTeamFailures(routes: routes, now: now) == [])
    try await store.setTeamFailures([one.id: "it's 5 o'clock\u{1B}", two.id: "no"], with: "backup", now: now)
    try await store.setTeamFailures([one.id: "water 0 0"], with: "lsi-refresh", now: now)
    #expect(try await store.troubles().map(\.work) == ["backup", "lsi-refresh", "backup"])
    #expect(try await store.troubles().first?.why == "it's 5 o'clock\\u{1B}")
    #expect(try await store.notifyTeamFailures(routes: [], now: now) == [], "without a route nothing is announced")
    #expect(try await store.notifyTeamFailures(routes: routes, now: now) == ["drop"])
    let later = now.advanced(by: .hours(1))
    // Found again with another reason: the start time stays, and no second notice is sent.
    try await store.setTeamFailures([one.id: "another", two.id: "no"], with: "backup", now: later)
    let next = try engine.open(folder.path, later)
    #expect(try await next.notifyTeamFailures(routes: routes, now: later) == [])
    let known = try await next.troubles()
    #expect(known.map(\.why) == ["another", "water 0 0", "no"] && known.allSatisfy { $0.since == now })
    // A check of one team leaves the other team's failure.
    try await next.setTeamFailures([:], with: "backup", of: .one(one.id), now: later)
    #expect(try await next.troubles().map(\.team) == ["one", "two"])
    try await next.clearTeamFailures(of: one.id)
    #expect(try await next.troubles().map(\.team) == ["two"])
    try await next.setTeamFailures([:], with: "backup", now: later)
    #expect(try await next.troubles().isEmpty)
    try await next.setTeamFailures([two.id: "again"], with: "backup", now: later)
    #expect(try await next.notifyTeamFailures(routes: routes, now: later) == ["drop"])
  }

  @Test(arguments: Engine.all)
  func `a run that fails on its records opens a failure, a finished run closes it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    let job = try #require(try await store.jobs(of: team.id).first)
    func settle(_ hours: Int, _ result: RunOutcome, _ reason: String) async throws {
      let slot = now.advanced(by: .hours(hours))
      let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .manual, asOf: slot)], now: slot)
      let outcome = Outcome(result: result, reason: reason, detail: "pools.ph = 'x'", notice: nil)
      try await store.settle(runs.map { RunSettlement(run: $0, outcome: outcome, finishedAt: slot) }, routes: [])
    }
    try await settle(1, .failed, FailureCode.unreadableRecord)
    #expect(try await store.troubles().map(\.why) == ["pools.ph = 'x'"])
    let routes = [SinkRoute(sink: "drop")]
    #expect(try await store.notifyTeamFailures(routes: routes, now: now) == ["drop"])
    try await store.setTeamFailures([team.id: "no"], with: "backup", now: now)
    #expect(
      try await store.notifyTeamFailures(routes: routes, now: now) == [], "a second notice within the second waits")
    try await settle(2, .skipped, "no-stops-today")
    #expect(try await store.troubles().map(\.work) == ["backup"])
  }
}
