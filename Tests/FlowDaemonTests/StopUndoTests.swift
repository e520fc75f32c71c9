import FlowControl
import FlowTestKit
import PoolControl
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// The refusals and warnings of commands that take changed stops back.
struct StopUndoTests {
  private static let team = ServiceFixture.team
  /// The Monday after the fixture's.
  private static let monday = "2026-03-09"
  /// The first stop of maria on Mondays.
  private static let customer = "Steve Baird"

  private func move(
    _ fixture: ServiceFixture, _ from: String, _ to: String, pool: String = customer, technician: String? = nil
  ) async throws -> StopChangeView {
    try await fixture.poolService.field.moveStop(
      FieldCall.MoveStop(team: Self.team, pool: pool, from: from, to: to, technician: technician, reason: nil),
      fixture.caller
    ).change
  }

  private func undo(_ fixture: ServiceFixture, _ number: Int) async throws -> FieldCall.UndoStops.Reply {
    try await fixture.poolService.field.undoStops(
      FieldCall.UndoStops(team: Self.team, number: number), fixture.caller)
  }

  private func cover(_ fixture: ServiceFixture, on date: String) async throws -> RoutesCall.Cover.Reply {
    try await fixture.poolService.routes.cover(
      RoutesCall.Cover(
        team: Self.team, date: date, technician: "maria", by: ["dan"], maxMinutes: nil, maxLate: 1_000, reason: nil,
        dryRun: false, plan: nil), fixture.caller)
  }

  private func addDayOff(_ fixture: ServiceFixture, _ date: String, technician: String? = nil) async throws {
    _ = try await fixture.services.daysOff.add(
      DaysOffCall.Add(days: date, team: Self.team, technician: technician, note: "rest", dryRun: false),
      fixture.caller)
  }

  @Test func `an undo warns of stops on a closed day or of an absent technician, with the commands`() async throws {
    let fixture = try await ServiceFixture()
    let moved = try await move(fixture, Self.monday, "2026-03-11")
    let covered = try await cover(fixture, on: "2026-03-16")
    let plain = try await move(fixture, "2026-03-23", "2026-03-24")
    try await addDayOff(fixture, Self.monday)
    try await addDayOff(fixture, "2026-03-16", technician: "maria")
    #expect(
      try await undo(fixture, moved.number).warnings == [
        "the team is closed on Mon 2026-03-09 (rest), and has 1 stop there again: `pfctl day move 2026-03-09 --to DATE "
          + "--team \(Self.team)` moves the stops of a date to another one"
      ])
    let warnings = try await undo(fixture, try #require(covered.number)).warnings
    let stops = covered.days.flatMap(\.stops).count
    #expect(warnings?.count == 1)
    #expect(
      warnings?.first?.hasPrefix(
        "maria is away on Mon 2026-03-16 (rest), and has \(stops) stops there again: `pfctl cover 2026-03-16 "
          + "--technician maria --by NAMES --team \(Self.team)`") == true, "\(warnings ?? [])")
    #expect(try await undo(fixture, plain.number).warnings == nil)
  }

  @Test func `a cover with a visited stop is not undone, and the refusal names a command that works`() async throws {
    let fixture = try await ServiceFixture()
    let covered = try await cover(fixture, on: "today")
    let number = try #require(covered.number)
    let customers = covered.days.flatMap(\.stops).map(\.customer)
    _ = try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(team: Self.team, pool: customers[0], readings: [], dose: .none, measured: []), fixture.caller)
    await fixture.refuses(
      ExitCode.usage, saying: "\(customers[0]) was already visited on Mon 2026-03-02",
      "change \(number) cannot be undone as a whole", "--from 2026-03-02 --to 2026-03-02 --technician maria`",
      "takes back only the stop of"
    ) { _ = try await undo(fixture, number) }
    let back = try await move(fixture, "2026-03-02", "2026-03-02", pool: customers[1], technician: "maria")
    #expect(back.technician == "maria")
  }

  @Test func `a technician with covered stops of coming dates is not removed, and the refusal says what to do`()
    async throws
  {
    let fixture = try await ServiceFixture()
    _ = try await fixture.services.people.add(
      PeopleCall.Add(name: "zoe", team: Self.team, changes: []), fixture.caller)
    let change = try await move(fixture, Self.monday, Self.monday, technician: "zoe")
    func remove() async throws {
      _ = try await fixture.services.people.remove(PeopleCall.Remove(name: "zoe", team: Self.team), fixture.caller)
    }
    await fixture.refuses(
      ExitCode.usage, saying: "zoe takes 1 moved or covered stop on coming dates, the first on Mon 2026-03-09",
      "`pfctl stop list --team \(Self.team)` shows", "`pfctl cover 2026-03-09 --technician zoe --by NAMES"
    ) { try await remove() }
    _ = try await undo(fixture, change.number)
    try await remove()
  }
}
