import FlowControl
import FlowModel
import FlowTestKit
import PoolControl
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// Forecasts of a pool service: imported, shown, refused, and the settings of frost and rain.
struct PoolForecastTests {
  private static let team = ServiceFixture.team

  private func take(_ fixture: ServiceFixture, _ text: String, as name: String = "forecast.csv") async throws
    -> ForecastsCall.Import.Reply
  {
    let upload = try await fixture.upload(Array(text.utf8), as: name)
    return try await fixture.poolService.forecasts.import(
      ForecastsCall.Import(team: Self.team, upload: upload, dryRun: false), fixture.caller)
  }

  private func set(_ fixture: ServiceFixture, _ key: String, _ value: String) async throws {
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: key, value: value)]), fixture.caller)
  }

  private func settings(_ fixture: ServiceFixture) async throws -> TeamSettingsView {
    try await fixture.services.teams.show(TeamsCall.Show(name: Self.team), fixture.caller).team.settings
  }

  private static let rows = "time,air_c,rain_mm\n2026-03-02T15:00:00Z,4,0\n2026-03-02T16:00:00Z,-2,0.5\n"

  @Test func `a forecast of a pool service is imported and shown, and says when it is not told`() async throws {
    let fixture = try await ServiceFixture()
    let first = try await take(fixture, Self.rows)
    #expect(first.effect == .imported && first.forecast.hours == 2)
    #expect(first.remarks.count == 1 && first.remarks[0].contains("route-preview=on"), "\(first.remarks)")
    #expect(try await take(fixture, Self.rows).effect == .unchanged)
    let shown = try await fixture.poolService.forecasts.show(
      ForecastsCall.Show(team: Self.team, all: true), fixture.caller)
    #expect(shown.hours.map(\.airC) == [4, -2] && shown.hours[1].airText.contains("28"))
    try await set(fixture, "route-preview", "on")
    let dry = try await take(fixture, "time,air_c\n2026-03-02T15:00:00Z,5\n")
    #expect(dry.remarks.contains("it has no amounts of rain, so days of rain are not told"), "\(dry.remarks)")
    await fixture.refuses(ExitCode.badData, saying: "is refused", "nothing was changed") {
      _ = try await take(fixture, "name,address\nAnn,1 Elm\n")
    }
  }

  @Test func `the limits of frost and rain are set in either unit, and refused outside their range`() async throws {
    let fixture = try await ServiceFixture()
    let usual = try await settings(fixture)
    #expect(usual.freezeWarning == 0 && usual.rainHint == 10)
    try await set(fixture, "freeze-warning", "35.6F")
    try await set(fixture, "rain-hint", "1in")
    let changed = try await settings(fixture)
    #expect(abs((changed.freezeWarning ?? 0) - 2) < 1e-9 && changed.rainHint == 25.4)
    try await set(fixture, "freeze-warning", "-1C")
    #expect(try await settings(fixture).freezeWarning == -1)
    // With the preview off a limit has no effect, and says so.
    func warnings(_ key: String, _ value: String) async throws -> [String]? {
      try await fixture.services.teams.set(
        TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: key, value: value)]), fixture.caller
      ).warnings
    }
    #expect(try await warnings("rain-hint", "2in")?.first?.contains("route-preview=on") == true)
    #expect(try await warnings("morning-time", "07:00") == nil)
    #expect(try await warnings("route-preview", "on") == nil)
    #expect(try await warnings("rain-hint", "1in") == nil)
    try await set(fixture, "route-preview", "off")
    for key in ["freeze-warning", "rain-hint"] { try await set(fixture, key, "off") }
    let off = try await settings(fixture)
    #expect(off.freezeWarning == nil && off.rainHint == nil && off.rainHintText == nil)
    let refused: [(key: String, value: String, saying: String)] = [
      ("freeze-warning", "cold", "write a temperature such as 32F or 0C, or off"),
      ("freeze-warning", "90F", "a warning of frost is from -30 to 10 °C"),
      ("rain-hint", "much", "write an amount of rain such as 0.4in or 10mm, or off"),
      ("rain-hint", "0", "the amount of rain is from 0.5 to 200 mm"),
    ]
    for (key, value, saying) in refused {
      await fixture.refuses(ExitCode.usage, saying: saying) { try await set(fixture, key, value) }
    }
  }
}
