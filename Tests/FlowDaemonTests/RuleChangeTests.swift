import FlowCalendar
import FlowControl
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowSettings
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

import FlowServices
@testable import FlowAnswers

/// Job rules set by users.
@Suite struct RuleChangeTests {
  private static let rules = [
    "*-*-* 01:30:00", "*-*-* 02:30:00", "*-*-* *:00/20:00", "*-*-* 01:00/30:00", "Sun,Mon *-*-* 00:00:00",
    "every 2 days from 2026-03-01 02:15:00", "*-*-* 03:00:00 except 2026-03-08", "*-*-* 02:45:00 until 2026-12-31",
  ]
  private static let job = "weekly-digest"

  /// The expected slots: each from the rule that was effective at its instant.
  private struct Expected {
    private struct Span {
      let rule: CalendarRule
      let since: Timestamp
    }

    private var spans: [Span] = []
    let zone: Zone

    init(zone: Zone) { self.zone = zone }

    mutating func change(to text: String, _ policy: DaylightPolicy, at now: Timestamp) throws {
      spans.append(Span(rule: CalendarRule(try CalendarExpression(text), zone: zone, policy: policy), since: now))
    }

    func slots(until end: Timestamp) -> [Timestamp] {
      var slots: [Timestamp] = []
      for (index, span) in spans.enumerated() {
        let until = index + 1 < spans.count ? spans[index + 1].since : end
        var at = span.since
        while let next = span.rule.next(after: at)?.instant, next <= until {
          slots.append(next)
          at = next
        }
      }
      return slots
    }
  }

  /// Runs around the nights in which New York's clocks change: rules change just before, at and just after due instants, the
  /// daemon restarts between a change and a due slot, and clocks stand still or skip many slots.
  @Test(
    arguments: [
      "2026-03-07T23:30:00Z", "2026-03-08T05:40:00Z", "2026-10-31T23:30:00Z", "2026-11-01T04:40:00Z",
      "2026-06-10T03:30:00Z",
    ], [1, 2] as [UInt64])
  func `each slot has one run by the rule effective at its instant`(begin: String, seed: UInt64) async throws {
    var random = SeededNumbers(seed: seed)
    let start = try #require(Timestamp(rfc3339: begin))
    let scratch = try TemporaryFolder()
    try PrivateFiles.makeFolder(scratch.path + "/state")
    var fixture = try await ServiceFixture(in: scratch, at: start)
    try await fixture.addTeam("coast", zone: "America/New_York")
    try await fixture.scheduler.prepare()
    var expected = Expected(zone: try SystemZones().zone(named: "America/New_York"))
    var now = start
    var changes = 0
    while changes < 12 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try await fixture.store.endEpoch(at: now)
        fixture = try await ServiceFixture(in: scratch, at: now)
        try await fixture.scheduler.prepare()
      case 1: await fixture.scheduler.runDueJobs()
      default:
        let rule = try #require(Self.rules.randomElement(using: &random))
        let gap = try #require(DaylightPolicy.Gap.allCases.randomElement(using: &random))
        let fold = try #require(DaylightPolicy.Fold.allCases.randomElement(using: &random))
        let policy = DaylightPolicy(gap: gap, fold: fold)
        _ = try await fixture.services.jobs.set(
          JobsCall.Set(
            job: Self.job, team: "coast",
            changes: [("rule", rule), ("dst-gap", gap.rawValue), ("dst-fold", fold.rawValue), ("catch-up", "all 1000")]
              .map { JobChangeView(key: $0.0, value: $0.1) }, dryRun: false), fixture.caller)
        try expected.change(to: rule, policy, at: now)
        changes += 1
      }
      // Move the clock to the due instant, just past it, or past several slots.
      let coming = try await fixture.services.jobs.show(JobsCall.Show(job: Self.job, team: "coast"), fixture.caller)
      let next = coming.timing.next.first.flatMap { Timestamp(rfc3339: $0.at) }
      let distance = next.map { $0.since(now) } ?? .minutes(30)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: now = now.advanced(by: min(distance, .hours(6)))
      case 1: now = now.advanced(by: min(distance, .hours(6)) + .seconds(1))
      case 2: now = now.advanced(by: .milliseconds(Int64.random(in: 0...3_600_000, using: &random)))
      case 3: now = now.advanced(by: .minutes(95))
      default: break
      }
      fixture.clock.set(now)
    }
    now = now.advanced(by: .hours(5))
    fixture.clock.set(now)
    await fixture.scheduler.runDueJobs()
    let runs = try await fixture.store.history(HistoryQuery(kind: .weeklyDigest, limit: 10_000))
    #expect(runs.map(\.slot).sorted() == expected.slots(until: now))
    let told = runs.compactMap(\.noticeID)
    #expect(Set(told).count == told.count)
  }

  @Test func `a changed rule is described with old and new times; reset removes it`() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.scheduler.prepare()
    let (jobs, caller) = (fixture.services.jobs, fixture.caller)
    func set(_ rule: String, isRehearsal: Bool = false) async throws -> JobsCall.Chosen {
      try await jobs.set(
        JobsCall.Set(
          job: Self.job, team: ServiceFixture.team, changes: [JobChangeView(key: "rule", value: rule)],
          dryRun: isRehearsal), caller)
    }
    let tried = try await set("Fri 16:00", isRehearsal: true)
    #expect(tried.timing.words == "Fridays at 16:00")
    #expect(tried.before.first?.local == "Sun 2026-03-08 17:00 MST")
    #expect(tried.timing.next.map(\.local) == [6, 13, 20].map { "Fri 2026-03-\($0 < 10 ? "0" : "")\($0) 16:00 MST" })
    let shown = try await jobs.show(JobsCall.Show(job: Self.job, team: ServiceFixture.team), caller).timing
    #expect(shown.words == "Sundays at 17:00" && shown.settings.allSatisfy { $0.origin == .kind })
    let cron = try await set("cron: 0 16 * * 5")
    #expect(cron.timing.words == "Fridays at 16:00" && cron.timing.notes.contains { $0.contains("cron skips times") })
    let listed = try await fixture.services.scheduler.list(SchedulerCall.List(team: ServiceFixture.team), caller)
    #expect(listed.jobs.first { $0.job == Self.job }?.nextLocal == "Fri 2026-03-06 16:00 MST")
    let reset = try await jobs.reset(
      JobsCall.Reset(job: Self.job, team: ServiceFixture.team, keys: ["rule"]), caller)
    #expect(reset.timing.words == "Sundays at 17:00" && reset.before.first?.local == "Fri 2026-03-06 16:00 MST")
    #expect(try await fixture.store.timings(of: fixture.store.team(named: ServiceFixture.team).id).isEmpty)
  }

  @Test func `the morning's own rule overrides morning-time, with a note`() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.scheduler.prepare()
    let (jobs, caller) = (fixture.services.jobs, fixture.caller)
    func show() async throws -> JobTimingView {
      try await jobs.show(JobsCall.Show(job: "morning-summary", team: ServiceFixture.team), caller).timing
    }
    _ = try await fixture.services.teams.set(
      TeamsCall.Set(name: ServiceFixture.team, changes: [SettingChangeView(key: "morning-time", value: "06:30")]),
      caller)
    #expect(try await show().words == "every day at 06:30")
    #expect(try await show().settings.first?.origin == .team)
    _ = try await jobs.set(
      JobsCall.Set(
        job: "morning-summary", team: ServiceFixture.team,
        changes: [JobChangeView(key: "rule", value: "Mon..Fri 07:15"), JobChangeView(key: "expires", value: "3h")],
        dryRun: false), caller)
    let own = try await show()
    #expect(own.words == "Monday to Friday at 07:15")
    #expect(own.notes.contains { $0.contains("morning-time 06:30, has no effect") })
    // The next morning's notice expires as configured.
    fixture.clock.set(Timestamp(seconds: 1_772_547_300))
    await fixture.scheduler.runDueJobs()
    let entries = try await fixture.store.history(HistoryQuery(kind: .morningSummary, limit: 1))
    #expect(entries.first?.slot == Timestamp(seconds: 1_772_547_300) && entries.first?.outcome == .notified)
  }

  @Test func `a change plans by defaults that were reloaded while due jobs ran`() async throws {
    let fixture = try await ServiceFixture()
    let (settings, now) = (fixture.context.settings, fixture.clock.now())
    let reloaded = SettingsReading(
      text: "[Job weekly-digest]\nRule = Fri 16:00\n", name: "test.conf", catalogue: .pools)
    let scheduler = Scheduler(
      store: fixture.store, runner: fixture.runner, zones: fixture.context.zones,
      clocks: SchedulerClocks(fixture.clock, timer: ManualWakeTimer(), uptime: { .zero }),
      callbacks: SchedulerCallbacks(
        report: { _ in }, healthPulse: { _ in await settings.take(reloaded, folders: nil, at: now) }))
    try await scheduler.prepare()
    let team = try await fixture.store.team(named: ServiceFixture.team)
    _ = try await fixture.context.scheduling(by: scheduler).perform(.rules(of: team.id)) { plan in
      try await fixture.store.changeTeam(named: team.name, now: now, change: { $0.units = .metric }, plan: plan)
    }
    let job = try #require(try await fixture.store.jobs(of: team.id).first { $0.kind == .weeklyDigest })
    #expect(job.rule == .calendar("Fri *-*-* 16:00:00"))
  }

  @Test func `rules of the settings apply to all teams without own rules`() async throws {
    let fixture = try await ServiceFixture(settings: "[Job weekly-digest]\nRule = Fri 16:00\nCatchUp = none\n")
    #expect(try await fixture.work.planTeams(by: await fixture.context.settings.reading.settings))
    #expect(try await !fixture.work.planTeams(by: await fixture.context.settings.reading.settings))
    try await fixture.scheduler.prepare()
    try await fixture.addTeam("coast", zone: "America/New_York")
    for team in [ServiceFixture.team, "coast"] {
      let shown = try await fixture.services.jobs.show(JobsCall.Show(job: Self.job, team: team), fixture.caller).timing
      #expect(shown.words == "Fridays at 16:00")
      #expect(shown.settings.filter { $0.origin == .settings }.map(\.key) == ["rule", "catch-up"])
    }
    _ = try await fixture.services.jobs.set(
      JobsCall.Set(
        job: Self.job, team: "coast", changes: [JobChangeView(key: "rule", value: "Sat 10:00")], dryRun: false),
      fixture.caller)
    let jobs = try await fixture.store.jobs().filter { $0.kind == .weeklyDigest }
    #expect(jobs.map(\.rule) == [.calendar("Fri *-*-* 16:00:00"), .calendar("Sat *-*-* 10:00:00")])
    #expect(jobs.map(\.timing.catchUp) == [CatchUp.none, CatchUp.none])
  }

  @Test(arguments: [
    ("rule", "*-02-30", "no date matches"), ("rule", "*:*:0/30", "2880 times a day"),
    ("rule", "Mon 7", "column"), ("rule", "07:00 Europe/Berlin", "leave the zone"), ("rule", "", "calendar expression"),
    ("rule", "2020-01-01", "the last one was"), ("rule", "cron: 61 7 * * *", "minute is '61'"),
    ("rule", "long", "at most 8192"), ("catch-up", "all 100000", "at most 1000"),
    ("catch-up", "latest", "latest 5h"), ("catch-up", "latest 99d", "latest 5h"),
    ("dst-gap", "before", "after or skip"),
    ("dst-fold", "twice", "first, second or both"), ("jitter", "2d", "a time from 0"), ("expires", "10s", "1min"),
    ("expires", "-5h", "1min"), ("rul", "daily", "did you mean 'rule'"), ("colour", "red", "there are rule, catch-up"),
  ])
  func `an invalid job setting is refused with its reason`(
    key: String, value: String, words: String
  ) async throws {
    let fixture = try await ServiceFixture()
    try await fixture.scheduler.prepare()
    await fixture.scheduler.runDueJobs()
    let before = try await fixture.store.jobs()
    await fixture.refuses(ExitCode.usage, saying: words) {
      _ = try await fixture.services.jobs.set(
        JobsCall.Set(
          job: Self.job, team: ServiceFixture.team,
          changes: [JobChangeView(key: key, value: value == "long" ? String(repeating: "1,", count: 9_000) : value)],
          dryRun: false), fixture.caller)
    }
    #expect(try await fixture.store.jobs() == before)
    #expect(try await fixture.store.timings(of: before[0].teamID ?? TeamID(0)).isEmpty)
  }

  @Test func `jobs without a calendar accept no rule`() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.scheduler.prepare()
    func set(_ job: String) async throws {
      _ = try await fixture.services.jobs.set(
        JobsCall.Set(
          job: job, team: ServiceFixture.team, changes: [JobChangeView(key: "rule", value: "daily")], dryRun: false),
        fixture.caller)
    }
    await fixture.refuses(ExitCode.usage, saying: "the team's trial") { try await set("trial-reminder") }
    await fixture.refuses(ExitCode.usage, saying: "[Job lsi-refresh]") { try await set("lsi-refresh") }
    await fixture.refuses(ExitCode.notFound, saying: "weekly-digest") { try await set("weekly-digst") }
  }

  @Test func `simulate tries a rule, and past days when --from is given`() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.scheduler.prepare()
    func simulate(from: String? = nil, job: String? = nil, rule: String? = nil) async throws -> [SimulatedEventView] {
      try await fixture.services.scheduler.simulate(
        SchedulerCall.Simulate(days: 7, team: ServiceFixture.team, from: from, job: job, rule: rule), fixture.caller,
        nil
      ).events
    }
    let tried = try await simulate(job: Self.job, rule: "Fri 16:00").filter { $0.job == Self.job }
    #expect(tried.map(\.local) == ["Fri 2026-03-06 16:00 MST"])
    #expect(try await simulate(from: "-7d").first?.local.hasPrefix("Mon 2026-02-23") == true)
    await fixture.refuses(ExitCode.usage, saying: "--job") { _ = try await simulate(rule: "Fri 16:00") }
    await fixture.refuses(ExitCode.usage, saying: "this is not a time") { _ = try await simulate(from: "soon") }
  }
}
