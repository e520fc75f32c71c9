import FlowControl
import StableControl
import Testing

struct StableCallTests {
  @Test func `the audit contains no owner, provider or note of a horse`() {
    let owner = SettingChangeView(key: "owner", value: "Ada Field")
    #expect(
      HorsesCall.Add(team: "a", name: "Juniper", changes: [owner]).auditWords == "horse add 'Juniper' --team a --owner")
    #expect(
      FeedCall.Mark(team: "a", horse: "Juniper", slot: .am, date: "yesterday", by: "Ann").auditWords
        == "feed mark Juniper am --team a --date yesterday")
    #expect(FeedCall.Mark(team: "a", slot: .pm).auditWords == "feed mark --all pm --team a")
    #expect(
      CareCall.Log(
        team: "a", horse: "Juniper", type: .farrier, due: "none", cost: "85", provider: "Sam Hoof", notes: "front pair"
      ).auditWords == "care log 'Juniper' farrier --team a --due none")
    #expect(
      CareCall.Set(team: "a", event: "3f2a", changes: [SettingChangeView(key: "provider", value: "Sam")]).auditWords
        == "care set '3f2a' --team a --provider")
    #expect(HorsesCall.Remove(team: "a", horse: "Juniper", dryRun: true).auditWords == nil)
    #expect(WeatherCall.Import(team: "a", upload: "upload-1", dryRun: true).auditWords == nil)
  }
}
