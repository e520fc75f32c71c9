import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FlowTestKit
import StableControl
import StableModel
import Testing

@testable import FlowAnswers
@testable import StableServices

/// A barn's services: accepted values, refusals with their messages, and no change after a refusal.
struct StableAnswersTests {
  private let team = "willow-barn"
  /// Monday 2026-03-02, 07:30 in Phoenix.
  private let now = ServiceFixture.monday

  private func barn() async throws -> ServiceFixture {
    let fixture = try await ServiceFixture(at: now, demo: false)
    _ = try await fixture.services.teams.add(
      TeamsCall.Add(name: team, zone: "America/Phoenix", trade: "stable"), fixture.caller)
    for name in ["Juniper", "Old Bob", "Clover", "Juno"] {
      _ = try await fixture.stable.horses.add(HorsesCall.Add(team: team, name: name, changes: []), fixture.caller)
    }
    for name in ["Juniper", "Clover"] { try await feed(name, [("am-grain", "oats"), ("pm-grain", "hay")], fixture) }
    return fixture
  }

  private func pairs(_ pairs: [(String, String)]) -> [SettingChangeView] {
    pairs.map { SettingChangeView(key: $0.0, value: $0.1) }
  }

  @discardableResult
  private func feed(
    _ horse: String, _ changes: [(String, String)], _ fixture: ServiceFixture
  ) async throws -> FeedScheduleView {
    try await fixture.stable.feed.set(
      FeedCall.Set(team: team, horse: horse, changes: pairs(changes)), fixture.caller
    ).schedule
  }

  private func mark(
    _ horse: String?, _ slot: FeedSlotView, date: String? = nil, by: String? = nil, _ fixture: ServiceFixture
  ) async throws -> FeedOutcomeView {
    try await fixture.stable.feed.mark(
      FeedCall.Mark(team: team, horse: horse, slot: slot, date: date, by: by), fixture.caller
    ).outcome
  }

  private func board(_ fixture: ServiceFixture, date: String? = nil) async throws -> [String] {
    let reply = try await fixture.stable.feed.board(FeedCall.Board(team: team, date: date), fixture.caller)
    return reply.horses.map { "\($0.horse) \($0.am.state) \($0.pm.state)" }
  }

  private func care(
    _ horse: String, _ type: CareTypeView, _ fixture: ServiceFixture, date: String? = nil, due: String? = nil,
    cost: String? = nil, provider: String? = nil, notes: String? = nil
  ) async throws -> CareCall.Log.Reply {
    try await fixture.stable.care.log(
      CareCall.Log(
        team: team, horse: horse, type: type, date: date, due: due, cost: cost, provider: provider, notes: notes),
      fixture.caller)
  }

  @Test func `a horse is found by prefix of name or id; ambiguous ones are listed`()
    async throws
  {
    let fixture = try await barn()
    let horses = fixture.stable.horses
    func show(_ text: String) async throws -> String {
      try await horses.show(HorsesCall.Show(team: team, horse: text), fixture.caller).details.horse.name
    }
    for text in ["juniper", "JUNIPER", "junip"] { #expect(try await show(text) == "Juniper") }
    for text in ["old   bob", " Old Bob ", "old"] { #expect(try await show(text) == "Old Bob") }
    let list = try await horses.list(HorsesCall.List(team: team), fixture.caller).horses
    #expect(
      list.map(\.name) == ["Clover", "Juniper", "Juno", "Old Bob"] && list.allSatisfy { $0.added == "2026-03-02" })
    #expect(try await show(String(list[0].id.prefix(8)).lowercased()) == "Clover")
    await fixture.refuses(64, saying: "'jun' could be several horses: Juniper (", "Juno (") {
      _ = try await show("jun")
    }
    await fixture.refuses(67, saying: "no horse 'Junipre'", "did you mean 'Juniper'?") { _ = try await show("Junipre") }
    await fixture.refuses(67, saying: "no horse ''") { _ = try await show("") }
    await fixture.refuses(67, saying: "did you mean 'willow-barn'?") {
      _ = try await horses.list(HorsesCall.List(team: "wilow-barn"), fixture.caller)
    }
  }

  @Test func `every call about horses is refused for a pool service`() async throws {
    let fixture = try await ServiceFixture(at: now)
    let (name, caller) = (ServiceFixture.team, fixture.caller)
    let calls: [() async throws -> Void] = [
      { _ = try await fixture.stable.horses.list(HorsesCall.List(team: name), caller) },
      { _ = try await fixture.stable.horses.add(HorsesCall.Add(team: name, name: "Juniper", changes: []), caller) },
      { _ = try await fixture.stable.feed.board(FeedCall.Board(team: name), caller) },
      { _ = try await fixture.stable.care.due(CareCall.Due(team: name, all: true), caller) },
      { _ = try await fixture.stable.weather.blankets(WeatherCall.Blankets(team: name), caller) },
    ]
    for call in calls {
      await fixture.refuses(64, saying: "team 'desert-blue' is a pool service; horses belong to stables") {
        try await call()
      }
    }
  }

  @Test func `invalid horse data is refused with a sentence and changes nothing`() async throws {
    let fixture = try await barn()
    let horses = fixture.stable.horses
    let before = try fixture.marks()
    let long = String(repeating: "x", count: 300)
    func add(_ name: String, _ changes: (String, String)...) async throws {
      _ = try await horses.add(HorsesCall.Add(team: team, name: name, changes: pairs(changes)), fixture.caller)
    }
    func set(_ horse: String, _ changes: (String, String)...) async throws {
      _ = try await horses.set(HorsesCall.Set(team: team, horse: horse, changes: pairs(changes)), fixture.caller)
    }
    await fixture.refuses(64, saying: "name cannot be", "longer than 200 characters") { try await add(long) }
    await fixture.refuses(64, saying: "name is missing") { try await add("  ") }
    await fixture.refuses(64, saying: "control character") { try await add("Bo\u{7}b") }
    await fixture.refuses(73, saying: "has a horse 'Old Bob' already") { try await add("old  BOB") }
    await fixture.refuses(64, saying: "clipped cannot be 'maybe': write yes or no") {
      try await add("A", ("clipped", "maybe"))
    }
    await fixture.refuses(64, saying: "added cannot be '2026-02-30'") { try await add("A", ("added", "2026-02-30")) }
    await fixture.refuses(64, saying: "owner cannot be '…'", "longer than 200") { try await add("A", ("owner", long)) }
    await fixture.refuses(64, saying: "did you mean 'owner'?") { try await add("A", ("ower", "Ada")) }
    await fixture.refuses(64, saying: "named twice") { try await add("A", ("owner", "Ada"), ("owner", "Eve")) }
    await fixture.refuses(73, saying: "has a horse 'Juno' already") { try await set("Juniper", ("name", "juno")) }
    await fixture.refuses(64, saying: "write something") { try await set("Juniper", ("name", "")) }
    await fixture.refuses(64, saying: "name what to set") { try await set("Juniper") }
    await fixture.refuses(64, saying: "confirm", "Old Bob") {
      _ = try await horses.remove(
        HorsesCall.Remove(team: team, horse: "old bob", dryRun: false, confirm: "old bob"), fixture.caller)
    }
    #expect(try fixture.marks() == before)
    try await set("juniper", ("name", "JUNIPER"), ("owner", "Ada Field"), ("clipped", "yes"))
    let found = try await horses.list(HorsesCall.List(team: team, search: "ADA"), fixture.caller).horses
    #expect(found.map(\.name) == ["JUNIPER"] && found[0].clipped)
  }

  @Test func `the 2,001st horse is refused`() async throws {
    let fixture = try await ServiceFixture(at: now, demo: false)
    _ = try await fixture.services.teams.add(
      TeamsCall.Add(name: team, zone: "America/Phoenix", trade: "stable"), fixture.caller)
    try Connection.change(
      fixture.context.paths.store,
      [
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Limits.horsesPerTeam))
        INSERT INTO horses (team_id, horse_id, name, name_key, owner, is_clipped, added_date, has_photo)
        SELECT team_id, printf('%08X-0000-4000-8000-000000000000', i), 'Horse ' || i, 'horse ' || i, '', 0, '2026-01-01', 0
        FROM n, teams
        """
      ])
    await fixture.refuses(64, saying: "2000 horses, the most") {
      _ = try await fixture.stable.horses.add(
        HorsesCall.Add(team: team, name: "One more", changes: []), fixture.caller)
    }
  }

  @Test func `the board is marked once, marked whole and undone`() async throws {
    let fixture = try await barn()
    #expect(
      try await board(fixture) == [
        "Clover open open", "Juniper open open", "Juno no-schedule no-schedule", "Old Bob no-schedule no-schedule",
      ])
    let first = try await mark("juniper", .am, by: "Ann", fixture)
    #expect(first.outcome == "marked" && first.horses == ["Juniper"] && first.date == "2026-03-02")
    let second = try await mark("Juniper", .am, by: "Ben", fixture)
    #expect(second.outcome == "already-fed" && second.by == "Ann" && second.atLocal?.contains("07:30") == true)
    #expect(try await mark(nil, .am, fixture).horses == ["Clover"])
    #expect(try await mark(nil, .am, fixture).outcome == "nothing-open")
    #expect(try await mark(nil, .pm, date: "today", fixture).horses == ["Clover", "Juniper"])
    func undo() async throws -> [String] {
      try await fixture.stable.feed.undo(FeedCall.Undo(team: team), fixture.caller).outcome.horses
    }
    #expect(try await undo() == ["Clover", "Juniper"])
    #expect(try await undo() == ["Clover"])
    #expect(try await undo() == ["Juniper"])
    await fixture.refuses(65, saying: "there is no marking on the board of 2026-03-02") { _ = try await undo() }
    #expect(try await board(fixture).prefix(2) == ["Clover open open", "Juniper open open"])
  }

  @Test func `feed marks without a schedule, or for another day, are refused`() async throws {
    let fixture = try await barn()
    let before = try fixture.marks()
    await fixture.refuses(65, saying: "Old Bob has nothing to be fed in the morning", "feed set") {
      _ = try await mark("Old Bob", .am, fixture)
    }
    await fixture.refuses(65, saying: "Juniper was added later", "2026-03-01") {
      _ = try await mark("Juniper", .am, date: "yesterday", fixture)
    }
    for date in ["2026-02-28", "tomorrow", "2026-03-03", "monday", "soon", ""] {
      await fixture.refuses(64, saying: "today, 2026-03-02, and of yesterday, 2026-03-01") {
        _ = try await mark("Juniper", .am, date: date, fixture)
      }
    }
    await fixture.refuses(64, saying: "2026-03-03 is in the future") { _ = try await board(fixture, date: "tomorrow") }
    await fixture.refuses(64, saying: "this is not a time") { _ = try await board(fixture, date: "someday") }
    await fixture.refuses(64, saying: "by cannot be '…'") {
      _ = try await mark("Juniper", .am, by: String(repeating: "b", count: 201), fixture)
    }
    #expect(try fixture.marks() == before)
    #expect(try await board(fixture, date: "2026-02-27") == [])
  }

  @Test func `parts of a feed schedule are set; lists are split, limited and emptied`() async throws {
    let fixture = try await barn()
    let set = try await feed(
      "old bob", [("am-supplements", " MSM ; Biotin | ;"), ("pm-medications", "Previcoxx 57 mg")], fixture)
    #expect(set.am.supplements == ["MSM", "Biotin"] && set.pm.medications == ["Previcoxx 57 mg"] && set.am.grain == "")
    #expect(try await feed("old bob", [("am-supplements", "")], fixture).am.supplements.isEmpty)
    #expect(try await board(fixture).last == "Old Bob no-schedule open")
    let before = try fixture.marks()
    let many = Array(repeating: "a", count: 51).joined(separator: ";")
    for (key, value, why) in [
      ("am-supplements", many, "51 entries"),
      ("pm-medications", String(repeating: "m", count: 201), "this entry is longer"),
      ("am-grain", String(repeating: "g", count: 201), "longer than 200"),
      ("am-grane", "x", "did you mean 'am-grain'?"),
      ("noon-grain", "x", "the values are am-grain"), ("am-grain", "oats\nhay", "line"),
    ] {
      await fixture.refuses(64, saying: why) { try await feed("old bob", [(key, value)], fixture) }
    }
    await fixture.refuses(64, saying: "name what to set") { try await feed("old bob", [], fixture) }
    #expect(try fixture.marks() == before)
  }

  @Test func `a template is saved, changed, applied and removed; applying counts one use`() async throws {
    let fixture = try await barn()
    let feedings = fixture.stable.feed
    func save(
      _ name: String, horse: String? = nil, _ changes: (String, String)...
    ) async throws -> FeedCall.SaveTemplate.Reply {
      try await feedings.saveTemplate(
        FeedCall.SaveTemplate(team: team, name: name, horse: horse, changes: pairs(changes)), fixture.caller)
    }
    let made = try await save("Easy keeper", horse: "juniper", ("description", "for the round ones"))
    #expect(made.created && made.template.am.grain == "oats" && made.template.uses == 0)
    let applied = try await feedings.applyTemplate(
      FeedCall.ApplyTemplate(team: team, template: "easy", horses: ["juno", "old bob", "JUNO"], all: false),
      fixture.caller)
    #expect(applied.horses == ["Juno", "Old Bob"] && applied.template.uses == 1)
    let changed = try await save("EASY  keeper", ("pm-grain", "straw"))
    #expect(!changed.created && changed.template.uses == 1 && changed.template.description == "for the round ones")
    #expect(changed.template.name == "Easy keeper" && changed.template.pm.grain == "straw")
    #expect(try await board(fixture).allSatisfy { $0.hasSuffix("open open") })
    await fixture.refuses(67, saying: "did you mean 'Easy keeper'?") {
      _ = try await feedings.applyTemplate(
        FeedCall.ApplyTemplate(team: team, template: "Easy keepr", horses: ["juno"], all: false), fixture.caller)
    }
    await fixture.refuses(64, saying: "name horses, or all of them") {
      _ = try await feedings.applyTemplate(
        FeedCall.ApplyTemplate(team: team, template: "easy", horses: ["juno"], all: true), fixture.caller)
    }
    await fixture.refuses(64, saying: "must have a feed in at least one slot") {
      _ = try await save("Air", horse: nil, ("am-grain", ""))
    }
    await fixture.refuses(64, saying: "name a horse, or at least one of: am-grain") { _ = try await save("Air") }
    _ = try await feedings.removeTemplate(
      FeedCall.RemoveTemplate(team: team, template: "easy keeper", dryRun: false), fixture.caller)
    #expect(try await feedings.listTemplates(FeedCall.ListTemplates(team: team), fixture.caller).templates.isEmpty)
    #expect(try await board(fixture).allSatisfy { $0.hasSuffix("open open") })
  }

  @Test func `care is logged, planned, corrected, summed exactly and removed`()
    async throws
  {
    let fixture = try await barn()
    let farrier = try await care("juniper", .farrier, fixture, cost: "85", provider: "Sam Hoof")
    #expect(farrier.proposed && farrier.event.nextDue == "2026-04-13" && farrier.event.cost == "85.00")
    let declined = try await care("juniper", .farrier, fixture, date: "2026-01-10", due: "none", cost: "0.0049")
    #expect(!declined.proposed && declined.event.nextDue == nil && declined.event.cost == "0.0049")
    #expect(declined.event.costText == "$0.00")
    let vet = try await care("clover", .vet, fixture, date: "yesterday", due: "+7d", notes: "cough")
    #expect(vet.event.nextDue == "2026-03-08" && !vet.proposed)
    #expect(try await !care("juno", .vet, fixture).proposed)
    let plan = try await care("juno", .dental, fixture, date: "2026-03-20")
    #expect(plan.event.planned && plan.event.nextDue == "2027-03-20")
    func due(all: Bool = false) async throws -> [String] {
      try await fixture.stable.care.due(CareCall.Due(team: team, all: all), fixture.caller).items
        .map { "\($0.horse) \($0.type) \($0.days) \($0.status)" }
    }
    #expect(try await due() == ["Clover vet 6 soon"])
    #expect(try await due(all: true) == ["Clover vet 6 soon", "Juniper farrier 42 later"])
    let list = try await fixture.stable.care.list(CareCall.List(team: team, limit: 50), fixture.caller)
    #expect(list.events.map(\.date) == ["2026-03-20", "2026-03-02", "2026-03-02", "2026-03-01", "2026-01-10"])
    #expect(list.cost == "85.0049" && list.costText == "$85.00")
    let only = try await fixture.stable.care.list(
      CareCall.List(team: team, horse: "juniper", type: .farrier, since: "2026-02-01", limit: 1), fixture.caller)
    #expect(only.events.map(\.id) == [farrier.event.id])
    let set = try await fixture.stable.care.set(
      CareCall.Set(
        team: team, event: String(vet.event.id.prefix(8)), changes: pairs([("due", "none"), ("cost", "120.5025")])),
      fixture.caller)
    #expect(set.event.nextDue == nil && set.event.cost == "120.5025" && set.event.notes == "cough")
    let removed = try await fixture.stable.care.remove(
      CareCall.Remove(team: team, event: "clover", dryRun: false), fixture.caller)
    #expect(removed.event.id == vet.event.id)
    await fixture.refuses(67, saying: "no care is recorded for Clover yet") {
      _ = try await fixture.stable.care.remove(
        CareCall.Remove(team: team, event: "clover", dryRun: true), fixture.caller)
    }
  }

  @Test func `invalid care is refused without quoting provider or notes`() async throws {
    let fixture = try await barn()
    let known = try await care("juniper", .farrier, fixture, due: "2026-03-09")
    let before = try fixture.marks()
    let long = String(repeating: "secret ", count: 1_000)
    await fixture.refuses(64, saying: "due cannot be '2026-03-02'", "2026-03-02 is not after 2026-03-02") {
      _ = try await care("juniper", .vet, fixture, due: "2026-03-02")
    }
    await fixture.refuses(64, saying: "is not after 2026-03-05") {
      _ = try await care("juniper", .vet, fixture, date: "2026-03-05", due: "tomorrow")
    }
    await fixture.refuses(64, saying: "date cannot be '2026-03-09'", "is not after") {
      _ = try await fixture.stable.care.set(
        CareCall.Set(team: team, event: known.event.id, changes: pairs([("date", "2026-03-09")])), fixture.caller)
    }
    for cost in ["1e3", "-5", "85,00", "1000000.01", "0.00001", "$85", "eighty", "85."] {
      await fixture.refuses(64, saying: "cost cannot be '\(cost)'", "85 or 120.50") {
        _ = try await care("juniper", .vet, fixture, cost: cost)
      }
    }
    await fixture.refuses(64, saying: "date cannot be 'whenever': this is not a day") {
      _ = try await care("juniper", .vet, fixture, date: "whenever")
    }
    await fixture.refuses(64, saying: "provider cannot be '…'") {
      _ = try await care("juniper", .vet, fixture, provider: long)
    }
    await fixture.refuses(64, saying: "notes cannot be '…'") {
      _ = try await care("juniper", .vet, fixture, notes: long)
    }
    await fixture.refuses(67, saying: "no horse 'Unknown'") { _ = try await care("Unknown", .vet, fixture) }
    await fixture.refuses(67, saying: "no care whose id begins with '00000000'") {
      _ = try await fixture.stable.care.set(
        CareCall.Set(team: team, event: "00000000", changes: pairs([("due", "none")])), fixture.caller)
    }
    await fixture.refuses(64, saying: "type cannot be 'shoes'") {
      _ = try await fixture.stable.care.set(
        CareCall.Set(team: team, event: "juniper", changes: pairs([("type", "shoes")])), fixture.caller)
    }
    #expect(try fixture.marks() == before)
  }

  @Test func `removing a horse removes its care and schedule after a preview`() async throws {
    let fixture = try await barn()
    _ = try await care("juniper", .farrier, fixture)
    _ = try await mark(nil, .am, fixture)
    func remove(dryRun: Bool) async throws -> HorsesCall.Remove.Reply {
      try await fixture.stable.horses.remove(
        HorsesCall.Remove(team: team, horse: "juniper", dryRun: dryRun, confirm: dryRun ? nil : "Juniper"),
        fixture.caller
      )
    }
    let told = try await remove(dryRun: true)
    #expect(told.care == 1 && told.hasSchedule && told.dryRun)
    let gone = try await remove(dryRun: false)
    #expect(gone.care == 1 && !gone.dryRun)
    #expect(try await board(fixture).map { $0.split(separator: " ")[0] } == ["Clover", "Juno", "Old"])
    #expect(try await fixture.stable.care.list(CareCall.List(team: team, limit: 9), fixture.caller).events.isEmpty)
  }

  @Test func `a horse's report has its care and costs in every format`() async throws {
    let fixture = try await barn()
    _ = try await care("juniper", .farrier, fixture, cost: "85", provider: "Sam Hoof")
    _ = try await care("juniper", .vet, fixture, date: "2026-02-01", cost: "120.505", notes: "<b>cough</b>")
    for format in PageFormatView.allCases {
      let text = try await fixture.stable.horses.report(
        HorsesCall.Report(team: team, horse: "juniper", format: format), fixture.caller
      ).text
      #expect(
        text.contains("Juniper") && text.contains("Sam Hoof") && text.replacing("\\", with: "").contains("205.51"),
        "\(text)")
      #expect(text.contains("cough") && !(format == .html && text.contains("<b>")))
    }
  }
}
