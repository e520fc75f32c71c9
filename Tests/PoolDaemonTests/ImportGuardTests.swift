import PoolControl
import PoolModel
import PoolTestKit
import Testing

@testable import PoolDaemon

/// A backup takes the place of what there is: what was logged here does not go without a word.
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

  @Test func `a backup that has all there is is taken as ever, and tells what it updates`() async throws {
    let stand = try await ServiceStand()
    let report = try await bring(stand)
    #expect(report.creates == 0 && report.updates == report.after.pools && report.updates > 0)
    #expect(report.deletes == 0 && report.visitsLost == 0)
  }

  @Test func `one that lacks a visit logged here is refused, and taken where somebody says so`() async throws {
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
