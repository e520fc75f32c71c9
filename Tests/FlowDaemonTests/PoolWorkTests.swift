import FlowControl
import FlowModel
import FlowTestKit
import PoolControl
import PoolDigests
import Testing

@testable import FlowAnswers
@testable import PoolServices

/// Recurring work at a pool: added, shown at its stop, done with a visit, undone, refused and restored.
struct PoolWorkTests {
  private static let team = ServiceFixture.team
  private static let filter = "Clean filter"

  private func customer(_ fixture: ServiceFixture) async throws -> String {
    let pools = try await fixture.poolService.pools.list(
      PoolsCall.List(team: Self.team, technician: nil, day: "Mon"), fixture.caller
    ).pools
    return try #require(pools.first).customer
  }

  @discardableResult
  private func add(
    _ fixture: ServiceFixture, _ pool: String, _ name: String = filter, every: String = "3 months", from: String? = nil
  ) async throws -> WorkView {
    try await fixture.poolService.field.addWork(
      FieldCall.AddWork(team: Self.team, pool: pool, name: name, every: every, from: from), fixture.caller
    ).work
  }

  private func works(_ fixture: ServiceFixture, _ pool: String? = nil) async throws -> [WorkView] {
    try await fixture.poolService.field.listWork(
      FieldCall.ListWork(team: Self.team, pool: pool), fixture.caller
    ).works
  }

  @discardableResult
  private func set(
    _ fixture: ServiceFixture, _ pool: String, _ work: String, _ values: [String: String]
  ) async throws -> WorkView {
    try await fixture.poolService.field.setWork(
      FieldCall.SetWork(
        team: Self.team, pool: pool, work: work,
        changes: values.sorted { $0.key < $1.key }.map { SettingChangeView(key: $0.key, value: $0.value) }),
      fixture.caller
    ).work
  }

  @discardableResult
  private func log(
    _ fixture: ServiceFixture, _ pool: String, done: [String], at: String? = nil
  ) async throws -> LoggedVisitView {
    try await fixture.poolService.field.logVisit(
      FieldCall.LogVisit(team: Self.team, pool: pool, readings: [], dose: .none, measured: [], at: at, done: done),
      fixture.caller
    ).visit
  }

  private func digest(
    _ fixture: ServiceFixture, _ date: String, _ format: DigestFormatView = .text
  ) async throws -> String {
    try await fixture.poolService.reports.digest(
      ReportsCall.Digest(team: Self.team, kind: .morning, date: date, format: format), fixture.caller
    ).text
  }

  private func undo(_ fixture: ServiceFixture, _ pool: String) async throws {
    _ = try await fixture.poolService.field.undoVisit(FieldCall.UndoVisit(team: Self.team, pool: pool), fixture.caller)
  }

  @Test func `work is a task at the first stop on or after its date, until a visit says that it was done`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let customer = try await customer(fixture)
    // A Thursday; the pool is served on Mondays.
    let work = try await add(fixture, customer, from: "2026-03-12")
    #expect(work.due == "2026-03-12" && work.every == "3 months" && !work.isDue && work.last == nil)
    #expect(try await !digest(fixture, "2026-03-09").contains(Self.filter))
    let text = try await digest(fixture, "2026-03-16")
    #expect(text.contains("Clean filter"), "\(text)")
    #expect(text.contains("Recurring work due"), "\(text)")
    let html = try await digest(fixture, "2026-03-16", .html)
    #expect(html.contains(Self.filter))
    let page = try #require(DigestJSON.morning(try await digest(fixture, "2026-03-16", .json)))
    let attention = page.sections.flatMap(\.stops).flatMap(\.attention).filter { $0.kind == .workDue }
    #expect(attention.count == 1)
    fixture.clock.advance(by: .hours(24 * 15))
    let visit = try await log(fixture, customer, done: ["clean"])
    #expect(visit.done?.map(\.name) == [Self.filter] && visit.done?.first?.next == "2026-06-17")
    #expect(try await !digest(fixture, "2026-03-23").contains(Self.filter))
    #expect(try await digest(fixture, "2026-06-22").contains(Self.filter))
    let report = try await fixture.poolService.reports.visit(
      ReportsCall.Visit(team: Self.team, pool: customer, format: .text), fixture.caller
    ).text
    #expect(report.contains("Work done") && report.contains(Self.filter), "\(report)")
    let month = try await fixture.poolService.reports.month(
      ReportsCall.Month(team: Self.team, month: "2026-03", format: .text), fixture.caller
    ).text
    #expect(month.contains("Work done") && month.contains("\(customer) · Clean filter"), "\(month)")
    let shown = try await fixture.poolService.pools.show(
      PoolsCall.Show(team: Self.team, pool: customer, reveal: false), fixture.caller
    ).details
    #expect(shown.work?.map(\.last) == ["2026-03-17"])
    try await undo(fixture, customer)
    #expect(try await works(fixture).map(\.due) == ["2026-03-12"])
    #expect(try await works(fixture).map(\.last) == [nil])
  }

  @Test(arguments: [
    ("en", "Recurring work due", "due since"), ("de", "Wiederkehrende Arbeit fällig", "fällig seit"),
    ("fr", "Travaux périodiques à faire", "à faire depuis le"),
    ("es", "Trabajo periódico pendiente", "vencido desde el"),
    ("pt-BR", "Trabalho periódico a fazer", "vencido desde"),
  ])
  func `a page names due work in the team's language`(language: String, head: String, since: String) async throws {
    let fixture = try await ServiceFixture()
    let customer = try await customer(fixture)
    try await add(fixture, customer, from: "2026-03-12")
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: Self.team, changes: [SettingChangeView(key: "language", value: language)]), fixture.caller)
    for format in [DigestFormatView.text, .md, .html] {
      let text = try await digest(fixture, "2026-03-16", format)
      #expect(text.contains(head), "\(text)")
      #expect(text.contains(since) && text.contains(Self.filter), "\(text)")
    }
  }

  @Test func `the service of a machine moves on by its interval, its own or the one of its dates`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await customer(fixture)
    func item(_ changes: [String: String]) async throws -> EquipmentItemView {
      try await fixture.poolService.field.setEquipment(
        FieldCall.SetEquipment(
          team: Self.team, pool: customer, equipment: "Sand filter",
          changes: changes.sorted { $0.key < $1.key }.map { SettingChangeView(key: $0.key, value: $0.value) }),
        fixture.caller
      ).item
    }
    _ = try await fixture.poolService.field.addEquipment(
      FieldCall.AddEquipment(
        team: Self.team, pool: customer,
        changes: [
          SettingChangeView(key: "name", value: "Sand filter"), SettingChangeView(key: "service", value: "2026-02-01"),
        ]), fixture.caller)
    // Without an interval no date is guessed.
    #expect(try await log(fixture, customer, done: ["sand filter service"]).done?.first?.next == nil)
    try await undo(fixture, customer)
    #expect(try await item(["serviced": "2025-08-01"]).service == "2026-02-01")
    #expect(try await log(fixture, customer, done: ["Sand filter"]).done?.first?.next == "2026-09-02")
    try await undo(fixture, customer)
    let own = try await item(["every": "1 year"])
    #expect(own.every == "1 year" && own.service == "2026-02-01" && own.overdue)
    let visit = try await log(fixture, customer, done: ["sand"])
    #expect(visit.done?.first?.next == "2027-03-02" && visit.done?.first?.machine == true)
    let listed = try await fixture.poolService.field.listEquipment(
      FieldCall.ListEquipment(team: Self.team, pool: customer), fixture.caller
    ).items.first { $0.name == "Sand filter" }
    #expect(listed?.service == "2027-03-02" && listed?.every == "1 year")
    #expect(try await item(["every": "none"]).every == nil)
    await fixture.refuses(ExitCode.usage, saying: "'6' has no unit") { _ = try await item(["every": "6"]) }
  }

  @Test func `work done on another day is counted from it, and an interval is counted again from it`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await customer(fixture)
    try await add(fixture, customer, every: "1 month", from: "2026-02-01")
    let done = try await fixture.poolService.field.finishWork(
      FieldCall.FinishWork(team: Self.team, pool: customer, work: "CLEAN FILTER", at: "2026-01-31"), fixture.caller)
    #expect(done.done.next == "2026-02-28" && done.done.date == "2026-01-31" && done.customer == customer)
    // An earlier execution that is recorded later moves nothing.
    try await log(fixture, customer, done: ["clean"], at: "2025-12-15 10:00")
    #expect(try await works(fixture).map(\.due) == ["2026-02-28"])
    #expect(try await set(fixture, customer, "clean", ["every": "2 months"]).due == "2026-03-31")
    let changed = try await set(fixture, customer, "clean", ["from": "2026-04-01", "name": "Rinse filter"])
    #expect(changed.due == "2026-04-01")
    #expect(try await works(fixture, customer).map(\.name) == ["Rinse filter"])
    let removed = try await fixture.poolService.field.removeWork(
      FieldCall.RemoveWork(team: Self.team, pool: customer, work: "rinse"), fixture.caller)
    #expect(removed.work.last == "2026-01-31")
    #expect(try await works(fixture).isEmpty)
  }

  @Test func `bad input is refused in one sentence and changes nothing`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await customer(fixture)
    await fixture.refuses(ExitCode.notFound, saying: "has no pool 'Zed'") { try await add(fixture, "Zed") }
    await fixture.refuses(
      ExitCode.notFound, saying: "the pool of \(customer) has no recurring work 'xyz'; it has"
    ) { try await log(fixture, customer, done: ["xyz"]) }
    try await add(fixture, customer)
    try await add(fixture, customer, "Clean cell")
    let before = try fixture.marks()
    let adding: [(name: String, every: String, from: String?, saying: String)] = [
      ("CLEAN FILTER", "3 months", nil, "has recurring work of this name; `pfctl work set` changes it"),
      ("Brush", "0 months", nil, "an interval is 1 or more; write '3 months'"),
      ("Brush", "3", nil, "'3' has no unit; write '3 months'"), ("Brush", "", nil, "no interval is named"),
      ("Brush", "often", nil, "'often' is no interval"),
      ("Brush", "90 years", nil, "the longest interval is ten years"),
      ("Brush", "3 months", "1990-01-01", "1990-01-01 is more than ten years ago"),
      ("Brush", "3 months", "2099-01-01", "2099-01-01 is more than ten years ahead"),
      ("Brush", "3 months", "2026-02-30", "this is not a time"), (" ", "3 months", nil, "write something"),
      (String(repeating: "x", count: 5_000), "3 months", nil, "characters"), ("a\u{7}", "3 months", nil, "control"),
    ]
    for (name, every, from, saying) in adding {
      await fixture.refuses(ExitCode.usage, saying: saying) {
        try await add(fixture, customer, name, every: every, from: from)
      }
    }
    await fixture.refuses(ExitCode.usage, saying: "could be several recurring works: 'Clean cell', 'Clean filter'") {
      try await log(fixture, customer, done: ["clean"])
    }
    await fixture.refuses(ExitCode.usage, saying: "this work is named twice") {
      try await log(fixture, customer, done: ["clean f", Self.filter])
    }
    await fixture.refuses(ExitCode.notFound, saying: "did you mean 'Clean filter'?") {
      try await log(fixture, customer, done: ["Clean filtre"])
    }
    await fixture.refuses(ExitCode.usage, saying: "at most 50 works") {
      try await log(fixture, customer, done: Array(repeating: "clean", count: 51))
    }
    await fixture.refuses(ExitCode.notFound, saying: "it has '") { try await log(fixture, customer, done: [""]) }
    await fixture.refuses(ExitCode.usage, saying: "which is in the future") {
      _ = try await fixture.poolService.field.finishWork(
        FieldCall.FinishWork(team: Self.team, pool: customer, work: Self.filter, at: "2026-05-01"), fixture.caller)
    }
    await fixture.refuses(ExitCode.usage, saying: "has recurring work of this name") {
      try await set(fixture, customer, "Clean cell", ["name": Self.filter])
    }
    await fixture.refuses(ExitCode.usage, saying: "this value does not exist") {
      try await set(fixture, customer, "Clean cell", ["evry": "1 month"])
    }
    #expect(try fixture.marks() == before)
    for number in 3...50 { try await add(fixture, customer, "Work \(number)") }
    await fixture.refuses(ExitCode.usage, saying: "has 50 recurring works, the limit is 50") {
      try await add(fixture, customer, "Work 51")
    }
  }

  @Test func `a backup restores work, also none`() async throws {
    let fixture = try await ServiceFixture()
    let customer = try await customer(fixture)
    let older = try await fixture.backUp()
    try await add(fixture, customer, from: "2026-03-01")
    try await log(fixture, customer, done: [Self.filter])
    fixture.clock.advance(by: .hours(1))
    let newer = try await fixture.backUp()
    func restore(_ id: String) async throws -> [String] {
      try await fixture.services.backup.restoreTeam(
        BackupCall.RestoreTeam(id: id, team: Self.team, dryRun: false, confirm: Self.team), fixture.caller
      ).warnings
    }
    let kept = try await works(fixture)
    _ = try await fixture.poolService.field.removeWork(
      FieldCall.RemoveWork(team: Self.team, pool: customer, work: Self.filter), fixture.caller)
    #expect(try await !restore(newer.id).contains { $0.contains("recurring work") })
    #expect(try await works(fixture).map { "\($0)" } == kept.map { "\($0)" })
    #expect(try await !restore(older.id).contains { $0.contains("recurring work") })
    #expect(try await works(fixture).isEmpty)
    // The visit is not in the older backup; undoing another one does not find it.
    await fixture.refuses(ExitCode.badData, saying: "can be undone") { try await undo(fixture, customer) }
  }
}
