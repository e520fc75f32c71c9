import FlowControl
import FlowModel
import FlowTestKit
import PoolControl
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// Free chlorine and salt logged, edited, shown and dosed, and the method of the saturation index as a setting.
struct ChlorineAnswersTests {
  private static let team = ServiceFixture.team

  private static func changes(_ values: [(String, String)]) -> [SettingChangeView] {
    values.map { SettingChangeView(key: $0.0, value: $0.1) }
  }

  private static let balanced = [
    ("ph", "7.5"), ("temp", "80F"), ("calcium", "300"), ("alkalinity", "100"), ("cya", "50"),
  ]

  private func log(
    _ fixture: ServiceFixture, _ values: [(String, String)], dose: PouredView = .none
  ) async throws -> LoggedVisitView {
    try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(
        team: Self.team, pool: "Steve Baird", readings: Self.changes(values), dose: dose, measured: []), fixture.caller
    ).visit
  }

  private func newest(_ fixture: ServiceFixture) async throws -> VisitLineView {
    try #require(
      try await fixture.poolService.field.listVisits(
        FieldCall.ListVisits(team: Self.team, pool: "Steve Baird", limit: 1), fixture.caller
      ).visits.first)
  }

  @Test func `a visit is logged, shown, edited and undone with both readings`() async throws {
    let fixture = try await ServiceFixture()
    let visit = try await log(fixture, Self.balanced + [("free-chlorine", "2"), ("salt", "3200")])
    #expect(visit.water.contains("Free chlorine 2.0\u{A0}ppm low, Salt 3,200\u{A0}ppm"), "\(visit.water)")
    #expect(try await newest(fixture).freeChlorine == 2)
    #expect(try await newest(fixture).salt == 3_200)
    let shown = try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: "Steve Baird", reveal: false), fixture.caller
    ).details
    #expect(shown.readings?.freeChlorine == 2 && shown.readings?.salt == 3_200)
    #expect(shown.recentVisits.first?.freeChlorine == 2 && shown.water.contains("Free chlorine 2.0"))
    let trend = try await fixture.poolService.water.trend(
      WaterCall.Trend(team: Self.team, pool: "Steve Baird"), fixture.caller)
    #expect(trend.points.last?.freeChlorine == 2 && trend.points.last?.salt == 3_200)

    let edited = try await fixture.poolService.field.editVisit(
      FieldCall.EditVisit(
        team: Self.team, visit: "Steve Baird", readings: Self.changes([("free-chlorine", "3.5")]), measured: []),
      fixture.caller
    ).visit
    #expect(edited.water.contains("Free chlorine 3.5"))
    #expect(try await newest(fixture).freeChlorine == 3.5)
    _ = try await fixture.poolService.field.undoVisit(
      FieldCall.UndoVisit(team: Self.team, pool: "Steve Baird"), fixture.caller)
    let before = try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: "Steve Baird", reveal: false), fixture.caller
    ).details
    #expect(before.readings?.freeChlorine == nil && before.readings?.salt == nil)
  }

  @Test func `a reading is removed from a visit, and its value of before counts again`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await log(fixture, Self.balanced + [("salt", "3200")])
    fixture.clock.advance(by: .hours(1))
    _ = try await log(fixture, [("ph", "8.4"), ("free-chlorine", "2"), ("salt", "6000")])
    func remove(_ keys: String...) async throws -> LoggedVisitView {
      try await fixture.poolService.field.editVisit(
        FieldCall.EditVisit(
          team: Self.team, visit: "Steve Baird", readings: Self.changes(keys.map { ($0, "none") }), measured: []),
        fixture.caller
      ).visit
    }
    func water() async throws -> ReadingsView? {
      try await fixture.poolService.pools.show(
        PoolsCall.Show(team: Self.team, pool: "Steve Baird", reveal: false), fixture.caller
      ).details.readings
    }
    let edited = try await remove("free-chlorine", "salt")
    #expect(!edited.water.contains("Free chlorine") && edited.water.contains("Salt 3,200"), "\(edited.water)")
    var visit = try await newest(fixture)
    #expect(visit.freeChlorine == nil && visit.salt == nil)
    var readings = try #require(try await water())
    #expect(readings.salt == 3_200 && readings.freeChlorine == nil && readings.ph == 8.4)
    _ = try await remove("ph")
    visit = try await newest(fixture)
    readings = try #require(try await water())
    #expect(visit.ph == nil && readings.ph == 7.5)
    await fixture.refuses(64, saying: "ph cannot be 'none'", "it was not measured at this visit") {
      _ = try await remove("ph")
    }
    await fixture.refuses(64, saying: "salt cannot be 'none'", "leave it out") {
      _ = try await log(fixture, [("ph", "7.5"), ("salt", "none")])
    }
    // Undone, the visit leaves the readings of the one before.
    _ = try await fixture.poolService.field.undoVisit(
      FieldCall.UndoVisit(team: Self.team, pool: "Steve Baird"), fixture.caller)
    readings = try #require(try await water())
    #expect(readings.salt == 3_200 && readings.ph == 7.5)
  }

  @Test func `a reading that no other visit has taken is assumed again after its removal`() async throws {
    let fixture = try await ServiceFixture()
    let pool = try await fixture.poolService.field.addPool(
      FieldCall.AddPool(team: Self.team, customer: "Nora Quill", address: "1 Elm St", changes: []), fixture.caller)
    _ = try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(
        team: Self.team, pool: pool.id, readings: Self.changes([("ph", "9.1"), ("alkalinity", "100")]), dose: .none,
        measured: []), fixture.caller)
    let edited = try await fixture.poolService.field.editVisit(
      FieldCall.EditVisit(team: Self.team, visit: pool.id, readings: Self.changes([("ph", "none")]), measured: []),
      fixture.caller
    ).visit
    #expect(edited.lsi == nil && !edited.water.contains("9.1"), "\(edited.water)")
    let shown = try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: pool.id, reveal: false), fixture.caller
    ).details
    #expect(shown.readingsAssumed?.contains("pH") == true && shown.readings?.totalAlkalinity == 100)
  }

  @Test func `the calculator and a logged dose bring chlorine to its target`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await fixture.poolService.field.addStock(
      FieldCall.AddStock(
        team: Self.team, catalogue: false,
        changes: Self.changes([
          ("name", "Pool Bleach"), ("type", "chlorine"), ("stock", "500oz"), ("concentration", "10"), ("cost", "0.03"),
        ])), fixture.caller)
    let dose = try await fixture.poolService.field.dosePool(
      FieldCall.DosePool(
        team: Self.team, pool: "Steve Baird", readings: Self.changes(Self.balanced + [("free-chlorine", "2")]),
        volume: "10000gal"), fixture.caller
    ).dose
    let advice = try #require(dose.advice.first { $0.kind == .raiseFC })
    #expect(advice.message.contains("Free chlorine to 5.6\u{A0}ppm"), "\(advice.message)")
    #expect(advice.ounces > 0 && dose.doses.contains { $0.type == "chlorine" && $0.ounces == advice.ounces })
    let logged = try await log(fixture, Self.balanced + [("free-chlorine", "2")], dose: .all)
    #expect(logged.doses.contains { $0.type == "chlorine" })
    // Without a reading of free chlorine there is no such dose.
    #expect(try await log(fixture, Self.balanced, dose: .all).advice.contains { $0.kind == .raiseFC } == false)
  }

  @Test(arguments: [
    ("free-chlorine", "150", "must be between 0 and 100 ppm"), ("salt", "60000", "must be between 0 and 50000 ppm"),
    ("free-chlorine", "high", "write a plain number"),
  ])
  func `an impossible reading is refused`(key: String, value: String, why: String) async throws {
    let fixture = try await ServiceFixture()
    await fixture.refuses(64, saying: "\(key) cannot be '\(value)'", why) {
      _ = try await log(fixture, [("ph", "7.5"), (key, value)])
    }
  }

  @Test func `a pool has no free chlorine of its own`() async throws {
    let fixture = try await ServiceFixture()
    await fixture.refuses(64, saying: "free-chlorine") {
      _ = try await fixture.poolService.field.setPool(
        FieldCall.SetPool(team: Self.team, pool: "Steve Baird", changes: Self.changes([("free-chlorine", "3")])),
        fixture.caller)
    }
  }

  @Test func `the method of the index is a setting that every answer follows`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await log(fixture, Self.balanced.dropLast() + [("cya", "100")])
    func answers() async throws -> [Double?] {
      let shown = try await fixture.poolService.pools.show(
        PoolsCall.Show(team: Self.team, pool: "Steve Baird", reveal: false), fixture.caller
      ).details
      let trend = try await fixture.poolService.water.trend(
        WaterCall.Trend(team: Self.team, pool: "Steve Baird"), fixture.caller)
      let dose = try await fixture.poolService.field.dosePool(
        FieldCall.DosePool(team: Self.team, pool: "Steve Baird", readings: []), fixture.caller
      ).dose
      return [
        shown.pool.lsi, shown.recentVisits.first?.lsi, try await newest(fixture).lsi, trend.points.last?.lsi, dose.lsi,
      ].map { $0.map { ($0 * 1e6).rounded() } }
    }
    func set(_ method: String) async throws -> String? {
      try await fixture.services.teams.set(
        TeamsCall.Set(name: Self.team, changes: Self.changes([("lsi-method", method)])), fixture.caller
      ).team.settings.lsiMethod
    }
    let app = try await answers()
    #expect(Set(app).count == 1)
    #expect(try await set("ph-corrected") == "ph-corrected")
    let corrected = try await answers()
    #expect(Set(corrected).count == 1 && corrected != app)
    #expect(try await set("app") == "app")
    #expect(try await answers() == app)
    await fixture.refuses(64, saying: "lsi-method cannot be 'strict'", "app, ph-corrected") {
      _ = try await set("strict")
    }
  }
}
