import FlowControl
import FlowModel
import FlowNodes
import FlowScheduler
import FlowServices
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import Testing
import TradeStores

@testable import FlowAnswers
@testable import FlowDaemon

/// Unreadable records of one team do not affect other teams, and are reported.
@Suite struct OneTeamsTroubleTests {
  private static let bad = ServiceFixture.team
  private static let good = "coast"
  private static let damage = """
    UPDATE pools SET updated_ms = 9223372036854775807 WHERE rowid = (SELECT min(rowid) FROM pools WHERE team_id =
      (SELECT team_id FROM teams WHERE name = 'desert-blue'))
    """

  /// A stand with two teams with pools; `damage` is applied to the stopped store.
  private func fixture(damage: [String]) async throws -> ServiceFixture {
    let scratch = try TemporaryFolder()
    try await DemoState.shared.copy(to: scratch.path + "/state")
    let start = Timestamp(seconds: 1_772_433_000)
    do {
      let before = try await ServiceFixture(in: scratch, at: start)
      try await before.addTeam(Self.good, zone: "America/Phoenix")
      try await before.importFile(try Tree.bytes(Tree.customers), as: "customers.csv", team: Self.good)
      try await before.store.endEpoch(at: start)
    }
    let fixture = try await ServiceFixture(in: scratch, at: start, damage: damage)
    try await fixture.scheduler.prepare()
    return fixture
  }

  private func status(_ fixture: ServiceFixture) async throws -> SchedulerCall.Status.Reply {
    try await fixture.services.scheduler.status(SchedulerCall.Status(), fixture.caller)
  }

  private func teams(of backup: BackupView, _ fixture: ServiceFixture) async throws -> Set<String> {
    let shown = try await fixture.services.backup.show(BackupCall.Show(id: backup.id), fixture.caller)
    return Set(shown.archives.map(\.team))
  }

  @Test(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server accepts no such value"))
  func `a team whose archive fails can be cleared without one`() async throws {
    let fixture = try await fixture(damage: [Self.damage])
    let (services, caller) = (fixture.services, fixture.caller)
    #expect(try await fixture.backUp().troubles?.map(\.team) == [Self.bad])
    await fixture.refuses(
      ExitCode.inputOutput, saying: "pools.updated_ms = '9223372036854775807'", "--without-archive"
    ) {
      _ = try await services.teams.clear(TeamsCall.Clear(name: Self.bad, dryRun: false, confirm: Self.bad), caller)
    }
    #expect(try await services.teams.show(TeamsCall.Show(name: Self.bad), caller).team.pools > 100)
    let cleared = try await services.teams.clear(
      TeamsCall.Clear(name: Self.bad, dryRun: false, confirm: Self.bad, withoutArchive: true), caller)
    #expect(cleared.before.pools > 100 && cleared.after.pools == 0 && cleared.archives.isEmpty)
    let backup = try #require(cleared.backup)
    #expect(FileManager.default.fileExists(atPath: "\(fixture.context.paths.backups)/\(backup)/poolflow.db"))
    #expect(try await status(fixture).troubles == [])
    #expect(try await fixture.backUp().troubles == nil)
  }

  @Test func `an unreadable team does not affect lists of other teams`() async throws {
    let fixture = try await fixture(damage: ["UPDATE teams SET morning_time_s = 99999999 WHERE name = 'desert-blue'"])
    let (services, caller) = (fixture.services, fixture.caller)
    #expect(try await services.teams.list(TeamsCall.List(), caller).teams.map(\.name) == [Self.good])
    await fixture.refuses(ExitCode.inputOutput, saying: "teams.morning_time_s = '99999999'") {
      _ = try await services.teams.show(TeamsCall.Show(name: Self.bad), caller)
    }
    let backup = try await fixture.backUp()
    #expect(backup.troubles?.map(\.team) == [Self.bad])
    #expect(try await teams(of: backup, fixture) == [Self.good])
    #expect(try await !services.scheduler.list(SchedulerCall.List(), caller).jobs.isEmpty)
    #expect(try await !services.scheduler.next(SchedulerCall.Next(count: 5), caller).occurrences.isEmpty)
    _ = try await services.scheduler.history(SchedulerCall.History(limit: 10, failed: false), caller)
    _ = try await services.scheduler.simulate(SchedulerCall.Simulate(days: 1), caller, nil)
    _ = try await services.teams.show(TeamsCall.Show(name: Self.good), caller)
    _ = try await services.daemon.audit(DaemonCall.Audit(limit: 10), caller)
    let findings = try await services.daemon.examine(DaemonCall.Examine(), caller).findings
    #expect(findings.contains { $0.message.contains("team of team 'desert-blue' fails since") })
    #expect(try await status(fixture).troubles?.isEmpty == false)
  }

  @Test(arguments: [
    "UPDATE jobs SET zone = 'Nowhere/Land' WHERE team_id = (SELECT team_id FROM teams WHERE name = 'desert-blue')",
    """
    UPDATE jobs SET rule = 'every blue moon' WHERE kind = 'morning-summary' AND team_id =
      (SELECT team_id FROM teams WHERE name = 'desert-blue')
    """,
    """
    UPDATE jobs SET kind = 'tea-time' WHERE kind = 'low-stock' AND team_id =
      (SELECT team_id FROM teams WHERE name = 'desert-blue')
    """,
  ])
  func `an unreadable rule, zone or job affects its own team only`(damage: String) async throws {
    let fixture = try await fixture(damage: [damage])
    let jobs = try await fixture.services.scheduler.list(SchedulerCall.List(), fixture.caller).jobs
    #expect(jobs.filter { $0.team == Self.good && $0.next != nil }.count >= 3)
    await fixture.housekeeping.tidy(now: fixture.clock.now(), scheduler: fixture.scheduler)
    let troubles = try #require(try await status(fixture).troubles)
    #expect(troubles.map(\.team) == [Self.bad] && troubles.map(\.work) == ["schedule"], "\(troubles)")
    #expect(try await fixture.backUp().troubles == nil)
  }

  @Test(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server accepts no such value"))
  func `the nightly water and route jobs skip unusable records and continue`() async throws {
    let fixture = try await fixture(damage: [
      """
      UPDATE pools SET ph = 9e999, lsi_stale = 1 WHERE rowid = (SELECT min(rowid) FROM pools WHERE team_id =
        (SELECT team_id FROM teams WHERE name = 'desert-blue'))
      """,
      """
      UPDATE pools SET route_order = 9223372036854775807 WHERE rowid = (SELECT max(rowid) FROM pools WHERE team_id =
        (SELECT team_id FROM teams WHERE name = 'desert-blue'))
      """,
      "UPDATE pools SET lsi_stale = 1, cached_lsi = NULL WHERE team_id <> 1",
    ])
    func perform(_ kind: JobKind) async throws -> Outcome {
      let job = try #require(try await fixture.store.jobs(of: nil).first { $0.kind == kind })
      let now = fixture.clock.now()
      let request = ClaimRequest(job: job, slot: now.advanced(by: .milliseconds(1)), cause: .manual, asOf: now)
      let run = try #require(try await fixture.store.claim([request], now: now).first)
      let backgroundTask = try #require(fixture.work.backgroundTask(for: run))
      return try await backgroundTask.perform()
    }
    let water = try await perform(.lsiRefresh)
    #expect(water.result == .done && water.detail?.contains("1 team has readings that cannot be used") == true)
    let routes = try await perform(.routePrecompute)
    #expect(routes.result == .done && routes.detail?.contains("those of 1 team could not be planned") == true)
    let troubles = try #require(try await status(fixture).troubles)
    #expect(Set(troubles.map(\.team)) == [Self.bad])
    #expect(Set(troubles.map(\.work)).isSuperset(of: ["lsi-refresh", "route-precompute"]))
    let read = try Connection.opened(fixture.place, .readOnly)
    let stale = try read.first("SELECT count(*) FROM pools WHERE lsi_stale = 1 AND team_id <> 1") {
      row throws(StoreError) in row.number(0)
    }
    #expect(stale == 0)
  }
}
