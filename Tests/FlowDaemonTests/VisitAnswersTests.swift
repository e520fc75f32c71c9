import FlowControl
import FlowModel
import FlowTestKit
import PoolControl
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// Manually logged visits: accepted values, refusals, and no change after a refusal.
struct VisitAnswersTests {
  private static let team = ServiceFixture.team
  private static let customer = "Steve Baird"

  private func log(
    _ fixture: ServiceFixture, _ readings: [String: String] = [:], pool: String = customer, dose: PouredView = .none,
    notes: String? = nil, at: String? = nil
  ) async throws -> LoggedVisitView {
    try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(
        team: Self.team, pool: pool, readings: readings.map { SettingChangeView(key: $0.key, value: $0.value) },
        dose: dose, measured: [], notes: notes, at: at), fixture.caller
    ).visit
  }

  private func edit(
    _ fixture: ServiceFixture, _ visit: String, _ readings: [String: String] = [:], dose: PouredView? = nil,
    measured: [MeasuredDoseView] = [], notes: String? = nil
  ) async throws -> LoggedVisitView {
    try await fixture.poolService.field.editVisit(
      FieldCall.EditVisit(
        team: Self.team, visit: visit, readings: readings.map { SettingChangeView(key: $0.key, value: $0.value) },
        dose: dose, measured: measured, notes: notes), fixture.caller
    ).visit
  }

  private func remove(_ fixture: ServiceFixture, _ visit: String, dryRun: Bool = false) async throws -> VisitLineView {
    try await fixture.poolService.field.removeVisit(
      FieldCall.RemoveVisit(team: Self.team, visit: visit, dryRun: dryRun), fixture.caller
    ).visit
  }

  private func list(_ fixture: ServiceFixture, search: String? = nil, limit: Int = 5) async throws -> [VisitLineView] {
    try await fixture.poolService.field.listVisits(
      FieldCall.ListVisits(team: Self.team, pool: Self.customer, limit: limit, search: search), fixture.caller
    ).visits
  }

  private func readings(_ fixture: ServiceFixture) async throws -> ReadingsView? {
    try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: Self.customer, reveal: false), fixture.caller
    ).details.readings
  }

  @Test func `a visit without readings leaves the pool's water unchanged`() async throws {
    let fixture = try await ServiceFixture()
    let before = try #require(try await readings(fixture))
    let logged = try await log(fixture)
    #expect(logged.doses.isEmpty && logged.lsi == nil && logged.condition == nil)
    #expect(try await "\(readings(fixture).map { "\($0)" } ?? "")" == "\(before)")
    #expect(try await list(fixture, limit: 1).first?.ph == nil)
    // As in the golden file `latest_readings.json`: the newest visit's readings, overridden by named ones.
    let measured = try await log(fixture, ["ph": "7.9"], at: "07:15")
    #expect(try await list(fixture, limit: 2).map(\.id) == [logged.id, measured.id])
    let now = try await readings(fixture)
    #expect(now?.ph == 7.9 && now?.calciumHardness == before.calciumHardness)
  }

  @Test func `an invalid visit is refused and changes nothing`() async throws {
    let fixture = try await ServiceFixture()
    let known = try await log(fixture, at: "2026-02-27 10:00")
    // A pool whose name is also a prefix of that visit's id.
    let beginning = String(known.id.prefix(4))
    _ = try await fixture.poolService.field.addPool(
      FieldCall.AddPool(team: Self.team, customer: beginning, address: "5 Elm", changes: []), fixture.caller)
    let before = try fixture.marks()
    let logs: [(at: String, saying: String)] = [
      ("tomorrow", "is in the future"), ("+1m", "is in the future"), ("mon", "the next one of that name"),
      ("2015-12-31", "ten years back"), ("last week", "this is not a time"), ("", "this is not a time"),
      ("2026-02-27 10:00", "exists already, \(known.id.prefix(8));"),
    ]
    for (at, saying) in logs {
      await fixture.refuses(ExitCode.usage, saying: saying) { _ = try await log(fixture, ["ph": "7.5"], at: at) }
    }
    let edits: [(visit: String, readings: [String: String], dose: PouredView?, saying: String)] = [
      (known.id, [:], nil, "name what to change"), (known.id, ["ph": "15"], nil, "between 0 and 14"),
      (known.id, ["hardness": "1"], nil, "the values are"), (known.id, [:], .measured, "NAME=AMOUNT"),
      ("ffffffff", ["ph": "7"], nil, "has no visit whose id begins with 'ffffffff'"),
      (beginning, ["ph": "7"], nil, "could be several visits and pools: \(known.id.prefix(8)) to "),
      ("Unknown Customer", ["ph": "7"], nil, "no pool"),
    ]
    for (visit, readings, dose, saying) in edits {
      let isMissing = saying.hasPrefix("has no visit") || saying == "no pool"
      await fixture.refuses(isMissing ? ExitCode.notFound : ExitCode.usage, saying: saying) {
        _ = try await edit(fixture, visit, readings, dose: dose)
      }
    }
    await fixture.refuses(65, saying: "the stock of Muriatic Acid (31.45%) is 4.0 gal, less than 4000gal") {
      _ = try await edit(
        fixture, known.id, dose: .measured, measured: [MeasuredDoseView(chemical: "Muriatic", amount: "4000gal")])
    }
    for visit in ["ffffffff", "Unknown Customer"] {
      await fixture.refuses(ExitCode.notFound) { _ = try await remove(fixture, visit) }
    }
    for visit in ["", beginning] { await fixture.refuses(ExitCode.usage) { _ = try await remove(fixture, visit) } }
    await fixture.refuses(ExitCode.usage, saying: "algae") { _ = try await list(fixture, search: " ") }
    #expect(try fixture.marks() == before)
  }

  @Test func `a visit is edited and removed by id prefix or pool`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let tables = try await fixture.tables()
    let logged = try await log(fixture, ["ph": "8.3", "alkalinity": "140"], dose: .all, notes: "Algen im Filter")
    #expect(!logged.doses.isEmpty && logged.cost > 0)
    let short = String(logged.id.prefix(8)).lowercased()
    let edited = try await edit(fixture, short, ["ph": "7.5"], dose: PouredView.none, notes: "Kit was dirty")
    #expect(edited.id == logged.id && edited.doses.isEmpty && edited.cost == 0 && edited.lsi != logged.lsi)
    #expect(try await readings(fixture)?.ph == 7.5)
    #expect(try await edit(fixture, Self.customer, ["cya": "40"]).id == logged.id)
    #expect(try await list(fixture, search: "DIRTY").map(\.id) == [logged.id])
    #expect(try await list(fixture, search: "algen").isEmpty)
    #expect(try await remove(fixture, short, dryRun: true).id == logged.id)
    #expect(try await list(fixture).first?.id == logged.id)
    _ = try await remove(fixture, short)
    func records(_ lines: [String]) -> [String] { lines.filter { !$0.contains("TeamView") } }
    #expect(try await records(fixture.tables()) == records(tables))
  }

  @Test func `a metric team uses metric amounts, its money and language`() async throws {
    let fixture = try await ServiceFixture()
    let (team, field) = ("blau", fixture.poolService.field)
    try await fixture.addTeam(team, zone: "Europe/Berlin")
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: team, changes: [SettingChangeView(key: "language", value: "de")]), fixture.caller)
    func changes(_ pairs: KeyValuePairs<String, String>) -> [SettingChangeView] {
      pairs.map { SettingChangeView(key: $0.key, value: $0.value) }
    }
    _ = try await field.addPool(
      FieldCall.AddPool(
        team: team, customer: "Ute Kern", address: "Ring 4", changes: changes(["volume": "56m3", "calcium": "250"])),
      fixture.caller)
    // The kind is applied first, in any order of the keys: it defines the unit of bare numbers.
    let acid = try await field.addStock(
      FieldCall.AddStock(
        team: team, catalogue: false,
        changes: changes(["stock": "2500", "cost": "1.80", "threshold": "0.5gal", "name": "Salzsäure", "type": "acid"])),
      fixture.caller
    ).items[0]
    #expect(acid.stockText == "2,5 L" && acid.thresholdText == "1,9 L" && acid.costText == "1,80\u{A0}€/L")
    #expect(abs(acid.stock - 84.535) < 0.001 && acid.threshold == 64)
    let tabs = try await field.addStock(
      FieldCall.AddStock(
        team: team, catalogue: false,
        changes: changes(["name": "Soda", "type": "base", "stock": "900g", "cost": "3/kg"])),
      fixture.caller
    ).items[0]
    #expect(tabs.stockText == "900 g" && tabs.costText == "3,00\u{A0}€/kg")
    func log(_ readings: [SettingChangeView], _ measured: [MeasuredDoseView] = []) async throws -> LoggedVisitView {
      try await field.logVisit(
        FieldCall.LogVisit(
          team: team, pool: "Ute", readings: readings, dose: measured.isEmpty ? .none : .measured, measured: measured),
        fixture.caller
      ).visit
    }
    let visit = try await log(
      changes(["ph": "9.2", "temp": "28"]), [MeasuredDoseView(chemical: "Salz", amount: "500")])
    #expect(visit.doses.map(\.text) == ["500 mL"] && visit.doses[0].leftText == "2,0 L")
    #expect(visit.costText == "0,90\u{A0}€" && visit.advice[0].message.contains(" zugeben: pH auf 7,6."))
    #expect(visit.water.hasPrefix("pH 9,2 hoch, Temperatur 28\u{A0}°C; nicht gemessen: ") && visit.doubts.count == 1)
    for text in ["\(visit)", "\(acid)"] { #expect(!text.contains(/[0-9] (oz|lb|gal)/), "\(text)") }
    await fixture.refuses(65, saying: "the stock of Salzsäure is 2,0 L, less than 3L") {
      _ = try await log([], [MeasuredDoseView(chemical: "Salz", amount: "3L")])
    }
  }

  @Test func `a backup that reverts an edited visit is refused without replace`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await edit(fixture, Self.customer, notes: "Kit was dirty")
    func bring(_ replace: Bool? = nil) async throws -> ImportReportView {
      let id = try await fixture.upload(try Tree.bytes("config/demo/demo-backup.zip"), as: "backup.zip")
      do {
        return try await fixture.services.imports.apply(
          ImportCall.Apply(upload: id, dryRun: false, replace: replace), fixture.caller
        ).report
      } catch {
        await fixture.services.connectionEnded(fixture.caller)
        throw error
      }
    }
    await fixture.refuses(65, saying: "has 1 visit without its edits made here", "--replace") { _ = try await bring() }
    #expect(try await bring(true).visitsReverted == 1)
    #expect(try await bring().visitsReverted == 0)
  }
}
