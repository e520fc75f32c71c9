import FlowControl
import PoolChemistry
import PoolControl
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// Defaults of a new team.
struct TeamAddTests {
  @Test func `new teams use imperial units in the United States only, unless set`()
    async throws
  {
    let fixture = try await ServiceFixture(demo: false)
    func added(_ name: String, _ zone: String, _ units: UnitsView? = nil) async throws -> TeamView {
      try await fixture.services.teams.add(TeamsCall.Add(name: name, zone: zone, units: units), fixture.caller).team
    }
    let expected: [(String, UnitsView, CurrencyView)] = [
      ("America/Phoenix", .imperial, .USD), ("US/Hawaii", .imperial, .USD), ("America/Toronto", .metric, .CAD),
      ("Europe/Berlin", .metric, .EUR), ("America/Sao_Paulo", .metric, .BRL), ("UTC", .metric, .USD),
    ]
    for (number, (zone, units, currency)) in expected.enumerated() {
      let team = try await added("t\(number)", zone)
      #expect(team.units == units && team.currency == currency, "\(zone)")
    }
    #expect(try await added("a", "Europe/Berlin", .imperial).units == .imperial)
    #expect(try await added("b", "America/Phoenix", .metric).units == .metric)
  }

  @Test func `a team's first technician has its name, unless it is reserved`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    for (team, technician) in [("blue", "blue"), ("office", "technician"), ("All", "technician")] {
      try await fixture.addTeam(team)
      let people = try await fixture.services.people.list(PeopleCall.List(team: team, reveal: false), fixture.caller)
        .people
      #expect(people.map(\.name) == [technician])
    }
  }

  @Test func `a new team has the catalogue's stock until a backup replaces it`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    try await fixture.addTeam(ServiceFixture.team, zone: "America/Phoenix")
    func stock() async throws -> [StockItemView] {
      try await fixture.poolService.field.listStock(FieldCall.ListStock(team: ServiceFixture.team), fixture.caller)
        .items
    }
    let seeded = try await stock()
    #expect(seeded.map(\.name) == CatalogueItem.standard.map(\.name))
    #expect(seeded.map(\.stock) == CatalogueItem.standard.map(\.stockOz) && seeded.allSatisfy { !$0.low })
    try await fixture.importFile(Tree.bytes("config/demo/demo-backup.zip"), as: "demo-backup.zip")
    let own = try await stock()
    #expect(!own.isEmpty && Set(own.map(\.id)).isDisjoint(with: seeded.map(\.id)))
  }

  @Test func `a pool is found by its exact name and by search`() async throws {
    let fixture = try await ServiceFixture(demo: false)
    let team = ServiceFixture.team
    try await fixture.addTeam(team, zone: "America/Phoenix")
    for (customer, address) in [("Ann", "1 Elm St"), ("Anna", "2 Juniper St"), ("André Müller", "3 Elm St")] {
      _ = try await fixture.poolService.field.addPool(
        FieldCall.AddPool(team: team, customer: customer, address: address, changes: []), fixture.caller)
    }
    func shown(_ name: String) async throws -> String {
      try await fixture.poolService.pools.show(PoolsCall.Show(team: team, pool: name, reveal: false), fixture.caller)
        .details.pool.customer
    }
    #expect(try await shown("ann") == "Ann")
    #expect(try await shown("ANNA") == "Anna")
    #expect(try await shown("andr") == "André Müller")
    await #expect(throws: ControlError.self) { try await shown("an") }
    func found(_ text: String) async throws -> [String] {
      try await fixture.poolService.pools.list(PoolsCall.List(team: team, search: text), fixture.caller).pools.map(
        \.customer)
    }
    #expect(try await found("elm") == ["Ann", "André Müller"])
    #expect(try await found("ANDRE MULLER") == ["André Müller"])
    #expect(try await found("unknown").isEmpty)
    for text in ["", " ", "a\u{7}", String(repeating: "e", count: 201)] {
      await #expect(throws: ControlError.self, "\(text)") { try await found(text) }
    }
  }
}
