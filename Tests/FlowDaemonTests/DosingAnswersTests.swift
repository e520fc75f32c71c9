import FlowControl
import FlowModel
import FlowTestKit
import PoolControl
import PoolDigests
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// The dosing method as a setting, and the calculator with both methods.
struct DosingAnswersTests {
  private static let team = ServiceFixture.team

  private func set(_ method: String, _ fixture: ServiceFixture) async throws -> TeamSettingsView {
    try await fixture.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "dosing", value: method)]), fixture.caller
    ).team.settings
  }

  private static let soft = [
    ("ph", "8.3"), ("temp", "77F"), ("calcium", "250"), ("alkalinity", "60"), ("cya", "50"),
  ].map { SettingChangeView(key: $0, value: $1) }

  private func dose(_ fixture: ServiceFixture) async throws -> PoolDoseView {
    try await fixture.poolService.field.dosePool(
      FieldCall.DosePool(
        team: Self.team, pool: "Steve Baird", readings: Self.soft, volume: "12500gal", solids: "1000"), fixture.caller
    ).dose
  }

  @Test func `the calculator follows the team's method and compares both amounts`() async throws {
    let fixture = try await ServiceFixture()
    let usual = try await fixture.services.teams.show(TeamsCall.Show(name: Self.team), fixture.caller).team.settings
    #expect(usual.dosing == "app")
    let app = try await dose(fixture)
    #expect(app.advice.map(\.ounces) == [114] && app.doses.map(\.ounces) == [114])
    let equilibrium = try #require(app.advice[0].equilibrium)
    #expect(equilibrium.excessive && equilibrium.ruleOunces == 114 && equilibrium.startOunces == 15)
    #expect(equilibrium.equilibriumOunces.map { abs($0 - 15.3) < 0.05 } == true)
    #expect(equilibrium.alkalinityAfter.map { abs($0 - 55.2) < 0.05 } == true && equilibrium.fault == nil)
    #expect(equilibrium.assumed == ["tds", "borate"] && equilibrium.notes.count == 2)
    #expect(equilibrium.notes[0].contains("let it circulate, test again"))

    #expect(try await set("carbonate", fixture).dosing == "carbonate")
    let carbonate = try await dose(fixture)
    #expect(carbonate.advice.map(\.ounces) == [15] && carbonate.doses.map(\.ounces) == [15])
    let note = try #require(carbonate.advice[0].equilibrium?.notes.first)
    #expect(note.hasPrefix("By the carbonate equilibrium; the app's rule says"))
    #expect(carbonate.cost < app.cost)

    #expect(try await set("app", fixture).dosing == "app")
    await fixture.refuses(64, saying: "dosing cannot be 'chemist'", "app, carbonate") {
      _ = try await set("chemist", fixture)
    }
  }

  @Test func `a visit is logged with the doses of the team's method`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await set("carbonate", fixture)
    let visit = try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(team: Self.team, pool: "Steve Baird", readings: Self.soft, dose: .all, measured: []),
      fixture.caller
    ).visit
    let advice = try #require(visit.advice.first)
    #expect(visit.doses.map(\.ounces) == [advice.ounces] && advice.ounces == advice.equilibrium?.startOunces)
    let reply = try await fixture.poolService.field.dosePool(
      FieldCall.DosePool(team: Self.team, pool: "Steve Baird", readings: []), fixture.caller)
    #expect(reply.dose.advice.map(\.ounces) == visit.advice.map(\.ounces))
  }
}
