import FlowCalendar
import FlowControl
import FlowModel
import FlowStore
import FlowTestKit
import PoolControl
import PoolDigests
import PoolModel
import PoolStore
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// The stops of an absent technician, given to others on one date.
struct CoverTests {
  private static let team = ServiceFixture.team
  /// The Monday after the fixture's.
  private static let date = "2026-03-09"

  private func cover(
    _ fixture: ServiceFixture, _ technician: String, by: [String], date: String = Self.date, most: Int? = nil,
    late: Int? = nil, dryRun: Bool = false, plan: String? = nil
  ) async throws -> RoutesCall.Cover.Reply {
    try await fixture.poolService.routes.cover(
      RoutesCall.Cover(
        team: Self.team, date: date, technician: technician, by: by, maxMinutes: most, maxLate: late,
        reason: "flu", dryRun: dryRun, plan: plan), fixture.caller)
  }

  /// The stops of a date's morning digest, by technician.
  private func told(_ fixture: ServiceFixture, _ date: String = Self.date) async throws -> [String: [String]] {
    let reply = try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: date, format: .json), fixture.caller)
    return Dictionary(
      uniqueKeysWithValues: try #require(DigestJSON.morning(reply.text)).sections.map {
        ($0.technician, $0.stops.map(\.customer))
      })
  }

  /// The technicians with stops on the date, most stops first.
  private func technicians(_ fixture: ServiceFixture) async throws -> [String] {
    try await told(fixture).sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.key)
  }

  private func undo(_ fixture: ServiceFixture, _ number: Int) async throws {
    _ = try await fixture.poolService.field.undoStops(
      FieldCall.UndoStops(team: Self.team, number: number), fixture.caller)
  }

  @Test func `a cover is planned, applied and undone at once; digests have the plan's order`() async throws {
    let fixture = try await ServiceFixture()
    let before = try await told(fixture)
    let names = try await technicians(fixture)
    let (absent, others) = (names[0], Array(names.dropFirst()))
    let marks = try fixture.marks()
    let plan = try await cover(fixture, absent, by: others, late: 600, dryRun: true)
    #expect(try fixture.marks() == marks)
    #expect(plan.number == nil && plan.uncovered.isEmpty && plan.date == Self.date)
    let done = try await cover(fixture, absent, by: others, late: 600, plan: plan.plan)
    let number = try #require(done.number)
    #expect("\(done.days)" == "\(plan.days)" && done.plan == plan.plan)
    let after = try await told(fixture)
    #expect(after[absent] == nil)
    var taken: [String] = []
    for name in others {
      let day = done.days.first { $0.technician == name }
      let stops = day?.stops ?? []
      taken += stops.map(\.customer)
      let own = (after[name] ?? []).enumerated().filter { index, _ in !stops.contains { $0.place == index + 1 } }
      #expect(own.map(\.element) == before[name])
      for stop in stops { #expect(after[name]?[stop.place - 1] == stop.customer) }
      #expect(day.map { $0.ownStops == before[name]?.count } ?? true)
    }
    #expect(taken.sorted() == before[absent]?.sorted())
    // Other dates are unchanged.
    #expect(try await told(fixture, "2026-03-16") == before)
    await fixture.refuses(ExitCode.usage, saying: "are covered already by change \(number)", "stop undo \(number)") {
      _ = try await cover(fixture, absent, by: others)
    }
    try await undo(fixture, number)
    #expect(try await told(fixture) == before)
    #expect(try await fixture.store.services(of: fixture.store.team(named: Self.team).id) == .weekly)
  }

  @Test func `a second cover of the same date keeps the order of the first one's stops`() async throws {
    let fixture = try await ServiceFixture()
    let names = try await technicians(fixture)
    try #require(names.count > 2)
    let first = try await cover(fixture, names[2], by: [names[1]], late: 1_000)
    let between = try await told(fixture)
    let second = try await cover(fixture, names[0], by: [names[1]], late: 1_000)
    let covered = Set(second.days.flatMap(\.stops).map(\.customer))
    let after = try await told(fixture)
    #expect(after[names[1]]?.filter { !covered.contains($0) } == between[names[1]])
    for stop in second.days[0].stops { #expect(after[names[1]]?[stop.place - 1] == stop.customer) }
    // The second one changes nothing about the first one's stops, and counts them in the day's minutes.
    let given = Set(first.days.flatMap(\.stops).map(\.customer))
    let list = try await fixture.poolService.pools.listStopChanges(
      PoolsCall.ListStopChanges(team: Self.team), fixture.caller
    ).changes
    #expect(Set(list.filter { $0.number == first.number }.map(\.customer)) == given)
    #expect(Set(list.filter { $0.number == second.number }.map(\.customer)) == covered)
    #expect(second.days[0].ownStops == between[names[1]]?.count)
    #expect(second.days[0].minutes > first.days[0].minutes)
    try await undo(fixture, try #require(second.number))
    #expect(try await told(fixture) == between)

    // Undoing the first one leaves the others in their order.
    let again = try await cover(fixture, names[0], by: [names[1]], late: 1_000)
    let order = try await told(fixture)[names[1]]
    try await undo(fixture, try #require(first.number))
    #expect(try await told(fixture)[names[1]] == order?.filter { !given.contains($0) })
    try await undo(fixture, try #require(again.number))
    #expect(try await fixture.store.services(of: fixture.store.team(named: Self.team).id) == .weekly)
  }

  @Test func `a cover of covered stops is undone before the first one`() async throws {
    let fixture = try await ServiceFixture()
    let names = try await technicians(fixture)
    try #require(names.count > 2)
    let before = try await told(fixture)
    let first = try #require(try await cover(fixture, names[0], by: [names[1]], late: 1_000).number)
    let between = try await told(fixture)
    let second = try #require(try await cover(fixture, names[1], by: [names[2]], late: 1_000).number)
    await fixture.refuses(ExitCode.usage, saying: "change \(second) of", "builds on change \(first)") {
      try await undo(fixture, first)
    }
    try await undo(fixture, second)
    #expect(try await told(fixture) == between)
    try await undo(fixture, first)
    #expect(try await told(fixture) == before)
  }

  @Test func `limits of minutes and windows keep stops with their technician, with the reason`() async throws {
    let fixture = try await ServiceFixture()
    let before = try await told(fixture)
    let names = try await technicians(fixture)
    let (absent, others) = (names[0], Array(names.dropFirst()))
    let free = try await cover(fixture, absent, by: others, late: 1_000, dryRun: true)
    let most = Int((free.days.map(\.minutes).max() ?? 0) - 30)
    let plan = try await cover(fixture, absent, by: others, most: most, late: 1_000, dryRun: true)
    #expect(plan.days.allSatisfy { $0.minutes <= Double(most) })
    for stop in plan.uncovered { #expect(stop.why.contains("minutes, and the limit is \(most)"), "\(stop.why)") }
    await fixture.refuses(ExitCode.usage, saying: "can take none of", "the limit is 30") {
      _ = try await cover(fixture, absent, by: others, most: 30)
    }
    let team = try await fixture.store.team(named: Self.team)
    let customer = try #require(before[absent]?.first)
    let pool = try #require(
      try await fixture.store.routeStops(of: team.id).first { $0.customerName == customer && $0.day == .monday })
    _ = try await fixture.store.changeProfile(of: pool.poolID, team: team.id) {
      $0.preferredArrivalWindow = "00:00-00:30"
    }
    let late = try await cover(fixture, absent, by: others, dryRun: true)
    let missed = try #require(late.uncovered.first { $0.customer == customer })
    #expect(missed.why.contains("would miss its window (00:00-00:30) by"), "\(missed.why)")
  }

  @Test func `covers without anyone, of past, closed or visited days are refused, and change nothing`() async throws {
    let fixture = try await ServiceFixture()
    let names = try await technicians(fixture)
    let (absent, other) = (names[0], names[1])
    for (days, technician) in [("2026-03-16", nil), (Self.date, other)] as [(String, String?)] {
      let added = try await fixture.services.daysOff.add(
        DaysOffCall.Add(days: days, team: Self.team, technician: technician, note: "", dryRun: false), fixture.caller)
      #expect(added.remedy?.contains("`pfctl day move \(days) --") == true, "\(added.remedy ?? "")")
      #expect(added.remedy?.contains("pfctl cover \(days) --technician \(other) --by NAMES") == (technician != nil))
    }
    let marks = try fixture.marks()
    let refusals: [(by: [String], date: String, code: Int32, saying: String)] = [
      ([], Self.date, ExitCode.usage, "name at least one other technician"),
      ([absent], Self.date, ExitCode.usage, "name only others with --by"),
      ([names.last ?? "", absent], Self.date, ExitCode.usage, "name only others with --by"),
      (["nora"], Self.date, ExitCode.notFound, "no technician"),
      ([other], Self.date, ExitCode.usage, "\(other) is away on Mon \(Self.date) and cannot take stops"),
      ([other], "2026-03-16", ExitCode.usage, "the team is closed on Mon 2026-03-16"),
      ([other], "2026-03-01", ExitCode.usage, "is past: today is 2026-03-02"),
      ([other], "2026-03-08", ExitCode.usage, "\(absent) has no stop on Sun 2026-03-08"),
      ([other], "someday", ExitCode.usage, "someday"),
    ]
    for (by, date, code, saying) in refusals {
      await fixture.refuses(code, saying: saying) { _ = try await cover(fixture, absent, by: by, date: date) }
    }
    await fixture.refuses(ExitCode.usage, saying: "30 to 1440") {
      _ = try await cover(fixture, absent, by: [other], date: "2026-03-23", most: 5)
    }
    await fixture.refuses(ExitCode.tryAgain, saying: "the plan is another one") {
      _ = try await cover(fixture, absent, by: [other], date: "2026-03-23", late: 1_000, plan: "0")
    }
    #expect(try fixture.marks() == marks)
  }

  @Test func `stops that were visited stay, and covered ones come after the present time`() async throws {
    let fixture = try await ServiceFixture()
    let today = "2026-03-02"
    fixture.clock.advance(by: .hours(4))
    let before = try await told(fixture, today)
    let names = try await technicians(fixture)
    let (absent, others) = (names[0], Array(names.dropFirst()))
    func visit(_ customer: String) async throws {
      _ = try await fixture.poolService.field.logVisit(
        FieldCall.LogVisit(team: Self.team, pool: customer, readings: [], dose: .none, measured: []), fixture.caller)
    }
    let seen = try #require(before[absent]?.first)
    let done = try #require(before[others[0]]?.prefix(3))
    for customer in [seen] + done { try await visit(customer) }
    let reply = try await cover(fixture, absent, by: others, date: today, late: 1_000)
    #expect(reply.visited == [seen])
    let stops = reply.days.flatMap(\.stops)
    #expect(!stops.contains { $0.customer == seen } && stops.allSatisfy { $0.arrives >= "11:30" })
    #expect(reply.days.first { $0.technician == others[0] }?.stops.allSatisfy { $0.place > 3 } ?? true)
    #expect(try await told(fixture, today)[absent] == [seen])
    for customer in before[absent]?.dropFirst() ?? [] { try await visit(customer) }
    await fixture.refuses(ExitCode.usage, saying: "were already visited") {
      _ = try await cover(fixture, absent, by: others, date: today)
    }
  }
}
