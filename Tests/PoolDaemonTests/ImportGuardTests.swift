import PoolControl
import PoolModel
import PoolTestKit
import Testing

@testable import PoolDaemon

/// An import that would lose later changes is refused without `replace`.
struct ImportGuardTests {
  private static let team = ServiceStand.team

  private func archive() throws -> [UInt8] { try Tree.bytes("config/demo/demo-backup.zip") }

  private func log(_ stand: ServiceStand) async throws {
    _ = try await stand.services.field.logVisit(
      FieldCall.LogVisit(
        team: Self.team, pool: "Steve Baird", readings: [SettingChangeView(key: "ph", value: "7.9")], dose: .none,
        measured: []), stand.caller)
  }

  private func bring(
    _ stand: ServiceStand, replace: Bool? = nil, dryRun: Bool = false
  ) async throws -> ImportReportView {
    let id = try await stand.upload(try archive(), as: "backup.zip")
    do {
      return try await stand.services.imports.apply(
        ImportCall.Apply(upload: id, dryRun: dryRun, replace: replace), stand.caller
      ).report
    } catch {
      await stand.services.connectionEnded(stand.caller)
      throw error
    }
  }

  @Test func `a backup with all present records is imported as an update`() async throws {
    let stand = try await ServiceStand()
    let report = try await bring(stand)
    #expect(report.creates == 0 && report.updates == report.after.pools && report.updates > 0)
    #expect(report.deletes == 0 && report.visitsLost == 0)
  }

  @Test func `problems in a customer list are reported in the team's language`() async throws {
    let stand = try await ServiceStand(demo: false)
    try await stand.addTeam("blau", zone: "Europe/Berlin")
    _ = try await stand.services.teams.set(
      TeamsCall.Set(name: "blau", changes: [SettingChangeView(key: "language", value: "de")]), stand.caller)
    let file = "customer_name,address,service_day,lat,lon\nUte,Ring 4,Freitach,99,1\n,Ring 5,,,\n"
    let report = try await stand.importFile(Array(file.utf8), as: "kunden.csv", team: "blau")
    #expect(
      report.issues.map(\.message) == [
        "service_day 'Freitach' ist kein Wochentag; es gilt Montag",
        "latitude '99' ist keine Zahl von -90 bis 90; die Koordinaten bleiben weg", "customer_name ist leer",
      ])
  }

  @Test func `a backup that lacks a pool or reverts its changes is refused`() async throws {
    let stand = try await ServiceStand()
    _ = try await stand.services.field.addPool(
      FieldCall.AddPool(team: Self.team, customer: "Nora Quill", address: "5 Elm", changes: []), stand.caller)
    func set(_ key: String, _ value: String) async throws {
      _ = try await stand.services.field.setPool(
        FieldCall.SetPool(
          team: Self.team, pool: "Steve Baird", changes: [SettingChangeView(key: key, value: value)]), stand.caller)
    }
    try await set("fee", "999")
    let before = try stand.marks()
    await stand.refuses(
      65,
      saying: "lacks 1 pool that was added since it was made, and has 1 pool without its changes made since",
      "--replace"
    ) { _ = try await bring(stand) }
    let rehearsed = try await bring(stand, dryRun: true)
    #expect(rehearsed.poolsLost == 1 && rehearsed.poolsReverted == 1 && rehearsed.visitsLost == 0)
    #expect(try stand.marks() == before)
    #expect(try await bring(stand, replace: true).poolsReverted == 1)
    // The nightly work also changes the order of stops, so a changed order is no loss.
    _ = try await stand.services.routes.move(
      RoutesCall.Move(team: Self.team, pool: "Steve Baird", place: 3), stand.caller)
    let again = try await bring(stand)
    #expect(again.poolsLost == 0 && again.poolsReverted == 0)
  }

  @Test func `a backup that lacks a logged visit is refused without replace`() async throws {
    let stand = try await ServiceStand()
    try await log(stand)
    let before = try stand.marks()
    await stand.refuses(65, saying: "1 visit that was logged here", "--replace", "nothing was changed") {
      _ = try await bring(stand)
    }
    let rehearsed = try await bring(stand, dryRun: true)
    #expect(rehearsed.visitsLost == 1)
    #expect(try stand.marks() == before)
    #expect(try await bring(stand, replace: true).visitsLost == 1)
    #expect(try await bring(stand).visitsLost == 0)
  }
}
