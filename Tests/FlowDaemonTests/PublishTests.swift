import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FlowStore
import FlowTestKit
import Foundation
import PoolControl
import PoolDigests
import PoolModel
import PoolStore
import Testing
import Trades

@testable import FlowAnswers
@testable import FlowDaemon
@testable import FlowServices
@testable import PoolServices

/// Contents of published pages at a given time, from the demo's records, and their secret folder names.
struct PublishTests {
  private static let settings = "[Sink web]\nType=publish\nDirectory=/srv/www\nBaseURL=https://routes.example.net\n"

  private func sites(_ fixture: ServiceFixture, publishedTeams: Set<String>? = nil, isSensitive: Bool = false)
    -> TeamSites
  {
    TeamSites(
      store: fixture.store, trades: .every, published: fixture.context.published, zones: fixture.context.zones,
      clock: fixture.clock, publishedTeams: publishedTeams, isSensitive: isSensitive)
  }

  /// A technician's files at a time, by name; the office's without a technician.
  private func files(
    _ fixture: ServiceFixture, at now: String? = nil, of technician: String? = nil, team: Int64 = 1,
    isSensitive: Bool = false
  ) async throws -> [String: String] {
    if let now { fixture.clock.set(try #require(Timestamp(rfc3339: now))) }
    let pages = try await sites(fixture, isSensitive: isSensitive).pages(of: TeamID(team))
    let owner = try await fixture.store.technicians(of: TeamID(team)).first { $0.name == technician }
    let name = try await fixture.context.published.given(to: TeamID(team))[owner.map { .technician($0.id) } ?? .office]
    let own = try #require(pages.first { $0.name == name })
    return own.files.mapValues { String(decoding: $0, as: UTF8.self) }
  }

  private func title(_ page: String?) -> String {
    page?.firstMatch(of: /<h1>(.*?)<\/h1>/).map { String($0.1) } ?? ""
  }

  private func events(_ feed: String?) -> [[String]] {
    (feed ?? "").replacing("\r\n ", with: "").components(separatedBy: "BEGIN:VEVENT\r\n").dropFirst().map {
      $0.components(separatedBy: "\r\n")
    }
  }

  private func off(_ fixture: ServiceFixture, _ days: String, technician: String? = nil, note: String? = nil)
    async throws
  {
    _ = try await fixture.services.daysOff.add(
      DaysOffCall.Add(
        days: days, team: ServiceFixture.team, technician: technician, note: note, dryRun: false), fixture.caller)
  }

  @Test func `today's page shows the team's own date from its midnight on`() async throws {
    let fixture = try await ServiceFixture()
    // Phoenix is seven hours behind UTC, all year.
    let late = try await files(fixture, at: "2026-03-03T06:59:59Z", of: "maria")
    #expect(title(late["today.html"]).contains("Monday, March 2"))
    #expect(title(late["tomorrow.html"]).contains("Tuesday, March 3"))
    let early = try await files(fixture, at: "2026-03-03T07:00:00Z", of: "maria")
    #expect(title(early["today.html"]).contains("Tuesday, March 3"))
    #expect(title(early["week.html"]).contains("Tuesday, March 3") && title(early["index.html"]).contains("March 3"))
    let versions = try await sites(fixture).pageVersions()
    fixture.clock.set(try #require(Timestamp(rfc3339: "2026-03-03T06:59:59Z")))
    #expect(try await sites(fixture).pageVersions() != versions)
  }

  @Test func `tomorrow's page has the frost and the rain of the evening before`() async throws {
    let fixture = try await ServiceFixture()
    let now = fixture.clock.now()
    func preview(_ isOn: Bool) async throws {
      _ = try await fixture.store.changeTeam(
        named: ServiceFixture.team, now: now, change: { $0.settings.eveningPreview = isOn }, plan: { _ in [] })
    }
    try await preview(true)
    let hours = (0..<60).map { hour in
      ForecastHour(
        start: ServiceFixture.monday.advanced(by: .hours(hour)), air: (18..<23).contains(hour) ? -2 : 8,
        rain: (26..<32).contains(hour) ? 3 : 0)
    }
    _ = try await fixture.store.importForecast(
      Forecast(source: .csv, place: "", issuedAt: now, hours: hours), digest: "a", to: TeamID(1), now: now)
    let office = try await files(fixture, at: "2026-03-02T18:00:00Z")
    let maria = try await files(fixture, of: "maria")
    for page in [office, maria] {
      #expect(page["tomorrow.html"]?.contains("Freeze warning: down to 28") == true)
      #expect(page["today.html"]?.contains("Freeze warning") == false)
    }
    #expect(office["tomorrow.html"]?.contains("pfctl day move 2026-03-03 --to 2026-03-04") == true)
    #expect(maria["tomorrow.html"]?.contains("pfctl day move") == false)
    // Without the preview, no evening warns.
    try await preview(false)
    #expect(try await files(fixture, of: "maria")["tomorrow.html"]?.contains("Freeze warning") == false)
  }

  @Test func `a technician's week names the stops that were moved`() async throws {
    let fixture = try await ServiceFixture()
    _ = try await fixture.poolService.field.moveStop(
      FieldCall.MoveStop(
        team: ServiceFixture.team, pool: "Steve Baird", from: "2026-03-09", to: "2026-03-10", reason: "rain"),
      fixture.caller)
    let week = try await files(fixture, at: "2026-03-04T18:00:00Z", of: "maria")["week.html"] ?? ""
    #expect(week.contains(/Steve Baird, [^<]* · Moved from Monday: rain/), "\(week)")
  }

  @Test func `a day without a route gives the reason`() async throws {
    let fixture = try await ServiceFixture()
    // The demo has no stops on Sundays.
    let sunday = try await files(fixture, at: "2026-03-08T18:00:00Z", of: "maria")
    #expect(title(sunday["today.html"]).contains("Sunday, March 8"))
    #expect(sunday["today.html"]?.contains("There is no route on this day.") == true)
    #expect(sunday["today.html"]?.contains("class=\"ap\"") == false)
    try await off(fixture, "2026-03-09", note: "Founders <Day>")
    try await off(fixture, "2026-03-10", technician: "maria")
    let closed = try await files(fixture, at: "2026-03-09T18:00:00Z", of: "dan")
    #expect(closed["today.html"]?.contains("The team is closed on this day. Founders &lt;Day&gt;") == true)
    let away = try await files(fixture, of: "maria")
    #expect(away["tomorrow.html"]?.contains("maria is away") == true && closed["tomorrow.html"]?.contains("ap") == true)
    let office = try await files(fixture, at: "2026-03-10T18:00:00Z")
    #expect(office["index.html"]?.contains("maria is away, 8 stops unassigned") == true)
    // The calendar has neither the closed day nor the absent technician's day.
    let feed = events(try await files(fixture, at: "2026-03-08T18:00:00Z", of: "maria")["route.ics"])
    #expect(
      !feed.contains { event in event.contains { $0.hasPrefix("DTSTART:20260309") || $0.hasPrefix("DTSTART:20260310") }
      })
    #expect(feed.contains { event in event.contains { $0.hasPrefix("DTSTART:20260311") } })
    // With closed=ignore the team works on closed days, and the route is shown.
    _ = try await fixture.services.jobs.set(
      JobsCall.Set(
        job: "morning-summary", team: ServiceFixture.team, changes: [JobChangeView(key: "closed", value: "ignore")],
        dryRun: false),
      fixture.caller)
    let open = try await files(fixture, at: "2026-03-09T18:00:00Z", of: "dan")
    #expect(open["today.html"]?.contains("class=\"ap\"") == true)
  }

  @Test func `the calendar feed covers two weeks with stable UIDs and bytes`() async throws {
    let fixture = try await ServiceFixture()
    let morning = try await files(fixture, at: "2026-03-02T13:00:00Z", of: "dan")
    let evening = try await files(fixture, at: "2026-03-03T05:00:00Z", of: "dan")
    // The time at which a page was made is its only difference.
    func untimed(_ files: [String: String]) -> [String: String] {
      files.mapValues { $0.replacing(/<time>.*?<\/time>/, with: "") }
    }
    #expect(untimed(morning) == untimed(evening) && morning["route.ics"] == evening["route.ics"])
    let today = events(morning["route.ics"])
    let tomorrow = events(try await files(fixture, at: "2026-03-03T15:00:00Z", of: "dan")["route.ics"])
    func uids(_ events: [[String]]) -> Set<String> { Set(events.flatMap { $0.filter { $0.hasPrefix("UID:") } }) }
    #expect(uids(today).count == today.count && uids(tomorrow).count == tomorrow.count, "\(today) \(tomorrow)")
    let days = Set(
      today.flatMap { $0.compactMap { $0.firstMatch(of: /^DTSTART;VALUE=DATE:(.*)$/).map { String($0.1) } } })
    #expect(days.min() == "20260302" && days.max() == "20260313" && days.count == 10)
    // The first day's events are gone, and only the fourteenth day's are new.
    let gone = uids(today).subtracting(uids(tomorrow))
    #expect(!gone.isEmpty && gone.allSatisfy { $0.contains("2026-03-02") })
    #expect(uids(tomorrow).subtracting(uids(today)).allSatisfy { $0.contains("2026-03-16") })
    for line in try #require(morning["route.ics"]).components(separatedBy: "\r\n") { #expect(line.utf8.count <= 75) }
  }

  @Test func `notified routes of past days stay in the feed`() async throws {
    let fixture = try await ServiceFixture(at: try #require(Timestamp(rfc3339: "2026-03-02T14:30:00Z")))
    _ = try await fixture.services.scheduler.run(
      SchedulerCall.Run(job: "morning-summary", team: ServiceFixture.team, wait: false), fixture.caller, nil)
    let later = events(try await files(fixture, at: "2026-03-10T15:00:00Z", of: "dan")["route.ics"])
    let told = try #require(later.first { $0.contains("DTSTART;VALUE=DATE:20260302") })
    #expect(told.contains("SUMMARY:Route: 8 stops") && told.contains { $0.hasPrefix("DESCRIPTION:1. ") })
    let past = events(try await files(fixture, at: "2026-03-17T15:00:00Z", of: "dan")["route.ics"])
    #expect(!past.contains { $0.contains("DTSTART;VALUE=DATE:20260302") })
  }

  @Test func `a folder's pages link to each other, say when they were made, and can be put on a home screen`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let files = try await files(fixture, at: "2026-03-02T15:04:00Z", of: "maria")
    let pages = ["index.html", "today.html", "tomorrow.html", "week.html"]
    #expect(files.keys.sorted() == ["app.webmanifest", "icon.png", "index.html", "route.ics"] + pages.dropFirst())
    for name in pages {
      let page = try #require(files[name])
      for other in pages {
        let mark = other == name ? " aria-current=\"page\"" : ""
        #expect(page.contains("<a href=\"\(other)\"\(mark)>"), "\(name): \(other)")
      }
      #expect(page.contains(/Made <time>[^<]*8:04\u{202F}AM<\/time>\./), "\(name)")
      #expect(page.contains("<link rel=\"manifest\" href=\"app.webmanifest\"") && page.contains("manifest-src 'self'"))
      #expect(!page.contains("<script") && PageSignature.isAt(Array(page.utf8)))
    }
    let manifest = try #require(files["app.webmanifest"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(manifest.utf8)) as? [String: Any])
    #expect(object["start_url"] as? String == "today.html" && object["name"] as? String == "Today's Route")
    let icon = try #require((object["icons"] as? [[String: String]])?.first)
    #expect(icon["src"] == "icon.png" && icon["sizes"] == "512x512")
    // Width and height in the header of the PNG.
    let sites = try await sites(fixture).pages(of: TeamID(1))
    for site in sites {
      let png = try #require(site.files["icon.png"])
      #expect(Array(png[16..<24]) == [0, 0, 2, 0, 0, 0, 2, 0] && PageSignature.isAt(png))
      let manifest = try #require(site.files["app.webmanifest"])
      #expect(PageSignature.isAt(manifest))
    }
  }

  @Test func `an event names the published page of its recipient`() async throws {
    let fixture = try await ServiceFixture(settings: Self.settings)
    _ = try await sites(fixture).pages(of: TeamID(1))
    let names = try await fixture.context.published.given(to: TeamID(1))
    let maria = try #require(try await fixture.store.technicians(of: TeamID(1)).first { $0.name == "maria" })
    func page(_ person: PersonKey?, _ identifier: String, teams: Set<String>? = nil) async throws -> String? {
      var sink = Settings.SinkSettings(name: "web", kind: .publish)
      (sink.baseURL, sink.teams) = ("https://routes.example.net", teams)
      let addresses = PublishedAddresses(names: fixture.context.published, trades: .every, sinks: [sink])
      let notice = Notice(
        id: "n", teamID: TeamID(1), teamName: ServiceFixture.team, jobID: nil, job: "morning-summary",
        slot: ServiceFixture.monday, identifier: identifier, title: "", body: "", lines: [], dataJSON: "",
        lateness: .zero, createdAt: ServiceFixture.monday, expiresAt: nil, person: person)
      return await addresses.page(of: notice)?.url
    }
    let base = "https://routes.example.net/p/"
    let (own, office) = (try #require(names[.technician(maria.id)]), try #require(names[.office]))
    #expect(try await page(.technician(maria.id), NoticeIdentifier.morning(.monday)) == "\(base)\(own)/today.html")
    #expect(try await page(.office(TeamID(1)), NoticeIdentifier.preview(.monday)) == "\(base)\(office)/tomorrow.html")
    #expect(try await page(nil, NoticeIdentifier.week) == "\(base)\(office)/week.html")
    #expect(try await page(nil, NoticeIdentifier.trial) == nil)
    #expect(try await page(.customer(TeamID(1)), NoticeIdentifier.morning(.monday)) == nil)
    #expect(try await page(nil, NoticeIdentifier.week, teams: ["other"]) == nil)
    #expect(try await page(.technician(TechnicianID(99)), NoticeIdentifier.week) == nil)
  }

  @Test(arguments: [
    // Midnight does not exist on that day.
    ("America/Santiago", "2026-09-06T03:59:59Z", "2026-09-05"),
    ("America/Santiago", "2026-09-06T04:00:00Z", "2026-09-06"),
    // Midnight occurs twice.
    ("America/Santiago", "2026-04-05T02:59:59Z", "2026-04-04"),
    ("America/Santiago", "2026-04-05T03:30:00Z", "2026-04-04"),
    ("America/Santiago", "2026-04-05T04:00:00Z", "2026-04-05"),
    ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29"),
    ("Pacific/Kiritimati", "2026-03-02T10:00:00Z", "2026-03-03"),
    ("Pacific/Pago_Pago", "2026-03-02T10:59:59Z", "2026-03-01"),
  ])
  func `the page's date follows the team's zone, even at clock changes`(zone: String, now: String, day: String)
    async throws
  {
    let fixture = try await ServiceFixture(at: try #require(Timestamp(rfc3339: now)), demo: false)
    try await fixture.addTeam("away", zone: zone)
    let date = try #require(CivilDate(day))
    #expect(try await sites(fixture).pageVersions()[TeamID(1)]?.hasPrefix(day + " ") == true)
    #expect(title(try await files(fixture)["today.html"]).hasSuffix(DateFormats(.english).day(date)))
  }

  @Test func `pages of a sink that is not sensitive contain no private data or money`() async throws {
    let fixture = try await ServiceFixture()
    let pools = try await fixture.store.allPools(of: TeamID(1))
    let access = try await fixture.store.access(to: pools.map(\.id), team: TeamID(1))
    let secrets = Set(access.flatMap { [$0.gate, $0.phone, $0.email, $0.notes] }.filter { $0.count > 5 })
    #expect(secrets.count > 100)
    for isSensitive in [false, true] {
      var found = 0
      for files in try await sites(fixture, isSensitive: isSensitive).pages(of: TeamID(1)).map(\.files) {
        for (name, bytes) in files {
          let text = String(decoding: bytes, as: UTF8.self)
          let here = secrets.count { text.contains($0) }
          found += here
          #expect(here == 0 || isSensitive && ["today.html", "tomorrow.html"].contains(name), "\(name)")
          #expect(!text.contains(/\$[0-9]/), "\(name)")
          if name.hasSuffix("html") {
            #expect(text.contains("noindex,nofollow,noarchive") && text.contains("content=\"no-referrer\""))
          }
        }
      }
      #expect((found > 0) == isSensitive)
    }
  }

  @Test func `the office page lists routes, low stock, missed days and all pages`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let page = try #require(try await files(fixture, at: "2026-03-02T15:00:00Z")["index.html"])
    let names = try await fixture.context.published.given(to: TeamID(1))
    for technician in try await fixture.store.technicians(of: TeamID(1)) {
      #expect(page.contains("href=\"../\(try #require(names[.technician(technician.id)]))/index.html\""))
    }
    for words in [
      "maria: 8\u{A0}stops · 8:00\u{A0}–\u{A0}", "Low stock", "Liquid Chlorine", "Service days without a visit",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    // Ten days without visits: a service day counts as missed once no nearby visit can replace it.
    let later = try #require(try await files(fixture, at: "2026-03-12T15:00:00Z")["index.html"])
    #expect(later.contains("Mon, Mar 2: ") && !later.contains("Mon, Mar 9: "))
  }

  @Test func `secret names stay until rotated and are stored in a private file`() async throws {
    let fixture = try await ServiceFixture(settings: Self.settings)
    let publish = fixture.services.publish
    #expect(try await publish.list(PublishCall.List(), fixture.caller).published.allSatisfy { $0.name == nil })
    _ = try await sites(fixture).pages(of: TeamID(1))
    let before = try await publish.list(PublishCall.List(team: ServiceFixture.team), fixture.caller).published
    #expect(before.map(\.technician) == [nil, "desert-blue", "dan", "keisha", "maria"])
    for one in before {
      let name = try #require(one.name)
      #expect(SecretName.isSecretName(name) && one.address == "https://routes.example.net/p/\(name)/")
      #expect(one.calendar == "https://routes.example.net/p/\(name)/route.ics")
    }
    #expect(Set(before.compactMap(\.name)).count == before.count)
    #expect(fixture.scratch.mode("state/published-names") == 0o600)
    // A new process reads the same names.
    let again = PublishedNamesFile(path: fixture.context.paths.publishedNames)
    #expect(Set(try await again.given(to: TeamID(1)).values) == Set(before.compactMap(\.name)))

    let versions = try await sites(fixture).pageVersions()
    let one = try await publish.rotate(
      PublishCall.Rotate(team: ServiceFixture.team, technician: "MARIA"), fixture.caller)
    #expect(one.published.map(\.technician) == ["maria"] && one.troubles == [])
    let after = try await publish.list(PublishCall.List(), fixture.caller).published
    #expect(zip(before, after).map { $0.0.name == $0.1.name } == [true, true, true, true, false])
    // The office's page links to the new name.
    #expect(try await sites(fixture).pageVersions() != versions)
    _ = try await publish.rotate(PublishCall.Rotate(team: ServiceFixture.team), fixture.caller)
    let last = try await publish.list(PublishCall.List(), fixture.caller).published
    #expect(zip(after, last).allSatisfy { $0.0.name != $0.1.name && $0.1.name != nil })
  }

  @Test func `an impossible rotation is refused with the reason`() async throws {
    let plain = try await ServiceFixture()
    await plain.refuses(ExitCode.notFound, saying: "nothing is published: no sink", "Type=publish") {
      _ = try await plain.services.publish.rotate(PublishCall.Rotate(), plain.caller)
    }
    #expect(try await plain.services.publish.list(PublishCall.List(), plain.caller).published.isEmpty)
    let fixture = try await ServiceFixture(settings: Self.settings)
    _ = try await sites(fixture).pages(of: TeamID(1))
    let before = try await fixture.context.published.all
    await fixture.refuses(ExitCode.usage, saying: "--team") {
      _ = try await fixture.services.publish.rotate(PublishCall.Rotate(technician: "maria"), fixture.caller)
    }
    await fixture.refuses(ExitCode.notFound, saying: "'mari'", "did you mean 'maria'?") {
      _ = try await fixture.services.publish.rotate(
        PublishCall.Rotate(team: ServiceFixture.team, technician: "mari"), fixture.caller)
    }
    await fixture.refuses(ExitCode.notFound, saying: "'desert'") {
      _ = try await fixture.services.publish.list(PublishCall.List(team: "desert"), fixture.caller)
    }
    #expect(try await fixture.context.published.all == before)
  }

  @Test func `an invalid file of names is reported and not replaced`() async throws {
    let fixture = try await ServiceFixture(settings: Self.settings)
    let path = fixture.context.paths.publishedNames
    try PrivateFiles.write(path, Array("1 office secretsecret\n".utf8))
    await fixture.refuses(ExitCode.inputOutput, saying: "line 1", "put the file back") {
      _ = try await fixture.services.publish.list(PublishCall.List(), fixture.caller)
    }
    await #expect(throws: PublishedNamesFile.Fault.self) { try await sites(fixture).pages(of: TeamID(1)) }
    #expect(try fixture.scratch.bytes("state/published-names") == Array("1 office secretsecret\n".utf8))
  }

  @Test func `a duplicate name is reported by its line, without the name`() async throws {
    let fixture = try await ServiceFixture(settings: Self.settings)
    let name = String(repeating: "0123456789abcdef", count: 2)
    for (index, other) in ["1 2", "2 office"].enumerated() {
      let path = fixture.context.paths.publishedNames + "-\(index)"
      try PrivateFiles.write(path, Array("1 office \(name)\n\(other) \(name)\n".utf8))
      let fault = await #expect(throws: PublishedNamesFile.Fault.self) {
        _ = try await PublishedNamesFile(path: path).given(to: TeamID(1))
      }
      let words = try #require(fault.map { "\($0)" })
      #expect(words.contains("line 2 repeats the name of an earlier line") && !words.contains(name))
    }
    // Making pages fails with that error.
    try PrivateFiles.write(
      fixture.context.paths.publishedNames, Array("1 office \(name)\n1 1 \(name)\n".utf8))
    await #expect(throws: PublishedNamesFile.Fault.self) { try await sites(fixture).pages(of: TeamID(1)) }
  }

  @Test func `a call republishes its own team's pages only; a new hour all teams'`() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.addTeam("coast")
    let before = try await sites(fixture).pageVersions()
    _ = try await fixture.services.audit.audited(
      DaysOffCall.Add(days: "2026-05-01", team: "coast", dryRun: false), fixture.caller
    ) { [] }
    let after = try await sites(fixture).pageVersions()
    #expect(before[TeamID(1)] == after[TeamID(1)] && before[TeamID(2)] != after[TeamID(2)])
    _ = try await fixture.services.audit.audited(BackupCall.Prune(dryRun: false), fixture.caller) { [] }
    #expect(try await sites(fixture).pageVersions()[TeamID(1)] != after[TeamID(1)])
    let now = try await sites(fixture).pageVersions()
    fixture.clock.set(fixture.clock.now().advanced(by: .hours(1)))
    #expect(try await sites(fixture).pageVersions().allSatisfy { $0.value != now[$0.key] })
  }

  @Test func `a sink limited to some teams publishes only their pages`() async throws {
    let fixture = try await ServiceFixture(settings: Self.settings + "Teams=coast\n")
    try await fixture.addTeam("coast")
    for team in Int64(1)...2 { _ = try await sites(fixture).pages(of: TeamID(team)) }
    let coast = try await fixture.context.published.given(to: TeamID(2))
    let sites = sites(fixture, publishedTeams: ["coast"])
    #expect(try await Array(sites.pageVersions().keys) == [TeamID(2)])
    #expect(try await sites.names() == Set(coast.values))
    #expect(try await fixture.context.published.all.count == 7)
    let listed = try await fixture.services.publish.list(PublishCall.List(), fixture.caller).published
    #expect(Set(listed.map(\.team)) == ["coast"])
  }

  @Test func `with unreadable records the page says so instead of showing yesterday`() async throws {
    let fixture = try await ServiceFixture(damage: [
      "UPDATE pools SET updated_ms = 9223372036854775807 WHERE rowid = (SELECT min(rowid) FROM pools WHERE service_day = 2)"
    ])
    let pages = try await files(fixture, of: "maria")
    #expect(pages["today.html"]?.contains("This page cannot be made at the moment.") == true)
  }
}
