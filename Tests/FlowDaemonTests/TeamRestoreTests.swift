import FlowControl
import FlowModel
import FlowServices
import Foundation
import PoolControl
import Testing

@testable import FlowAnswers
@testable import FlowDaemon
@testable import PoolServices

/// Restoring and clearing one team through the services.
@Suite struct TeamRestoreTests {
  private static let team = ServiceFixture.team

  @Test func `a failed restore names its reason and changes nothing`() async throws {
    // On the free plan a backup contains no archive of the team.
    let fixture = try await ServiceFixture(settings: "[Daemon]\nPlanLimits = on\n")
    let (services, caller) = (fixture.services, fixture.caller)
    try await fixture.addTeam("coast", plan: .free)
    let backup = try await fixture.backUp()
    let before = try fixture.marks()
    let cases: [(call: BackupCall.RestoreTeam, code: Int32, said: String)] = [
      (
        BackupCall.RestoreTeam(id: "latest", team: "coast", dryRun: false, confirm: "coast"), ExitCode.badData,
        "holds no archive of team 'coast'"
      ),
      (
        BackupCall.RestoreTeam(id: "latest", team: "desert-blu", dryRun: false, confirm: "desert-blu"),
        ExitCode.notFound, "did you mean 'desert-blue'"
      ),
      (
        BackupCall.RestoreTeam(
          id: "latest", team: Self.team, technician: "mary", dryRun: false, confirm: Self.team), ExitCode.notFound,
        "no technician"
      ),
      (
        BackupCall.RestoreTeam(id: "20200101T000000Z", team: Self.team, dryRun: false, confirm: Self.team),
        ExitCode.notFound, "no backup"
      ),
      (
        BackupCall.RestoreTeam(id: "latest", team: Self.team, dryRun: false, confirm: backup.id), ExitCode.usage,
        "to confirm, repeat the name of the team"
      ), (BackupCall.RestoreTeam(team: Self.team, dryRun: true), ExitCode.usage, "name either a backup or an upload"),
    ]
    for (call, code, said) in cases {
      await fixture.refuses(code, saying: said) { _ = try await services.backup.restoreTeam(call, caller) }
    }
    let text = try await fixture.upload(Array("no archive".utf8), as: "text.zip")
    await fixture.refuses(ExitCode.badData, saying: "nothing was changed") {
      _ = try await services.backup.restoreTeam(
        BackupCall.RestoreTeam(upload: text, team: Self.team, dryRun: false, confirm: Self.team), caller)
    }
    #expect(try fixture.marks() == before)
  }

  @Test func `a cleared team keeps its settings and can be restored completely`() async throws {
    let fixture = try await ServiceFixture(settings: "[Daemon]\nPlanLimits = on\n")
    let (services, caller) = (fixture.services, fixture.caller)
    func plan(_ plan: PlanView) async throws {
      _ = try await services.teams.plan(TeamsCall.Plan(name: Self.team, plan: plan), caller)
    }
    func clear(_ confirm: String?, dryRun: Bool = false) async throws -> TeamsCall.Clear.Reply {
      try await services.teams.clear(TeamsCall.Clear(name: Self.team, dryRun: dryRun, confirm: confirm), caller)
    }
    _ = try await services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "morning-time", value: "05:45")]), caller)
    // On the free plan the team's archives are made only for a clearing.
    try await plan(.free)
    let before = try await fixture.tables()
    let marks = try fixture.marks()
    let preview = try await clear(nil, dryRun: true)
    #expect(preview.before.pools == 120 && preview.after.pools == 0 && preview.backup == nil)
    for confirm in [nil, "yes"] {
      await fixture.refuses(ExitCode.usage, saying: "to confirm, repeat the name of the team") {
        _ = try await clear(confirm)
      }
    }
    #expect(try fixture.marks() == marks)
    let done = try await clear(Self.team)
    let backup = try #require(done.backup)
    #expect(done.archives.count == 4)
    #expect(done.archives.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    #expect(done.after.pools == 0 && done.after.serviceEvents == 0 && done.after.inventoryItems == 7)
    #expect(done.after.customerProfiles == 0 && done.after.photos == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.context.paths.photos + "/1") == [])
    #expect(try await fixture.poolService.pools.list(PoolsCall.List(team: Self.team), caller).pools.isEmpty)
    let shown = try await services.teams.show(TeamsCall.Show(name: Self.team), caller).team
    #expect(shown.settings.morningTime == "05:45")
    let stock = try await fixture.poolService.field.listStock(FieldCall.ListStock(team: Self.team), caller).items
    #expect(stock.contains { $0.name.hasPrefix("Muriatic Acid") })
    // The free plan limits a file to five pools, which is checked before any change.
    let path = try #require(done.archives.first { $0.contains("maria") })
    let file = try await fixture.upload(
      Array(try Data(contentsOf: URL(filePath: path))), as: "own.zip", team: Self.team)
    await fixture.refuses(ExitCode.badData, saying: "free plan") {
      _ = try await services.backup.restoreTeam(
        BackupCall.RestoreTeam(upload: file, team: Self.team, dryRun: false, confirm: Self.team), caller)
    }
    // The backup of this store is restored on any plan.
    _ = try await services.backup.restoreTeam(
      BackupCall.RestoreTeam(id: backup, team: Self.team, dryRun: false, confirm: Self.team), caller)
    let restored = try await fixture.tables()
    #expect(restored == before, "\(Set(restored).symmetricDifference(before).prefix(4))")
  }
}
