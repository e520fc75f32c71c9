import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// A team's settings in the store.
struct TeamSettingsTests {
  private static let zones = SystemZones()
  private static let plan: @Sendable (Team) throws -> [JobPlan] = {
    JobPlan.all(of: $0, in: .pools, zone: try zones.zone(named: $0.zone))
  }

  @Test(arguments: Engine.all)
  func `each setting of a team is read as it was written`(engine: Engine) async throws {
    let folder = try TemporaryFolder()
    let store = try engine.open(folder.path, Samples.mondayMorning)
    let team = try await store.addTeam(
      Samples.team(), defaultTechnician: "anna", now: Samples.mondayMorning, plan: Self.plan)
    #expect(team.settings == TeamSettings() && team.settings.dosing == .app && team.settings.lsiMethod == .app)
    let settings = TeamSettings(
      notificationsEnabled: false, morningNotice: false, lowStockForTomorrow: false, weeklyDigest: false,
      morningTime: try #require(TimeOfDay("06:15")), eveningPreview: true, stopOrder: .best,
      dayStart: TimeOfDay("08:30"), stopMinutes: 45, windows: .ignore, doseUnits: .app, dosing: .carbonate,
      lsiMethod: .phCorrected,
      freezeWarning: -2.5, rainHint: nil, defaultVolumeGallons: 15_000, showsBothUnits: true,
      disabledJobs: ["care-due", "feed-am"])
    let changed = try await store.changeTeam(
      named: team.name, now: Samples.mondayMorning, change: { $0.settings = settings }, plan: Self.plan)
    #expect(changed.settings == settings)
    #expect(try await store.team(team.id)?.settings == settings)
    #expect(try await store.teams().map(\.settings) == [settings])
    _ = try await store.changeTeam(
      named: team.name, now: Samples.mondayMorning, change: { $0.settings.dosing = .app }, plan: Self.plan)
    #expect(try await store.team(team.id)?.settings.dosing == .app)
  }
}
