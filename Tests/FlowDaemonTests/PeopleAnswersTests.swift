import FlowControl
import FlowModel
import FlowNodes
import FlowNotices
import FlowStore
import FlowTestKit
import PoolControl
import Testing

import FlowServices
import Trades
@testable import FlowAnswers
@testable import FlowDaemon
@testable import FlowDelivery
@testable import PoolServices

/// Technicians and their addresses through the services: accepted values, and refusals that never quote an address.
struct PeopleAnswersTests {
  private let team = ServiceFixture.team

  private func changes(_ pairs: [(String, String)]) -> [SettingChangeView] {
    pairs.map { SettingChangeView(key: $0.0, value: $0.1) }
  }

  @discardableResult
  private func add(
    _ name: String, _ pairs: (String, String)..., to fixture: ServiceFixture
  ) async throws -> PeopleCall.Known {
    try await fixture.services.people.add(
      PeopleCall.Add(name: name, team: team, changes: changes(pairs)), fixture.caller)
  }

  @discardableResult
  private func set(_ name: String, _ pairs: (String, String)..., in fixture: ServiceFixture) async throws -> PersonView
  {
    try await fixture.services.people.change(
      PeopleCall.Change(name: name, team: team, changes: changes(pairs)), fixture.caller
    ).person
  }

  private func list(_ fixture: ServiceFixture, reveal: Bool = false) async throws -> [PersonView] {
    try await fixture.services.people.list(PeopleCall.List(team: team, reveal: reveal), fixture.caller).people
  }

  @Test func `a technician is added, changed, listed and removed; addresses need reveal`()
    async throws
  {
    let fixture = try await ServiceFixture(settings: "[Sink crew]\nType = file-drop\nSensitive = yes\n")
    let known = try await list(fixture).map(\.name)
    #expect(known.first == team)
    let added = try await add(
      "Nora", ("mail", "nora@example.com"), ("quiet", "22:00-06:00"), ("language", "es"), to: fixture)
    #expect(added.sinks == ["crew"] && added.person.wants == ["route"] && !added.person.isOffice)
    #expect(added.person.reach.map(\.channel) == ["mail"] && added.person.reach.allSatisfy { $0.address == nil })
    let set = try await set(
      "nora", ("mail", "none"), ("ntfy", "route-nora"), ("language", ""), ("wants", "route,reminders"), in: fixture)
    #expect(set.reach.map(\.channel) == ["ntfy"] && set.language == nil && set.wants == ["route", "reminders"])
    let office = try await self.set("Office", ("slack", "crew"), in: fixture)
    #expect(office.isOffice && office.wants.count == 4)
    #expect(try await list(fixture).map(\.name) == ["office"] + known + ["Nora"])
    #expect(try await list(fixture).flatMap(\.reach).allSatisfy { $0.address == nil })
    #expect(try await list(fixture, reveal: true).flatMap(\.reach).compactMap(\.address) == ["crew", "route-nora"])
    for name in ["Nora", "office"] {
      _ = try await fixture.services.people.remove(PeopleCall.Remove(name: name, team: team), fixture.caller)
    }
    #expect(try await list(fixture).map(\.name) == known)
  }

  /// The members of events that a sensitive sink writes.
  private func attachments(_ fixture: ServiceFixture) -> DigestAttachments {
    DigestAttachments(
      sensitive: fixture.store, trades: .every, zones: fixture.context.zones, clock: fixture.clock, jobs: .all,
      digestCache: DigestCache(trades: .every))
  }

  @Test func `a personal notice keeps its recipient after the technician is removed`() async throws {
    let fixture = try await ServiceFixture(settings: "[Sink crew]\nType = file-drop\nSensitive = yes\n")
    try await add("Nora", ("mail", "nora@example.com"), to: fixture)
    let team = try #require(try await fixture.store.teams().first)
    let nora = try #require(try await fixture.store.technicians(of: team.id).first { $0.name == "Nora" })
    func recipient() async throws -> String {
      let notice = Notice(
        id: "n", teamID: team.id, teamName: team.name, jobID: nil, job: "morning-summary", slot: ServiceFixture.monday,
        identifier: "", title: "", body: "", lines: [], dataJSON: "", lateness: .zero,
        createdAt: ServiceFixture.monday, expiresAt: nil, person: .technician(nora.id))
      let attachments = try await attachments(fixture).attachments(of: notice)
      return try #require(attachments.sensitive.first { $0.key == "recipient" }?.json)
    }
    let key = PersonKey.technician(nora.id).word
    #expect(try await recipient().contains("nora@example.com"))
    _ = try await fixture.services.people.remove(PeopleCall.Remove(name: "Nora", team: self.team), fixture.caller)
    let left = try await recipient()
    #expect(left.contains(#""addresses":[]"#) && left.contains("\"key\":\"\(key)\""), "\(left)")
  }

  @Test func `operator notices reach subscribed technicians through sensitive sinks only`()
    async throws
  {
    let fixture = try await ServiceFixture(
      settings: "[Sink crew]\nType = file-drop\nSensitive = yes\n[Sink line]\nType = stdout\n")
    try await add("Nora", ("mail", "nora@example.com"), ("wants", "operator"), ("language", "es"), to: fixture)
    let office = try await set("office", ("mail", "office@example.com"), in: fixture)
    #expect(office.wants == ["route", "low-stock", "week", "reminders"])
    let now = fixture.clock.now()
    try await fixture.work.notices.notify(.backupFailed(reason: "No space"), now: now)
    try await fixture.work.notices.sendOnce(.backupFailed(reason: "No space"), now: now.advanced(by: .hours(1)))
    let entries = try await fixture.store.outbox(OutboxQuery()).reversed().filter { $0.notice.job == "operator" }
    #expect(
      entries.map(\.sink) == ["crew", "line", "crew"]
        && entries.map { $0.notice.person != nil } == [false, false, true])
    let own = try #require(entries.last?.notice)
    let shown = try await fixture.services.outbox.show(OutboxCall.Show(noticeId: own.id), fixture.caller)
    #expect(shown.notice.recipient == "Nora" && shown.notice.title == "The nightly backup failed")
    let attachments = attachments(fixture)
    func recipient(_ notice: Notice) async throws -> String? {
      try await attachments.attachments(of: notice).sensitive.first { $0.key == "recipient" }?.json
    }
    #expect(try await recipient(own)?.contains("nora@example.com") == true)
    #expect(try await recipient(try #require(entries.first?.notice)) == nil)
  }

  @Test func `invalid technician data is refused without quoting an address`() async throws {
    let fixture = try await ServiceFixture()
    try await add("Nora", ("mail", "nora@example.com"), to: fixture)
    let before = try fixture.marks()
    let bad: [(values: [(String, String)], parts: [String])] = [
      ([("mail", "secret word")], ["mail cannot be '…'", "one @"]),
      ([("ntfy", "secret/word")], ["1 to 64 ASCII letters"]),
      ([("telegram", "secret")], ["a chat's number"]), ([("matrix", "secret")], ["!room:example.com"]),
      ([("webhook", "https://secret.example")], ["the secret URL is in post.conf"]),
      ([("slack", "a secret")], ["channel of poolflow-post"]),
      ([("quiet", "22-6")], ["quiet cannot be '22-6'", "22:00-06:00"]), ([("wants", "gossip")], ["it is one of route"]),
      ([("language", "klingon")], ["it is one of en"]), ([("phone", "1")], ["mail, ntfy"]),
      ([("mail", "a@b.c"), ("mail", "secret@b.c")], ["named twice"]), ([], ["at least one of"]),
      ([("mail", "fine@example.com"), ("ntfy", "secret/word")], ["ntfy cannot be"]),
    ]
    for (values, parts) in bad {
      let error = await #expect(throws: ControlError.self) {
        try await fixture.services.people.change(
          PeopleCall.Change(name: "Nora", team: team, changes: changes(values)), fixture.caller)
      }
      let message = error?.message ?? ""
      #expect(parts.allSatisfy(message.contains), "\(message)")
      let told = message + (error?.facts.values.joined() ?? "")
      #expect(!told.replacing("the secret URL is in post.conf", with: "").contains("secret"), "\(told)")
    }
    #expect(try fixture.marks() == before)
  }

  @Test func `a technician with pools cannot be removed; the refusal names the remedy`() async throws {
    let fixture = try await ServiceFixture()
    func refusal(_ name: String) async -> String {
      await #expect(throws: ControlError.self) {
        try await fixture.services.people.remove(PeopleCall.Remove(name: name, team: team), fixture.caller)
      }?.message ?? ""
    }
    #expect(await refusal(team).contains("who cannot be removed"))
    #expect(await refusal("unknown").contains("has no technician 'unknown'"))
    for name in ["Nora", "NORA", "office", " "] {
      if name == "Nora" {
        try await add(name, to: fixture)
      } else {
        await #expect(throws: ControlError.self) { try await add(name, to: fixture) }
      }
    }
    let pools = try await fixture.poolService.pools.list(
      PoolsCall.List(team: team), fixture.caller
    ).pools
    _ = try await fixture.poolService.field.setProfile(
      FieldCall.SetProfile(
        team: team, pool: try #require(pools.first).id, changes: changes([("tags", "tech:nora")])), fixture.caller)
    #expect(await refusal("nora").contains("services a pool; `pfctl pool list --team \(team) --technician Nora`"))
    try await add("Sean O'Brien", to: fixture)
    _ = try await fixture.poolService.field.setProfile(
      FieldCall.SetProfile(
        team: team, pool: try #require(pools.first).id, changes: changes([("tags", "tech:Sean O'Brien")])),
      fixture.caller
    )
    #expect(await refusal("Sean O'Brien").contains(#"--technician 'Sean O'\''Brien'` shows them"#))
  }

  @Test func `no technician can be named 'office' or 'all'`() async throws {
    let fixture = try await ServiceFixture()
    let pools = try await fixture.poolService.pools.list(PoolsCall.List(team: team), fixture.caller).pools
    let pool = try #require(pools.first)
    let known = try await list(fixture).map(\.name)
    let before = try fixture.marks()
    for (name, part) in [
      ("office", "the team's office"), ("Office", "the team's office"), ("ALL", "all means the whole team"),
    ] {
      await fixture.refuses(64, saying: "name cannot be", part) { _ = try await add(name, to: fixture) }
      await fixture.refuses(64, saying: "tags cannot be", part) {
        _ = try await fixture.poolService.field.setPool(
          FieldCall.SetPool(team: team, pool: pool.id, changes: changes([("tags", "vip,tech:\(name)")])), fixture.caller
        )
      }
      await fixture.refuses(64, saying: "tags cannot be", part) {
        _ = try await fixture.poolService.field.setProfile(
          FieldCall.SetProfile(team: team, pool: pool.id, changes: changes([("tags", "tech:\(name)")])), fixture.caller)
      }
      await fixture.refuses(64, saying: "technician cannot be", part) {
        _ = try await fixture.upload([], as: "customers.csv", technician: name)
      }
    }
    #expect(try fixture.marks() == before)
    let file = "customer_name,address,technician\nUte,Ring 4,office\n"
    let report = try await fixture.importFile(Array(file.utf8), as: "customers.csv")
    #expect(report.issues.map(\.field) == ["technician"] && report.creates == 1)
    #expect(try await list(fixture).map(\.name) == known)
  }

  @Test func `an existing technician with the reserved name 'all' keeps working`() async throws {
    let fixture = try await ServiceFixture()
    let id = try #require(try await fixture.store.teams().first).id
    _ = try await fixture.store.addTechnician("all", to: id) { key, _ in KnownPerson(Person(key: key, wants: [])) }
    let pools = try await fixture.poolService.pools.list(PoolsCall.List(team: team), fixture.caller).pools
    _ = try await fixture.poolService.field.setPool(
      FieldCall.SetPool(
        team: team, pool: try #require(pools.first).id, changes: changes([("tags", "tech:all")])), fixture.caller)
    #expect(try await list(fixture).first { $0.name == "all" }?.pools == 1)
    #expect(try await set("all", ("mail", "all@example.com"), in: fixture).reach.map(\.channel) == ["mail"])
  }

  @Test func `technician test names its sinks or the missing part`() async throws {
    func refusal(_ fixture: ServiceFixture) async -> String {
      await #expect(throws: ControlError.self) {
        try await fixture.services.people.test(PeopleCall.Test(name: "office", team: team), fixture.caller)
      }?.message ?? ""
    }
    let deaf = try await ServiceFixture(settings: "[Sink line]\nType = stdout\n")
    #expect(await refusal(deaf).contains("there is no address for the office"))
    try await add("Ann Lee", to: deaf)
    let unreachable = await #expect(throws: ControlError.self) {
      try await deaf.services.people.test(PeopleCall.Test(name: "Ann Lee", team: team), deaf.caller)
    }
    #expect(unreachable?.message.contains("`pfctl technician set 'Ann Lee' --team \(team) --mail") == true)
    try await set("office", ("mail", "office@example.com"), in: deaf)
    #expect(await refusal(deaf).contains("no sink delivers personal notices"))
    let fixture = try await ServiceFixture(
      settings: "[Sink crew]\nType = file-drop\nSensitive = yes\n[Sink line]\nType = stdout\n")
    try await set("office", ("mail", "office@example.com"), ("language", "de"), in: fixture)
    let reply = try await fixture.services.people.test(PeopleCall.Test(name: "office", team: team), fixture.caller)
    #expect(reply.sinks == ["crew"])
    let shown = try await fixture.services.outbox.show(OutboxCall.Show(noticeId: reply.noticeId), fixture.caller)
    #expect(shown.entries.map(\.sink) == ["crew"] && shown.notice.recipient == "office")
    #expect(shown.notice.body.contains("Routen für desert-blue kommen"))
  }
}
