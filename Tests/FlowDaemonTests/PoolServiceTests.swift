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

/// Dates of service of a pool: set, paused, listed, refused, and respected by every answer about a date.
struct PoolServiceTests {
  private static let team = ServiceFixture.team

  private func set(_ fixture: ServiceFixture, _ pool: String, _ values: [String: String]) async throws {
    _ = try await fixture.poolService.field.setPool(
      FieldCall.SetPool(
        team: Self.team, pool: pool,
        changes: values.sorted { $0.key < $1.key }.map { SettingChangeView(key: $0.key, value: $0.value) }),
      fixture.caller)
  }

  private func pause(
    _ fixture: ServiceFixture, _ pool: String, _ days: String, reason: String? = nil
  ) async throws -> FieldCall.PausePool.Reply {
    try await fixture.poolService.field.pausePool(
      FieldCall.PausePool(team: Self.team, pool: pool, days: days, reason: reason), fixture.caller)
  }

  private func resume(
    _ fixture: ServiceFixture, _ pool: String, _ pause: Int? = nil
  ) async throws -> FieldCall.ResumePool.Reply {
    try await fixture.poolService.field.resumePool(
      FieldCall.ResumePool(team: Self.team, pool: pool, pause: pause), fixture.caller)
  }

  private func details(_ fixture: ServiceFixture, _ pool: String) async throws -> PoolDetailsView {
    try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: pool, reveal: false), fixture.caller
    ).details
  }

  /// The customers of a date's morning digest.
  private func told(_ fixture: ServiceFixture, _ date: String) async throws -> Set<String> {
    let reply = try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: date, format: .json), fixture.caller)
    return Set(try #require(DigestJSON.morning(reply.text)).sections.flatMap(\.stops).map(\.customer))
  }

  private func export(_ fixture: ServiceFixture) async throws -> [String] {
    try await fixture.poolService.water.export(
      WaterCall.Export(team: Self.team, table: .pools), fixture.caller
    ).lines
  }

  @Test(arguments: [
    ("weekly", "Service day Monday"), ("Mon,Thu", "Service day Monday, Thursday"),
    ("every 10 days from 2026-03-02", nil),
  ])
  func `a visit report has the weekdays of the pool's rule`(rule: String, text: String?) async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    try await set(fixture, customer, ["service": rule])
    let report = try await fixture.poolService.reports.visit(
      ReportsCall.Visit(team: Self.team, pool: customer, format: .text), fixture.caller
    ).text.split(separator: " ").joined(separator: " ")
    #expect(text.map { report.contains($0 + "\n") } ?? !report.contains("Service day"), "\(report)")
  }

  /// The customer of the first stop on Mondays.
  private func mondayCustomer(_ fixture: ServiceFixture) async throws -> String {
    let pools = try await fixture.poolService.pools.list(
      PoolsCall.List(team: Self.team, technician: nil, day: "Mon"), fixture.caller
    ).pools
    return try #require(pools.first).customer
  }

  @Test func `a pool served every two weeks is told on its dates only, by every answer`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    let before = try await export(fixture)
    #expect(try await details(fixture, customer).service == nil)
    try await set(fixture, customer, ["service": "every 2 weeks from 2026-03-09"])
    let service = try #require(try await details(fixture, customer).service)
    #expect(service.rule == "every 2 weeks from 2026-03-09" && service.next == "2026-03-09" && service.day == .Mon)
    #expect(try await !told(fixture, "2026-03-02").contains(customer))
    #expect(try await told(fixture, "2026-03-09").contains(customer))
    #expect(try await !told(fixture, "2026-03-16").contains(customer))
    // Today is Monday 2 March: neither the route nor its progress has the pool.
    let routes = try await fixture.poolService.routes.show(
      RoutesCall.Show(team: Self.team, day: nil), fixture.caller
    ).routes
    #expect(!routes.flatMap(\.stops).map(\.customer).contains(customer))
    let progress = try await fixture.poolService.routes.progress(
      RoutesCall.Progress(team: Self.team, technician: nil), fixture.caller
    ).progress
    #expect(!progress.flatMap(\.missing).contains(customer))
    let lines = try await export(fixture)
    #expect(lines[0] == before[0] + ",frequency")
    #expect(lines.filter { $0.hasSuffix(",every 2 weeks from 2026-03-09") }.count == 1)
    #expect(lines.filter { $0.hasSuffix(",weekly") }.count == lines.count - 2)
    try await set(fixture, customer, ["service": "weekly"])
    #expect(try await told(fixture, "2026-03-02").contains(customer))
    #expect(try await export(fixture) == before)
  }

  @Test func `a pause is listed, ends, and keeps its past days`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    let added = try await pause(fixture, customer, "2026-03-01..2026-03-16", reason: "family away")
    #expect(added.pause.days == "2026-03-01..2026-03-16" && added.next == "2026-03-23")
    #expect(try await !told(fixture, "2026-03-09").contains(customer))
    let listed = try await fixture.poolService.pools.listServices(
      PoolsCall.ListServices(team: Self.team), fixture.caller
    ).services
    #expect(listed.map(\.rule) == ["weekly"] && listed[0].pauses.map(\.reason) == ["family away"])
    await fixture.refuses(ExitCode.notFound, saying: "has no pause with number 99") {
      _ = try await resume(fixture, customer, 99)
    }
    let second = try await pause(fixture, customer, "2026-12-20..2026-12-31")
    await fixture.refuses(ExitCode.usage, saying: "has 2 pauses; name one of them") {
      _ = try await resume(fixture, customer)
    }
    #expect(try await resume(fixture, customer, second.pause.id).pause.days == "2026-12-20..2026-12-31")
    // Today is 2 March: the days before stay without service.
    #expect(try await resume(fixture, customer).next == "2026-03-02")
    #expect(try await details(fixture, customer).service?.pauses.map(\.days) == ["2026-03-01"])
    #expect(try await told(fixture, "2026-03-09").contains(customer))
    await fixture.refuses(ExitCode.notFound, saying: "is not paused") { _ = try await resume(fixture, customer) }
  }

  @Test func `a change of the dates names the values that restore them`() async throws {
    let fixture = try await ServiceFixture()
    func change(_ values: [(String, String)]) async throws -> [String]? {
      try await fixture.poolService.field.setPool(
        FieldCall.SetPool(
          team: Self.team, pool: "Steve Baird", changes: values.map { SettingChangeView(key: $0.0, value: $0.1) }),
        fixture.caller
      ).restores?.map { "\($0.key)=\($0.value)" }
    }
    func service() async throws -> PoolService {
      let team = try await fixture.store.team(named: Self.team)
      let pool = try #require(try await fixture.store.pools(of: team.id, matching: "Steve Baird").first)
      return try await fixture.store.services(of: team.id)[pool.id] ?? PoolService(weekday: pool.serviceDay)
    }
    #expect(try await change([("fee", "150")]) == nil)
    #expect(try await change([("service", "weekly")]) == nil)
    #expect(try await change([("service", "Tue,Thu")]) == ["service=weekly", "day=Mon"])
    #expect(try await change([("service", "every 2 weeks from 2026-03-05")]) == ["service=Tue,Thu *-*-*", "day=Tue"])
    let again = try await change([("service", "Tue,Thu *-*-*"), ("day", "Tue")])
    #expect(again == ["service=every 2 weeks from 2026-03-05", "day=Thu"])
    var present = try await service()
    #expect(present.rule?.description == "Tue,Thu *-*-*" && present.weekday == .tuesday)
    _ = try await change([("service", "weekly"), ("day", "Mon")])
    present = try await service()
    #expect(present.rule == nil && present.weekday == .monday)
    #expect(try await change([("day", "Fri")]) == ["service=weekly", "day=Mon"])
    // Dates that are over cannot be set again.
    _ = try await change([("service", "weekly until 2026-03-06")])
    fixture.clock.advance(by: .hours(24 * 7))
    #expect(try await change([("service", "weekly")]) == nil)
  }

  @Test func `a rule, a pause and a weekday that contradict each other are refused and change nothing`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    try await set(fixture, customer, ["service": "Mon *-*-* until 2026-12-31"])
    let before = try fixture.marks()
    let rules: [(values: [String: String], saying: String)] = [
      (["service": "every 2 weeks"], "on which date it begins; write such as 'every 2 weeks from 2026-03-02'"),
      (["service": "biweekly"], "does not say on which date it begins"),
      (["service": "every 0 weeks from 2026-03-02"], "a count (1 to"),
      (["service": "every 2 weeks from 2026-02-30"], "a date that exists"),
      (["service": "Mon 07:00"], "contains a time of day"), (["service": "Mon Europe/Berlin"], "is a time zone"),
      (["service": "Mon *-02-30"], "no date matches"), (["service": "until 2026-02-28"], "has no date from today on"),
      (["service": ""], "no dates are named"), (["service": "Mun"], "expected"),
      (["service": "Mon,Thu", "day": "Fri"], "it has no Fri, which --day names"),
      (["service": "Mon", "day": "Fri"], "it names Mon, but --day names Fri"),
      (["day": "Fri"], "is served by the rule 'Mon *-*-* until 2026-12-31'"),
      (["service": String(repeating: "Mon,", count: 60)], "the limit is 200"),
    ]
    for (values, saying) in rules {
      await fixture.refuses(ExitCode.usage, saying: saying) { try await set(fixture, customer, values) }
    }
    let pauses: [(days: String, saying: String)] = [
      ("2026-03-01..2027-01-31", "would never be served again"), ("2026-02-01", "all of these days are past"),
      ("2026-03-09..2026-03-02", "comes before"), ("2026-02-30", "no date matches"), ("", "no days are named"),
    ]
    for (days, saying) in pauses {
      await fixture.refuses(ExitCode.usage, saying: saying) { _ = try await pause(fixture, customer, days) }
    }
    #expect(try fixture.marks() == before)
    _ = try await pause(fixture, customer, "2026-12-01..2026-12-31")
    await fixture.refuses(ExitCode.usage, saying: "leave no date of it") {
      try await set(fixture, customer, ["service": "Mon *-12-*  until 2026-12-31"])
    }
  }

  @Test func `a new pool has a rule, and the weekday of the rule's next date`() async throws {
    let fixture = try await ServiceFixture()
    let reply = try await fixture.poolService.field.addPool(
      FieldCall.AddPool(
        team: Self.team, customer: "Nora Quill", address: "12 N Date St, Mesa, AZ",
        changes: [SettingChangeView(key: "service", value: "Wed,Sat")]), fixture.caller)
    #expect(reply.day == .Wed)
    #expect(try await details(fixture, "Nora Quill").service?.rule == "Wed,Sat *-*-*")
    let saturday = try await fixture.poolService.pools.list(
      PoolsCall.List(team: Self.team, technician: nil, day: "Sat"), fixture.caller
    ).pools
    #expect(saturday.map(\.customer).contains("Nora Quill"))
    #expect(try await told(fixture, "2026-03-07").contains("Nora Quill"))
  }

  @Test func `a frequency column sets rules, and a second import moves no date`() async throws {
    let fixture = try await ServiceFixture()
    func file(_ rows: [String]) -> [UInt8] {
      Array((["customer_name,address,service_day,frequency"] + rows).joined(separator: "\n").utf8)
    }
    let rows = [
      "Ada,1 Elm,Tue,Biweekly", "Bo,2 Elm,\"Mon, Thu\",twice a week", "Cy,3 Elm,Fri,monthly",
      "Di,4 Elm,Wed,seasonal", "Ed,5 Elm,Mon,now and then", "Flo,6 Elm,Mon,every 3 weeks from 2026-03-09",
      "Gus,7 Elm,Sat,weekly", "Hal,8 Elm,Mon,twice a week",
    ]
    let report = try await fixture.importFile(file(rows), as: "customers.csv")
    func rules() async throws -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: try await fixture.poolService.pools.listServices(
          PoolsCall.ListServices(team: Self.team), fixture.caller
        ).services.map { ($0.customer, $0.rule) })
    }
    let expected = [
      "Ada": "every 2 weeks from 2026-03-03", "Bo": "Mon,Thu *-*-*", "Cy": "Fri *-*-01..07",
      "Di": "Wed *-04..10-*", "Flo": "every 3 weeks from 2026-03-09",
    ]
    #expect(try await rules() == expected)
    let sentences = report.issues.map(\.message)
    #expect(sentences.count { $0.contains("is read as") } == 4, "\(sentences)")
    #expect(sentences.count { $0.contains("is not weekly") } == 2, "\(sentences)")
    fixture.clock.advance(by: .hours(24 * 7))
    _ = try await fixture.importFile(file(rows), as: "customers.csv")
    #expect(try await rules() == expected)
    _ = try await fixture.importFile(file(["Ada,1 Elm,Tue,weekly"]), as: "customers.csv")
    #expect(try await rules()["Ada"] == nil)
  }

  @Test func `a frequency of a file holds from the team's own date on, also in the evening`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    let address = try await details(fixture, customer).pool.address
    let row =
      "customer_name,address,service_day,frequency\n\(customer),\"\(address)\",Mon,every 2 weeks from 2026-03-09"
    // Monday 19:00 in Phoenix, when it is Tuesday in UTC.
    fixture.clock.set(ServiceFixture.monday.advanced(by: .minutes(11 * 60 + 30)))
    _ = try await fixture.importFile(Array(row.utf8), as: "customers.csv")
    let served = try await told(fixture, "2026-02-23").contains(customer)
    #expect(served)
    for (date, isServed) in [("2026-03-02", false), ("2026-03-09", true), ("2026-03-16", false)] {
      #expect(try await told(fixture, date).contains(customer) == isServed, "\(date)")
    }
  }

  private func move(
    _ fixture: ServiceFixture, _ pool: String, to place: Int, day: String? = nil
  ) async throws -> RouteView {
    try await fixture.poolService.routes.move(
      RoutesCall.Move(team: Self.team, pool: pool, place: place, day: day), fixture.caller
    ).route
  }

  private func pin(_ fixture: ServiceFixture, _ pool: String, at place: Int?, day: String? = nil) async throws {
    _ = try await fixture.poolService.routes.pin(
      RoutesCall.Pin(team: Self.team, pool: pool, place: place, day: day), fixture.caller)
  }

  private func stop(_ fixture: ServiceFixture, _ customer: String, on day: String) async throws -> RouteStopView? {
    try await fixture.poolService.routes.show(RoutesCall.Show(team: Self.team, day: day), fixture.caller).routes
      .flatMap(\.stops).first { $0.customer == customer }
  }

  @Test func `a pool of several weekdays has a position and a pin on each of them`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    try await set(fixture, customer, ["service": "Mon,Thu"])
    let monday = try #require(try await stop(fixture, customer, on: "Mon")).place
    let both = "served on Mon, Thu; name one of these weekdays with --day"
    await fixture.refuses(ExitCode.usage, saying: both) { _ = try await move(fixture, customer, to: 2) }
    for place in [nil, 2] {
      await fixture.refuses(ExitCode.usage, saying: both) { try await pin(fixture, customer, at: place) }
    }
    await fixture.refuses(ExitCode.usage, saying: "day cannot be 'Fri'", "is served on Mon, Thu") {
      _ = try await move(fixture, customer, to: 2, day: "Fri")
    }
    let moved = try await move(fixture, customer, to: 3, day: "thu")
    #expect(moved.day == .Thu && moved.stops[2].customer == customer)
    #expect(try await stop(fixture, customer, on: "Thu")?.place == 3)
    #expect(try await stop(fixture, customer, on: "Mon")?.place == monday)
    try await pin(fixture, customer, at: 3, day: "Thu")
    #expect(try await stop(fixture, customer, on: "Thu")?.pin == 3)
    #expect(try await stop(fixture, customer, on: "Mon")?.pin == nil)
    try await pin(fixture, customer, at: 2, day: "Mon")
    try await pin(fixture, customer, at: nil, day: "Thu")
    #expect(try await stop(fixture, customer, on: "Thu")?.pin == nil)
    #expect(try await stop(fixture, customer, on: "Mon")?.pin == 2)
    #expect(try await stop(fixture, customer, on: "Thu")?.place == 3)
    // Where the night orders the routes, a moved stop is pinned on its weekday only.
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "route-order", value: "best")]), fixture.caller)
    _ = try await move(fixture, customer, to: 4, day: "Thu")
    #expect(try await stop(fixture, customer, on: "Thu")?.pin == 4)
    #expect(try await stop(fixture, customer, on: "Mon")?.pin == 2)
  }

  @Test func `a pool that is not due next week is moved and pinned on its own dates`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    try await pin(fixture, customer, at: 1)
    try await set(fixture, customer, ["service": "every 2 weeks from 2026-03-09"])
    #expect(try await stop(fixture, customer, on: "Mon") == nil)
    #expect(try await move(fixture, customer, to: 2).stops[1].customer == customer)
    try await pin(fixture, customer, at: 2)
    #expect(try await move(fixture, customer, to: 3).stops[2].pin == 2)
    try await pin(fixture, customer, at: nil)
    #expect(try await move(fixture, customer, to: 2).stops[1].pin == nil)
    try await set(fixture, customer, ["service": "Mon *-*-* until 2026-03-02"])
    fixture.clock.advance(by: .hours(24))
    await fixture.refuses(ExitCode.notFound, saying: "is not served on any Mon from today on") {
      try await pin(fixture, customer, at: 2)
    }
    try await pin(fixture, customer, at: nil)
  }

  @Test func `a backup restores rules and pauses; one without them keeps the present ones and says so`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await mondayCustomer(fixture)
    let older = try await fixture.backUp()
    try await set(fixture, customer, ["service": "Mon,Thu"])
    _ = try await move(fixture, customer, to: 3, day: "Thu")
    try await pin(fixture, customer, at: 3, day: "Thu")
    _ = try await pause(fixture, customer, "2026-12-20..2027-01-05", reason: "family away")
    func services() async throws -> [PoolServiceView] {
      try await fixture.poolService.pools.listServices(
        PoolsCall.ListServices(team: Self.team), fixture.caller
      ).services
    }
    func restore(_ id: String) async throws -> [String] {
      try await fixture.services.backup.restoreTeam(
        BackupCall.RestoreTeam(id: id, team: Self.team, dryRun: false, confirm: Self.team), fixture.caller
      ).warnings
    }
    fixture.clock.advance(by: .hours(1))
    let newer = try await fixture.backUp()
    try await set(fixture, customer, ["service": "Fri"])
    _ = try await resume(fixture, customer)
    #expect(try await services().isEmpty)
    #expect(try await !restore(newer.id).contains { $0.contains("present dates") })
    let back = try await services()
    #expect(back.map(\.rule) == ["Mon,Thu *-*-*"] && back[0].day == .Mon)
    #expect(back[0].pauses.map(\.days) == ["2026-12-20..2027-01-05"] && back[0].pauses[0].reason == "family away")
    let thursday = try #require(try await stop(fixture, customer, on: "Thu"))
    #expect(thursday.place == 3 && thursday.pin == 3)
    // An archive of the app does not have rules.
    let archive = try await fixture.upload(Tree.bytes("config/demo/demo-backup.zip"), as: "demo-backup.zip")
    let kept = try await fixture.services.backup.restoreTeam(
      BackupCall.RestoreTeam(upload: archive, team: Self.team, dryRun: false, confirm: Self.team), fixture.caller)
    #expect(kept.warnings.contains { $0.contains("1 pool keeps its present dates and pauses") })
    #expect(try await services().map(\.rule) == ["Mon,Thu *-*-*"])
    #expect(try await stop(fixture, customer, on: "Thu")?.pin == 3)
    // A backup of a team whose pools were all served every week removes newer rules.
    #expect(try await !restore(older.id).contains { $0.contains("present dates") })
    #expect(try await services().isEmpty)
  }
}
