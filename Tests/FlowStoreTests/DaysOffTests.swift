import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import Testing
import TradeStores

/// Days off and reminders in the store.
struct DaysOffTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  private static let zones = SystemZones()

  init() throws { folder = try TemporaryFolder() }

  private static let plan: @Sendable (Team) throws -> [JobPlan] = {
    JobPlan.all(of: $0, in: .pools, zone: try zones.zone(named: $0.zone))
  }

  private struct Refused: Error {}

  private func addTeam(_ store: any Teams, _ name: String = "desert-blue") async throws -> Team {
    try await store.addTeam(Samples.team(name), defaultTechnician: "anna", now: now, plan: Self.plan)
  }

  private func day(_ text: String, _ technician: TechnicianID? = nil, note: String = "") throws -> DayOff {
    DayOff(
      id: 0, technicianID: technician, span: try DaySpan(text, today: CivilDate(year: 2026, month: 3, day: 2)),
      note: note, setBy: "anna (uid 1000)")
  }

  @Test(arguments: Engine.all)
  func `adding days off adds the closed-day job, removing them removes it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    _ = try await addTeam(store, "other")
    func closedDay() async throws -> JobRule? {
      try await store.jobs(of: team.id).first { $0.kind == .closedDay }?.rule
    }
    #expect(try await closedDay() == .never)
    let nora = try #require(try await store.technicians(of: team.id).first).id
    let days = [
      try day("2026-12-24..2026-12-26", note: "Christmas"), try day("Thu *-11-22..28"), try day("2026-03-03", nora),
    ]
    let added = try await store.addDaysOff(days, to: team.name, now: now, check: { _ in }, plan: Self.plan)
    #expect(added.map(\.span) == days.map(\.span) && Set(added.map(\.id)).count == 3)
    #expect(try await store.daysOff(of: team.id) == DaysOff(added))
    #expect(try await store.team(team.id)?.hasDaysOff == true)
    #expect(try await closedDay() == .calendar("*-*-* 18:00:00"))
    // A day off that exists is not added twice; a refused call changes nothing.
    let again = try await store.addDaysOff(
      [days[0], try day("2026-12-31")], to: team.name, now: now,
      check: { #expect($0.all.count == 4) }, plan: Self.plan)
    #expect(again.map(\.span.description) == ["2026-12-31"])
    await #expect(throws: Refused.self) {
      try await store.addDaysOff(
        [try day("2027-01-01")], to: team.name, now: now, check: { _ in throw Refused() }, plan: Self.plan)
    }
    #expect(try await store.daysOff(of: team.id).all.count == 4)
    let gone = try await store.removeDaysOff(
      [added[0].id, 99], of: team.name, now: now, plan: Self.plan)
    #expect(gone == [added[0]])
    #expect(try await store.removeDaysOff([added[0].id], of: team.name, now: now, plan: Self.plan).isEmpty)
    _ = try await store.removeDaysOff(
      Set((added + again).map(\.id)), of: team.name, now: now.advanced(by: .hours(1)), plan: Self.plan)
    #expect(try await closedDay() == .never)
    #expect(try await store.team(team.id)?.hasDaysOff == false)
  }

  @Test(arguments: Engine.all)
  func `facts contain the requested days off, and the stops of the day after them`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let pools = [Samples.pool(1, day: .monday), Samples.pool(2, day: .wednesday), Samples.pool(3, day: .friday)]
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: pools), photos: [:], now: now, dryRun: false,
      change: nil, limitsPools: false, claim: nil)
    let zone = try Self.zones.zone(named: team.zone)
    func facts(_ kind: JobKind) async throws -> TeamFacts {
      let request = FactsRequest(team: team.id, kind: kind, asOf: now, zone: zone)
      return try #require(try await store.facts([request]).first ?? nil)
    }
    #expect(try await facts(.lowStock).stopsByDay.keys.sorted { $0.rawValue < $1.rawValue } == [.tuesday])
    _ = try await store.addDaysOff(
      [try day("2026-03-03..2026-03-05")], to: team.name, now: now, check: { _ in }, plan: Self.plan)
    #expect(try await facts(.lowStock).stopsByDay[.friday, default: []].count == 1)
    #expect(try await facts(.closedDay).stopsByDay[.wednesday, default: []].count == 1)
    #expect(try await facts(.morningSummary).daysOff.all.count == 1)
    #expect(try await facts(.trialReminder).daysOff.isEmpty)
    #expect(try await facts(.routePreview).stopsByDay.keys.contains(.tuesday))
  }

  private func reminder(
    _ name: String = "filters", text: String = "x", rule: JobRule = .calendar("*-*-* 09:00:00"), times: Int? = nil,
    technician: TechnicianID? = nil
  ) throws -> TeamReminder {
    TeamReminder(
      Reminder(
        name: try #require(ReminderName(name)), title: try ReminderText("T"), text: try ReminderText(text),
        technicianID: technician, severity: .warning, condition: .stops, timesLeft: times), rule: rule,
      setBy: "anna (uid 1000)")
  }

  @Test(arguments: Engine.all)
  func `a reminder has its own job, which is changed and removed with it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let anna = try #require(try await store.technicians(of: team.id).first).id
    let one = try reminder(technician: anna)
    let name = one.reminder.name
    func job() async throws -> JobRecord? { try await store.jobs(of: team.id).first { $0.kind == one.kind } }
    func set(_ new: TeamReminder?, at instant: Timestamp? = nil) async throws {
      _ = try await store.changeReminder(
        name, of: team.name, now: instant ?? now, change: { _, _, _ in new }, plan: Self.plan)
    }
    _ = try await store.changeReminder(
      name, of: team.name, now: now,
      change: { team, old, others in
        #expect(team.name == "desert-blue" && old == nil && others == 0)
        return one
      }, plan: Self.plan)
    #expect(try await store.reminders(of: team.id) == [one])
    let made = try #require(try await job())
    #expect(made.rule == .calendar("*-*-* 09:00:00") && made.generation == 1 && made.cursor == now)
    #expect(made.kind.rawValue == "reminder-filters")
    // The reminder's job follows the team's time zone.
    _ = try await store.changeTeam(
      named: team.name, now: now.advanced(by: .hours(1)), change: { $0.zone = "UTC" }, plan: Self.plan)
    #expect(try await job()?.zone == "UTC")
    let later = now.advanced(by: .hours(2))
    try await set(try reminder(rule: .once(later.advanced(by: .hours(1)))), at: later)
    #expect(try await job()?.rule == .once(later.advanced(by: .hours(1))))
    // After the reminder is removed its runs stay in the ledger, and a slot that ran never runs again under the same name.
    let run = ClaimRequest(
      job: try #require(try await job()), slot: later.advanced(by: .hours(1)), cause: .schedule, asOf: later)
    #expect(try await store.claim([run], now: later.advanced(by: .hours(1))).count == 1)
    try await set(nil, at: later.advanced(by: .hours(2)))
    #expect(try await store.reminders(of: team.id).isEmpty)
    #expect(try await job() == nil)
    #expect(try await store.history(HistoryQuery(team: team.id)).map(\.kind) == [one.kind])
    try await set(try reminder(rule: .once(later.advanced(by: .hours(1)))), at: later.advanced(by: .hours(3)))
    #expect(try await job()?.id == made.id)
    #expect(try await store.claim([run], now: later.advanced(by: .hours(3))).isEmpty)
    await #expect(throws: Refused.self) {
      _ = try await store.changeReminder(
        name, of: team.name, now: now, change: { _, _, _ in throw Refused() }, plan: Self.plan)
    }
  }

  @Test(arguments: Engine.all)
  func `a reminder with a limited count runs that often, even if runs are settled together`(engine: Engine) async throws
  {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    let one = try reminder(times: 2)
    _ = try await store.changeReminder(
      one.reminder.name, of: team.name, now: now, change: { _, _, _ in one }, plan: Self.plan)
    let job = try #require(try await store.jobs(of: team.id).first { $0.kind == one.kind })
    func notice(_ run: ClaimedRun) -> Outcome {
      Outcome(
        result: .notified, detail: "x",
        notice: Notice(
          id: "\(run.slot.compact)-n", teamID: team.id, teamName: team.name, jobID: run.jobID, job: run.kind.rawValue,
          slot: run.slot, identifier: "i", title: "t", body: "b", lines: [], dataJSON: "", lateness: .zero,
          createdAt: now, expiresAt: nil))
    }
    let requests = (1...3).map {
      ClaimRequest(job: job, slot: now.advanced(by: .hours($0)), cause: .schedule, asOf: now)
    }
    let runs = try await store.claim(requests, now: now)
    #expect(runs.count == 3)
    // A manual run does not count.
    let tried = try await store.claim(
      [ClaimRequest(job: job, slot: now.advanced(by: .seconds(1)), cause: .manual, asOf: now)], now: now)
    let end = now.advanced(by: .hours(4))
    try await store.settle(
      (tried + runs).map { RunSettlement(run: $0, outcome: notice($0), finishedAt: end) },
      routes: [SinkRoute(sink: "drop")])
    let history = try await store.history(HistoryQuery(job: job.id))
    #expect(history.map(\.outcome) == [.skipped, .notified, .notified, .notified])
    #expect(history.first?.reason == "told-often-enough")
    #expect(try await store.outbox(OutboxQuery()).count == 3)
    let ended = try #require(try await store.jobs(of: team.id).first { $0.kind == one.kind })
    #expect(ended.rule == .never && ended.generation == 2)
    #expect(try await store.reminders(of: team.id).first?.reminder.timesLeft == 0)
  }

  @Test(arguments: Engine.all)
  func `past reminders and days off are pruned`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam(store)
    for name in ["once", "gone"] {
      let one = try reminder(name, rule: .once(now.advanced(by: .hours(1))))
      _ = try await store.changeReminder(
        one.reminder.name, of: team.name, now: now, change: { _, _, _ in one }, plan: Self.plan)
    }
    _ = try await store.changeReminder(
      try #require(ReminderName("gone")), of: team.name, now: now, change: { _, _, _ in nil }, plan: Self.plan)
    let late = now.advanced(by: Limits.ledgerRetention + .hours(24))
    try await store.prune(now: late, limit: 100)
    #expect(try await store.reminders(of: team.id).isEmpty)
    #expect(try await !store.jobs(of: team.id).contains { $0.kind.reminderName != nil })
    #expect(try await store.lacksJobs(of: JobCatalogue.pools.ofTeam, trade: .poolService) == false)
  }

  @Test(arguments: Engine.all)
  func `unreadable choices of one team are reported as its failure; other teams keep working`(engine: Engine)
    async throws
  {
    let store = try engine.store(folder.path, now)
    let (bad, good) = (try await addTeam(store, "bad"), try await addTeam(store, "good"))
    for team in [bad, good] {
      let one = try reminder()
      _ = try await store.changeReminder(
        one.reminder.name, of: team.name, now: now, change: { _, _, _ in one }, plan: Self.plan)
      _ = try await store.addDaysOff(
        [try day("2026-12-24")], to: team.name, now: now, check: { _ in }, plan: Self.plan)
      var timing = JobTiming()
      timing.expiry = .hours(3)
      _ = try await store.chooseTiming(
        of: .weeklyDigest, team: team.name, now: now, change: { [timing] _, _ in timing }, plan: Self.plan)
    }
    let connection = try engine.connection(folder.path)
    for (change, word) in [
      ("UPDATE job_timings SET options = 'expires=soon' WHERE team_id = \(bad.id.number)", "job_timings.options"),
      ("UPDATE reminders SET body = '{x' WHERE team_id = \(bad.id.number)", "reminders.body"),
    ] {
      try connection.run(change)
      let found = try await store.unreadableJobs()
      #expect(found.keys.map(\.self) == [bad.id] && found[bad.id]?.contains(word) == true, "\(found)")
    }
    try connection.run("UPDATE days_off SET days = 'someday' WHERE team_id = \(bad.id.number)")
    let read = try await store.factsPerTeam([bad, good].map { FactsRequest.everyDay(of: $0.id) })
    #expect(throws: StoreError.self) { try read[0].get() }
    #expect(try read[1].get()?.daysOff.all.count == 1 && read[1].get()?.reminders.count == 1)
  }

  @Test(arguments: Engine.all)
  func `a store of the previous release is migrated and lacks only the new job kinds`(engine: Engine) async throws {
    do {
      let old = try engine.store(
        folder.path, now, version: "old", migrations: Array(Schema.migrations.prefix(2)))
      _ = old.epoch
      let connection = try engine.connection(folder.path)
      try connection.run(
        """
        INSERT INTO teams (name, zone, language, units, objective, plan, notifications_enabled, morning_summary, low_stock,
          weekly_digest, morning_time_s, clock, created_ms)
        VALUES ('old', 'UTC', 'en', 'imperial', 'time', 'paid', 1, 1, 1, 1, 25200, 'auto', 0)
        """)
    }
    let store = try engine.store(folder.path, now, version: "new")
    let team = try await store.team(named: "old")
    #expect(!team.settings.eveningPreview && !team.hasDaysOff)
    #expect(try await store.lacksJobs(of: JobCatalogue.pools.ofTeam, trade: .poolService))
    try await store.planAllTeams(defaults: [:], now: now, plan: Self.plan)
    #expect(try await !store.lacksJobs(of: JobCatalogue.pools.ofTeam, trade: .poolService))
  }
}
