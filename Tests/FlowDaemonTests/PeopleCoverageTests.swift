import FlowControl
import FlowModel
import Testing

@testable import FlowAnswers

/// Warnings about technicians without address or pools, in the demo: dan, keisha and maria have pools.
struct PeopleCoverageTests {
  private let fixture: ServiceFixture

  init() async throws { fixture = try await ServiceFixture() }

  private func warnings() async throws -> [String] {
    try await fixture.services.people.list(PeopleCall.List(team: ServiceFixture.team, reveal: false), fixture.caller)
      .remarks
      ?? []
  }

  private func findings() async throws -> [FindingView] {
    try await fixture.services.daemon.examine(DaemonCall.Examine(), fixture.caller).findings.filter {
      $0.area == "people"
    }
  }

  private func set(_ name: String, _ key: String, _ value: String) async throws {
    _ = try await fixture.services.people.change(
      PeopleCall.Change(name: name, team: ServiceFixture.team, changes: [SettingChangeView(key: key, value: value)]),
      fixture.caller)
  }

  private func add(_ name: String) async throws {
    _ = try await fixture.services.people.add(
      PeopleCall.Add(
        name: name, team: ServiceFixture.team, changes: [SettingChangeView(key: "mail", value: "a@example.com")]),
      fixture.caller)
  }

  @Test func `a team without any address gets no warning`() async throws {
    #expect(try await warnings().isEmpty)
    #expect(try await findings().isEmpty)
  }

  @Test func `once one technician has an address, technicians with pools but none are listed`() async throws {
    try await add("Maria Lopez")
    let warnings = try await warnings()
    #expect(
      warnings.count == 2
        && warnings[0].contains("3 technicians of team 'desert-blue' who service pools have no address"))
    #expect(warnings[0].contains("maria (") && !warnings[0].contains("desert-blue ("))
    #expect(warnings[1].contains("Maria Lopez of team 'desert-blue' has an address but no pools"))
    #expect(warnings[1].contains("did you mean maria?") && warnings[1].contains("technician remove 'Maria Lopez'"))
    #expect(try await findings().map(\.gravity) == [.warning, .warning])
    #expect(!warnings.joined().contains("a@example.com"))
  }

  @Test func `technicians without address are listed until each has one`() async throws {
    for (count, name) in ["maria", "dan"].enumerated() {
      try await set(name, "mail", "\(name)@example.com")
      let warnings = try await warnings()
      #expect(warnings.count == 1 && !warnings[0].contains("\(name) ("), "\(warnings)")
      #expect(try await findings().map(\.gravity) == [.note], "after \(count)")
    }
    #expect(try await warnings()[0].contains("a technician of team 'desert-blue' who services pools has no address"))
    try await set("keisha", "ntfy", "keisha")
    #expect(try await warnings().isEmpty)
    #expect(try await findings().isEmpty)
  }

  @Test func `an office address does not end warnings; unsubscribing from routes does`() async throws {
    try await set("office", "mail", "office@example.com")
    #expect(try await warnings().count == 1)
    #expect(try await findings().map(\.gravity) == [.warning])
    for name in ["maria", "dan", "keisha"] { try await set(name, "mail", "\(name)@example.com") }
    try await add("Ann the owner")
    #expect(try await warnings().count == 1)
    try await set("Ann the owner", "wants", "week")
    #expect(try await warnings().isEmpty)
  }
}
