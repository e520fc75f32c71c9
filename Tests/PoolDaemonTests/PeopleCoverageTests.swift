import PoolControl
import PoolModel
import Testing

@testable import PoolDaemon

/// Warnings about technicians without address or pools, in the demo: dan, keisha and maria have pools.
struct PeopleCoverageTests {
  private let fixture: ServiceFixture

  init() async throws { fixture = try await ServiceFixture() }

  private func remarks() async throws -> [String] {
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
    #expect(try await remarks().isEmpty)
    #expect(try await findings().isEmpty)
  }

  @Test func `once one technician has an address, technicians with pools but none are listed`() async throws {
    try await add("Maria Lopez")
    let remarks = try await remarks()
    #expect(
      remarks.count == 2
        && remarks[0].contains("3 technicians of team 'desert-blue' who service pools have no address"))
    #expect(remarks[0].contains("maria (") && !remarks[0].contains("desert-blue ("))
    #expect(remarks[1].contains("Maria Lopez of team 'desert-blue' has an address but no pools"))
    #expect(remarks[1].contains("did you mean maria?") && remarks[1].contains("technician remove 'Maria Lopez'"))
    #expect(try await findings().map(\.gravity) == [.warning, .warning])
    #expect(!remarks.joined().contains("a@example.com"))
  }

  @Test func `technicians without address are listed until each has one`() async throws {
    for (count, name) in ["maria", "dan"].enumerated() {
      try await set(name, "mail", "\(name)@example.com")
      let remarks = try await remarks()
      #expect(remarks.count == 1 && !remarks[0].contains("\(name) ("), "\(remarks)")
      #expect(try await findings().map(\.gravity) == [.note], "after \(count)")
    }
    #expect(try await remarks()[0].contains("a technician of team 'desert-blue' who services pools has no address"))
    try await set("keisha", "ntfy", "keisha")
    #expect(try await remarks().isEmpty)
    #expect(try await findings().isEmpty)
  }

  @Test func `an office address does not end warnings; unsubscribing from routes does`() async throws {
    try await set("office", "mail", "office@example.com")
    #expect(try await remarks().count == 1)
    #expect(try await findings().map(\.gravity) == [.warning])
    for name in ["maria", "dan", "keisha"] { try await set(name, "mail", "\(name)@example.com") }
    try await add("Ann the owner")
    #expect(try await remarks().count == 1)
    try await set("Ann the owner", "wants", "week")
    #expect(try await remarks().isEmpty)
  }
}
