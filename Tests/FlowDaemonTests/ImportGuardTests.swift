import FlowControl
import FlowModel
import FlowTestKit
import PoolControl
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// An import that would lose later changes is refused without `replace`.
struct ImportGuardTests {
  private static let team = ServiceFixture.team

  private func archive() throws -> [UInt8] { try Tree.bytes("config/demo/demo-backup.zip") }

  private func log(_ fixture: ServiceFixture) async throws {
    _ = try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(
        team: Self.team, pool: "Steve Baird", readings: [SettingChangeView(key: "ph", value: "7.9")], dose: .none,
        measured: []), fixture.caller)
  }

  private func bring(
    _ fixture: ServiceFixture, replace: Bool? = nil, dryRun: Bool = false
  ) async throws -> ImportReportView {
    let id = try await fixture.upload(try archive(), as: "backup.zip")
    do {
      return try await fixture.services.imports.apply(
        ImportCall.Apply(upload: id, dryRun: dryRun, replace: replace), fixture.caller
      ).report
    } catch {
      await fixture.services.connectionEnded(fixture.caller)
      throw error
    }
  }

  @Test func `a backup with all present records is imported as an update`() async throws {
    let fixture = try await ServiceFixture()
    let report = try await bring(fixture)
    #expect(report.creates == 0 && report.updates == report.after.pools && report.updates > 0)
    #expect(report.deletes == 0 && report.visitsLost == 0)
  }

  @Test func `problems in a customer list are reported in the team's language`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    try await fixture.addTeam("blau", zone: "Europe/Berlin")
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: "blau", changes: [SettingChangeView(key: "language", value: "de")]), fixture.caller)
    let file = "customer_name,address,service_day,lat,lon\nUte,Ring 4,Freitach,99,1\n,Ring 5,,,\n"
    let report = try await fixture.importFile(Array(file.utf8), as: "kunden.csv", team: "blau")
    #expect(
      report.issues.map(\.message) == [
        "service_day 'Freitach' ist kein Wochentag; es gilt Montag",
        "latitude '99' ist keine Zahl von -90 bis 90; die Koordinaten bleiben weg", "customer_name ist leer",
      ])
  }

  @Test func `a backup that lacks a pool or reverts its changes is refused`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await fixture.poolService.field.addPool(
      FieldCall.AddPool(team: Self.team, customer: "Nora Quill", address: "5 Elm", changes: []), fixture.caller)
    func set(_ key: String, _ value: String) async throws {
      _ = try await fixture.poolService.field.setPool(
        FieldCall.SetPool(
          team: Self.team, pool: "Steve Baird", changes: [SettingChangeView(key: key, value: value)]), fixture.caller)
    }
    try await set("fee", "999")
    let before = try fixture.marks()
    await fixture.refuses(
      65,
      saying: "lacks 1 pool that was added since it was made, and has 1 pool without its changes made since",
      "--replace"
    ) { _ = try await bring(fixture) }
    let preview = try await bring(fixture, dryRun: true)
    #expect(preview.poolsLost == 1 && preview.poolsReverted == 1 && preview.visitsLost == 0)
    #expect(try fixture.marks() == before)
    #expect(try await bring(fixture, replace: true).poolsReverted == 1)
    // The nightly work also changes the order of stops, so a changed order is no loss.
    _ = try await fixture.poolService.routes.move(
      RoutesCall.Move(team: Self.team, pool: "Steve Baird", place: 3), fixture.caller)
    let again = try await bring(fixture)
    #expect(again.poolsLost == 0 && again.poolsReverted == 0)
  }

  @Test func `a backup that lacks a logged visit is refused without replace`() async throws {
    let fixture = try await ServiceFixture()
    try await log(fixture)
    let before = try fixture.marks()
    await fixture.refuses(65, saying: "1 visit that was logged here", "--replace", "nothing was changed") {
      _ = try await bring(fixture)
    }
    let preview = try await bring(fixture, dryRun: true)
    #expect(preview.visitsLost == 1)
    #expect(try fixture.marks() == before)
    #expect(try await bring(fixture, replace: true).visitsLost == 1)
    #expect(try await bring(fixture).visitsLost == 0)
  }
}
