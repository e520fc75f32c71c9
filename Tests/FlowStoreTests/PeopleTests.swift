import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import Testing

/// Addresses and subscriptions of technicians and offices, on every engine.
struct PeopleTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func addTeam(_ store: any Teams, _ name: String = "desert-blue") async throws -> Team {
    try await store.addTeam(Samples.team(name), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
  }

  @Test(arguments: Engine.all)
  func `a person is added, changed and removed, and an import keeps addresses`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let other = try await addTeam(store, "other")
    let office = try await store.changePerson(.office(team.id), of: team.id) { $0.addresses[.ntfy] = "desert-office" }
    #expect(office.person.wants == [.route, .lowStock, .week, .reminders] && office.name == "desert-blue")
    let maria = try #require(
      try await store.addTechnician("Maria", to: team.id) { key, count in
        #expect(count == 1)
        var person = KnownPerson(
          Person(key: key, language: .spanish, quiet: QuietHours("22:00-06:00"), wants: [.route]))
        person.addresses[.mail] = "maria@example.com"
        person.addresses[.telegram] = "-100123"
        return person
      })
    // The name differs only in case.
    #expect(
      try await store.addTechnician("MARIA", to: team.id) { key, _ in KnownPerson(Person(key: key, wants: [])) } == nil)
    let id = try #require(try await store.technicians(of: team.id).first { $0.name == "Maria" }).id
    #expect(try await store.names(of: [maria.person.key, .office(team.id)]).values.sorted() == ["Maria", "office"])
    let pool = Samples.pool()
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(pools: [pool], profiles: [Samples.profile(of: pool.id, tags: "tech:maria")]), now: now)
    let known = try #require(try await store.person(.technician(id)))
    #expect(known.addresses[.mail] == "maria@example.com" && known.person.channels == [.mail, .telegram])
    #expect(known.language == .spanish && known.person.quiet?.description == "22:00-06:00" && known.name == "Maria")
    #expect(try await store.people(of: team.id).map(\.person.key) == [.office(team.id), .technician(id)])
    #expect(try await store.people(of: other.id).isEmpty)
    let changed = try await store.changePerson(.technician(id), of: team.id) {
      $0.addresses[.mail] = nil
      $0.person.language = nil
    }
    #expect(changed.person.channels == [.telegram] && changed.language == .english)
    let today = CivilDate(year: 2026, month: 3, day: 2)
    let holdings = try await store.removeTechnician(id, of: team.id, today: today)
    #expect(
      holdings.records == 1 && holdings.others + holdings.reminders == 0 && !holdings.isDefault && !holdings.isEmpty)
    #expect(try await store.person(.technician(id)) != nil)
    _ = try await store.removePool(pool.id, of: team.id, today: nil)
    #expect(try await store.removeTechnician(id, of: team.id, today: today).isEmpty)
    #expect(try await store.person(.technician(id)) == nil)
    #expect(try await store.technicians(of: team.id).count == 1)
    try await store.forget(.office(team.id), of: team.id)
    #expect(try await store.person(.office(team.id)) == nil)
  }

  @Test(arguments: Engine.all)
  func `a cleared team keeps its technicians and loses their addresses`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let anna = PersonKey.technician(try #require(try await store.technicians(of: team.id).first).id)
    _ = try await store.changePerson(anna, of: team.id) { $0.addresses[.mail] = "anna@example.com" }
    func clear(dryRun: Bool) async throws {
      _ = try await store.clear(team.name, stock: [], dryRun: dryRun, change: nil, unless: { _ in })
    }
    try await clear(dryRun: true)
    #expect(try await store.person(anna) != nil)
    try await clear(dryRun: false)
    #expect(try await store.people(of: team.id).isEmpty)
    #expect(try await store.technicians(of: team.id).count == 1)
    #expect(try engine.dump(folder.path).filter { $0.contains("anna@example.com") } == [])
  }

  @Test(arguments: Engine.all)
  func `a run's notices are one commit, each with entries for its sinks`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let job = try #require(try await store.jobs(of: team.id).first)
    let anna = PersonKey.technician(try #require(try await store.technicians(of: team.id).first).id)
    let run = try #require(
      try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now).first)
    func notice(_ id: String, person: PersonKey? = nil) -> Notice {
      Notice(
        id: id, teamID: team.id, teamName: team.name, jobID: job.id, job: job.kind.rawValue, slot: now, identifier: "i",
        title: "t", body: "b", lines: [], dataJSON: "", lateness: .zero, createdAt: now, expiresAt: nil, person: person)
    }
    let outcome = Outcome(
      result: .notified, detail: "…", notice: notice("n"), personal: [notice("n-\(anna.text)", person: anna)])
    let routes = [SinkRoute(sink: "line"), SinkRoute(sink: "crew", takesPersonal: true)]
    for _ in 1...2 {
      try await store.settle([RunSettlement(run: run, outcome: outcome, finishedAt: now)], routes: routes)
    }
    let entries = try await store.entries(of: job.id, slot: now)
    #expect(entries.map { "\($0.notice.id) \($0.sink)" } == ["n line", "n crew", "n-\(anna.text) crew"])
    #expect(entries.map(\.notice.person) == [nil, nil, anna])
    let told = try #require(try await store.history(HistoryQuery()).first)
    #expect(told.noticeID == "n" && told.people == [anna] && told.personalNoticeIDs == ["n-\(anna.text)"])
    #expect(try await store.lastRuns(notAfter: nil)[job.id]?.noticeID == "n")
  }

  @Test(arguments: Engine.all)
  func `subscribers of server notices get personal copies through sinks for personal notices`(engine: Engine)
    async throws
  {
    let store = try engine.open(folder.path, now)
    let (team, other) = (try await addTeam(store), try await addTeam(store, "other"))
    let anna = PersonKey.technician(try #require(try await store.technicians(of: team.id).first).id)
    _ = try await store.changePerson(anna, of: team.id) {
      $0.addresses[.mail] = "anna@example.com"
      $0.person.wants = [.route, .operator]
    }
    // A person without the subscription or without an address gets nothing.
    _ = try await store.changePerson(.office(team.id), of: team.id) { $0.addresses[.ntfy] = "desert-office" }
    _ = try await store.changePerson(.office(other.id), of: other.id) { $0.person.wants = [.operator] }
    let line = SinkRoute(sink: "line")
    let crew = SinkRoute(sink: "crew", takesPersonal: true)
    let own = SinkRoute(sink: "own", teams: ["desert-blue"], takesPersonal: true)
    func notify(_ sink: String, _ routes: [SinkRoute]) async throws -> (sinks: [String], told: [OutboxEntry]) {
      let notice = OperatorNotice.sinkSick(sink: sink, trouble: "it is gone").notice(at: now, install: "x")
      let sinks = try await store.notify(notice, routes: routes, now: now)
      let entries = try await store.outbox(OutboxQuery()).reversed().filter { $0.notice.id.hasPrefix(notice.id) }
      return (sinks, Array(entries))
    }
    let first = try await notify("a", [line, crew, own])
    #expect(first.sinks == ["line", "crew", "own"])
    #expect(first.told.map(\.sink) == ["line", "crew", "crew", "own"])
    #expect(first.told.map(\.notice.person) == [nil, nil, anna, anna])
    let notice = try #require(first.told.last?.notice)
    #expect(notice.id == "\(first.told[0].notice.id)-\(anna.text)" && notice.teamID == nil)
    #expect(notice.job == "operator" && notice.jobID == nil && notice.body == first.told[0].notice.body)
    // The same notice again changes nothing.
    #expect(try await notify("a", [line, crew, own]).told.count == 4)
    // A sink for personal notices alone is enough; a sink without them notifies only the operator.
    let second = try await notify("b", [own])
    #expect(second.sinks == ["own"] && second.told.map(\.notice.person) == [anna])
    #expect(try await notify("c", [line]).told.map(\.notice.person) == [nil])
    // A personal notice or a team's notice is not copied to subscribers.
    _ = try await store.notify(notice.own(of: .office(team.id), team: team.name), routes: [crew], now: now)
    let all = try await store.outbox(OutboxQuery())
    #expect(all.count { $0.notice.person == anna } == 3 && all.count { $0.notice.person == .office(team.id) } == 1)
    // A team's failure is announced in the same way.
    try await store.setTeamFailures([other.id: "no"], with: "backup", now: now)
    #expect(try await store.notifyTeamFailures(routes: [own], now: now) == ["own"])
    #expect(try await store.notifyTeamFailures(routes: [own], now: now.advanced(by: .hours(1))) == [])
  }

  @Test(arguments: [
    ("addresses = 'mail maria'", "…"), ("addresses = 'fax 1'", "…"), ("quiet = 'always'", "always"),
    ("wants = 'gossip'", "gossip"),
  ])
  func `an error about an invalid person row contains no address`(change: String, shown: String) async throws {
    let store = try Engine.all[0].store(folder.path, now)
    let team = try await addTeam(store)
    _ = try await store.changePerson(.office(team.id), of: team.id) { $0.addresses[.mail] = "maria@example.com" }
    try Engine.all[0].connection(folder.path).execute(
      "UPDATE people SET \(change)", operation: "prepare the test")
    let error = await #expect(throws: StoreError.self) { try await store.people(of: team.id) }
    guard case .damaged("people", _, let value) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(value == shown)
  }

  @Test(arguments: Engine.all)
  func `a notice of an unreadable person goes to no address`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let notices = ["anna", "ben"].enumerated().map { number, name in
      let told = now.advanced(by: .seconds(number))
      return OperatorNotice.test(sink: "drop", by: name).notice(at: told, install: "i")
    }
    for notice in notices {
      _ = try await store.notify(notice, routes: [SinkRoute(sink: "drop")], now: notice.createdAt)
    }
    try engine.connection(folder.path).run(
      "UPDATE notices SET person = 'x1' WHERE notice_id = ?", .text(notices[0].id))
    // Other notices are still delivered, and the lane gets the reason for the dead letter.
    let due = try await store.dueEntries(sink: "drop", now: now.advanced(by: .hours(1)), limit: 9)
    let listed = try await store.outbox(OutboxQuery())
    #expect(due == listed.reversed())
    #expect(due.map(\.notice.id) == notices.map(\.id) && due[1].notice == notices[1])
    #expect(due.map(\.damage) == [due[0].lastError, nil])
    #expect(due[0].damage?.contains("notices.person = 'x1'") == true)
    let words = [due[0].notice.title, due[0].notice.body] + due[0].notice.lines
    #expect(!words.joined().contains("anna") && due[0].notice.dataJSON.isEmpty)
    #expect(try await store.outboxDepth() == [.pending: 2])
  }
}
