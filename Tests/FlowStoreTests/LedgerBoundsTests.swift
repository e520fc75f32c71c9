import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolStore
import Testing

/// Boundary cases of the ledger's queries: rows of other jobs, and instants on both sides of a limit.
struct LedgerBoundsTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func addTeam(_ name: String, to store: any Engine.Opened) async throws -> Team {
    try await store.addTeam(Samples.team(name), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
  }

  private func job(of team: Team, in store: any Engine.Opened) async throws -> JobRecord {
    try #require(try await store.jobs(of: team.id).first { $0.kind == .morningSummary })
  }

  @Test(arguments: Engine.all)
  func `a run started before its slot or by a user is not late`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    let coming = now.advanced(by: .hours(1))
    let runs = try await store.claim(
      [
        ClaimRequest(job: job, slot: coming, cause: .schedule, asOf: coming),
        ClaimRequest(job: job, slot: now.advanced(by: .minutes(-3)), cause: .schedule, asOf: now),
        ClaimRequest(job: job, slot: now.advanced(by: .minutes(-9)), cause: .manual, asOf: now),
      ], now: now)
    #expect(runs.count == 3)
    let next = try engine.open(folder.path, now)
    #expect(try await next.reclaimOrphans(now: now, crashed: true).count == 3)
    let late = try await next.history(HistoryQuery()).map(\.lateness)
    #expect(late == [.zero, .minutes(3), .zero])
    // One process reclaims an orphaned run only once.
    #expect(try await next.reclaimOrphans(now: now, crashed: true).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `a run fails after the crash limit, not before, and not after orderly stops`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    _ = try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now)
    for life in 1..<Limits.crashesPerSlot {
      let next = try engine.open(folder.path, now)
      #expect(try await next.reclaimOrphans(now: now, crashed: true).map(\.attempts) == [life + 1])
    }
    let orderly = try engine.open(folder.path, now)
    #expect(try await orderly.reclaimOrphans(now: now, crashed: false).map(\.attempts) == [Limits.crashesPerSlot])
    let last = try engine.open(folder.path, now)
    #expect(try await last.reclaimOrphans(now: now, crashed: true).isEmpty)
    let run = try #require(try await last.history(HistoryQuery()).first)
    #expect(run.outcome == .failed && run.reason == "crashed" && run.attempts == Limits.crashesPerSlot)
  }

  @Test(arguments: Engine.all)
  func `a removed reminder has no job, even if another team has one of that name`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let teams = [try await addTeam("desert-blue", to: store), try await addTeam("elm-pools", to: store)]
    let zones = SystemZones()
    let plan: @Sendable (Team) throws -> [JobPlan] = {
      JobPlan.all(of: $0, in: .pools, zone: try zones.zone(named: $0.zone))
    }
    func set(_ word: String, _ team: Team, _ isThere: Bool) async throws {
      let name = try #require(ReminderName(word))
      let reminder = TeamReminder(
        Reminder(
          name: name, title: try ReminderText(""), text: try ReminderText("t"), technicianID: nil, severity: .info,
          condition: .always, timesLeft: nil), rule: .calendar("*-*-* 09:00:00"), setBy: "anna")
      _ = try await store.changeReminder(
        name, of: team.name, now: now, change: { _, _, _ in isThere ? reminder : nil }, plan: plan)
    }
    for team in teams { for word in ["filters", "salt"] { try await set(word, team, true) } }
    try await set("filters", teams[0], false)
    func kinds(_ jobs: [JobRecord]) -> [String] {
      jobs.map(\.kind.rawValue).filter { $0.hasPrefix("reminder") }.sorted()
    }
    #expect(try await kinds(store.jobs(of: teams[0].id)) == ["reminder-salt"])
    #expect(try await kinds(store.jobs(of: teams[1].id)) == ["reminder-filters", "reminder-salt"])
    let all = try await store.jobs()
    #expect(kinds(all) == ["reminder-filters", "reminder-salt", "reminder-salt"])
    #expect(all.map(\.id.number) == all.map(\.id.number).sorted())
  }

  /// A job's pause is kept while that job has unsettled slots before the pause's end; other jobs do not matter.
  @Test(arguments: Engine.all)
  func `an ended pause is kept until its own jobs have settled past it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam("desert-blue", to: store)
    let other = try await addTeam("elm-pools", to: store)
    let mine = try await job(of: team, in: store)
    let theirs = try await job(of: other, in: store)
    let end = now.advanced(by: .hours(5))
    for job in [mine.id, nil] {
      _ = try await store.hold(
        HoldRequest(teamID: team.id, jobID: job, kind: .pause(until: end), note: "", setBy: "anna"), now: now)
    }
    func pass(_ job: JobRecord, to cursor: Timestamp) async throws {
      _ = try await store.take([JobTick(job: job, cursor: cursor, claims: [])], now: cursor)
    }
    try await pass(theirs, to: end.advanced(by: .hours(1)))
    #expect(try await store.holds().count == 2)
    try await pass(mine, to: end.advanced(by: .milliseconds(-1)))
    #expect(try await store.holds().count == 2)
    try await pass(mine, to: end)
    #expect(try await store.holds().isEmpty)
  }

  @Test(arguments: Engine.all)
  func `history is filtered by start, end, slot, limit and failure`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    let slots = (0..<4).map { now.advanced(by: .hours($0)) }
    _ = try await store.claim(
      slots.map { ClaimRequest(job: job, slot: $0, cause: .schedule, asOf: $0) }, now: now)
    func found(_ change: (inout HistoryQuery) -> Void) async throws -> [Timestamp] {
      var query = HistoryQuery()
      change(&query)
      return try await store.history(query).map(\.slot)
    }
    #expect(try await found { $0.since = slots[2] } == [slots[3], slots[2]])
    #expect(try await found { $0.notAfter = slots[1] } == [slots[1], slots[0]])
    #expect(try await found { $0.slot = slots[1] } == [slots[1]])
    #expect(try await found { $0.limit = 1 } == [slots[3]])
    #expect(try await found { $0.onlyFailed = true } == [])
    let passed = [RunOutcome.missed, .skipped, .coalesced].enumerated().map {
      SkippedSlot(
        jobID: job.id, generation: job.generation, slot: now.advanced(by: .hours(-1 - $0)), outcome: $1, reason: "r",
        detail: "d")
    }
    _ = try await store.take([JobTick(job: job, cursor: slots[3], claims: [], passed: passed)], now: now)
    #expect(try await found { $0.onlyFailed = true } == [passed[0].slot])
    #expect(try await store.outcomes(since: slots[2], notAfter: nil) == [.running: 2])
    #expect(try await store.outcomes(since: slots[0], notAfter: slots[2]) == [.running: 3])
    #expect(try await store.lastRuns(notAfter: slots[1])[job.id]?.slot == slots[1])
    #expect(try await store.lastRuns(notAfter: nil)[job.id]?.slot == slots[3])
  }

  @Test(arguments: Engine.all)
  func `release ends a pause and a skip and returns their number`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam("desert-blue", to: store)
    let job = try await job(of: team, in: store)
    let kinds: [Hold.Kind] = [.pause(until: nil), .skip(left: 2)]
    for kind in kinds {
      _ = try await store.hold(
        HoldRequest(teamID: team.id, jobID: job.id, kind: kind, note: "", setBy: "anna"), now: now)
    }
    let later = now.advanced(by: .hours(1))
    #expect(try await store.release(team: team.id, job: nil, now: later, by: "ben") == 0)
    #expect(try await store.release(team: team.id, job: job.id, now: later, by: "ben") == 2)
    #expect(try await store.release(team: team.id, job: job.id, now: later, by: "ben") == 0)
    // A pause that has expired is not ended again by a user.
    _ = try await store.hold(
      HoldRequest(teamID: team.id, jobID: job.id, kind: .pause(until: later), note: "", setBy: "anna"), now: now)
    #expect(try await store.release(team: team.id, job: job.id, now: later, by: "ben") == 0)
  }

  @Test(arguments: Engine.all)
  func `runs and manual skips of future slots are listed, automatically skipped slots are not`(engine: Engine)
    async throws
  {
    let store = try engine.open(folder.path, now)
    #expect(try await store.newestCursor() == Timestamp(milliseconds: 0))
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    func slot(_ hours: Int) -> Timestamp { now.advanced(by: .hours(hours)) }
    func passed(_ hours: Int, _ outcome: RunOutcome, _ reason: String) -> SkippedSlot {
      SkippedSlot(
        jobID: job.id, generation: job.generation, slot: slot(hours), outcome: outcome, reason: reason, detail: "d")
    }
    _ = try await store.take(
      [
        JobTick(
          job: job, cursor: slot(4), claims: [ClaimRequest(job: job, slot: slot(4), cause: .schedule, asOf: slot(4))],
          passed: [
            passed(1, .missed, "too-late"), passed(2, .skipped, "skipped-by-hand"), passed(3, .paused, "paused"),
          ])
      ], now: slot(4))
    _ = try await store.claim([ClaimRequest(job: job, slot: slot(5), cause: .manual, asOf: now)], now: now)
    #expect(try await store.slotsRunEarly(after: now) == [job.id: [slot(2), slot(4)]])
    #expect(try await store.slotsRunEarly(after: slot(2)) == [job.id: [slot(4)]])
    #expect(try await store.slotsRunEarly(after: slot(4)).isEmpty)
    #expect(try await store.newestCursor() == slot(4))
    // After the clock is corrected, slots skipped by it are open again; runs stay settled.
    let seen = try await store.settled(try await store.jobs(), asOf: now)
    #expect(seen.map(\.cursor) == [now])
    #expect(try await store.settled(try await store.jobs(), asOf: slot(4)).map(\.cursor) == [slot(4)])
  }

  @Test(arguments: Engine.all)
  func `after a clock rollback a failed run waits its original delay`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    let ahead = now.advanced(by: .hours(24 * 40))
    let waiting = Outcome(result: .waiting, reason: "failed", detail: "d", notice: nil)
    for (slot, at) in [(ahead, ahead), (now, now)] {
      let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .manual, asOf: slot)], now: at)
      try await store.settle(
        runs.map {
          RunSettlement(run: $0, outcome: waiting, finishedAt: at, nextTryAt: at.advanced(by: .minutes(2)))
        }, routes: [])
    }
    try await store.heartbeat(nil, now: ahead)
    let mend = try #require(try await store.rollBack(now: now, from: ahead))
    #expect(mend.retries == 1)
    let next = now.advanced(by: .minutes(2))
    #expect(
      try await store.waitingRuns()
        == [RunKey(jobID: job.id, slot: ahead): next, RunKey(jobID: job.id, slot: now): next])
  }

  @Test(arguments: Engine.all)
  func `outbox entries belong to one job and slot, and are sent once`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let jobs = [
      try await job(of: addTeam("desert-blue", to: store), in: store),
      try await job(of: addTeam("elm-pools", to: store), in: store),
    ]
    let slots = [now, now.advanced(by: .hours(24))]
    for job in jobs {
      let runs = try await store.claim(
        slots.map { ClaimRequest(job: job, slot: $0, cause: .schedule, asOf: $0) }, now: now)
      let settlements = runs.map { run in
        RunSettlement(
          run: run,
          outcome: Outcome(
            result: .notified, reason: nil, detail: nil,
            notice: Notice(
              id: "\(run.slot.compact)-\(run.jobID.number)", teamID: run.teamID, teamName: "", jobID: run.jobID,
              job: "morning-summary", slot: run.slot, identifier: "i", title: "t", body: "b", lines: [], dataJSON: "{}",
              lateness: .zero, createdAt: now, expiresAt: nil)), finishedAt: now)
      }
      try await store.settle(settlements, routes: [SinkRoute(sink: "drop")])
    }
    let entries = try await store.entries(of: jobs[0].id, slot: slots[0])
    #expect(entries.map(\.notice.jobID) == [jobs[0].id] && entries.map(\.notice.slot) == [slots[0]])
    let entry = try #require(entries.first)
    #expect(entry.attempts == 0 && entry.nextTryAt == now && entry.state == .pending)
    #expect(try await store.dueEntries(sink: "drop", now: now.advanced(by: .milliseconds(-1)), limit: 9).isEmpty)
    #expect(try await store.dueEntries(sink: "drop", now: now, limit: 9).count == 4)
    #expect(try await store.dueEntries(sink: "out", now: now, limit: 9).isEmpty)
    let later = now.advanced(by: .minutes(1))
    let own = entry.notice.id
    #expect(try await store.noticeIDs(beginning: own, like: nil, limit: 9) == [own])
    try await store.markStaged([entry.sequence], at: now)
    #expect(try await store.stagedNoticeIDs(sink: "drop") == [own])
    #expect(try await store.stagedNoticeIDs(sink: "out").isEmpty)
    #expect(try await store.dueEntries(sink: "drop", now: now, limit: 1).map(\.sequence) == [entry.sequence])
    try await store.markSent([entry.sequence], at: now)
    try await store.markSent([entry.sequence], at: later)
    try await store.markStaged([entry.sequence], at: later)
    try await store.markRefused([EntryRefusal(sequence: entry.sequence, error: "e", next: .dead)], at: later)
    let sent = try #require(try await store.entries(of: jobs[0].id, slot: slots[0]).first)
    #expect(sent.state == .sent && sent.sentAt == now && sent.attempts == 0 && sent.lastError == nil)
  }

  @Test(arguments: Engine.all)
  func `holds of a period are listed for one team, bounds included`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let teams = [try await addTeam("desert-blue", to: store), try await addTeam("elm-pools", to: store)]
    let end = now.advanced(by: .hours(10))
    _ = try await store.hold(
      HoldRequest(teamID: teams[0].id, jobID: nil, kind: .pause(until: end), note: "", setBy: "anna"), now: now)
    func count(_ team: Int, _ from: Timestamp, _ to: Timestamp) async throws -> Int {
      try await store.holds(of: teams[team].id, from: from, to: to).count
    }
    let (before, after) = (now.advanced(by: .milliseconds(-1)), end.advanced(by: .milliseconds(1)))
    #expect(try await count(0, now.advanced(by: .hours(-1)), now) == 1)
    #expect(try await count(0, now.advanced(by: .hours(-1)), before) == 0)
    #expect(try await count(0, end, end.advanced(by: .hours(1))) == 1)
    #expect(try await count(0, after, end.advanced(by: .hours(1))) == 0)
    #expect(try await count(1, now.advanced(by: .hours(-1)), end) == 0)
    #expect(try await store.holds(of: nil, from: now.advanced(by: .hours(-1)), to: end).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `each run is listed with its own team's name`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    for name in ["desert-blue", "elm-pools", "oak-pools"] {
      let job = try await job(of: addTeam(name, to: store), in: store)
      _ = try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now)
    }
    let runs = try await store.history(HistoryQuery())
    #expect(runs.map(\.teamName).sorted() == ["desert-blue", "elm-pools", "oak-pools"])
    for run in runs {
      #expect(try await store.history(HistoryQuery(team: run.teamID)).map(\.teamName) == [run.teamName])
    }
  }

  @Test(arguments: Engine.all)
  func `a cursor not ahead of the clock stays, even without a run at it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    let cursor = now.advanced(by: .hours(30))
    _ = try await store.take([JobTick(job: job, cursor: cursor, claims: [], passed: [])], now: cursor)
    let jobs = try await store.jobs()
    for instant in [cursor, cursor.advanced(by: .hours(1))] {
      #expect(try await store.settled(jobs, asOf: instant).map(\.cursor) == [cursor])
    }
    #expect(
      try await store.settled(jobs, asOf: cursor.advanced(by: .milliseconds(-1))).allSatisfy { $0.cursor < cursor })
  }

  @Test(arguments: Engine.all)
  func `runs under way are the unsettled ones of this process`(engine: Engine) async throws {
    let first = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: first), in: first)
    func begin(_ minutes: Int, in store: any Engine.Opened) async throws -> ClaimedRun {
      let slot = now.advanced(by: .minutes(minutes))
      let runs = try await store.claim(
        [ClaimRequest(job: job, slot: slot, cause: .manual, asOf: slot)], now: slot)
      return try #require(runs.first)
    }
    func settle(_ run: ClaimedRun, _ result: RunOutcome, in store: any Engine.Opened) async throws {
      let outcome = Outcome(result: result, reason: "busy", detail: nil, notice: nil)
      let retry = result == .waiting ? run.slot.advanced(by: .hours(1)) : nil
      try await store.settle(
        [RunSettlement(run: run, outcome: outcome, finishedAt: run.slot, nextTryAt: retry)], routes: [])
    }
    let left = try await begin(1, in: first)
    try await settle(begin(2, in: first), .waiting, in: first)
    try await settle(begin(3, in: first), .skipped, in: first)
    #expect(try await first.unsettledRuns() == [left])
    let second = try engine.open(folder.path, now)
    let own = try await begin(4, in: second)
    try await settle(begin(5, in: second), .waiting, in: second)
    try await settle(begin(6, in: second), .skipped, in: second)
    #expect(try await second.unsettledRuns() == [own])
    #expect(try await first.unsettledRuns() == [left])
  }

  @Test(arguments: Engine.all)
  func `a silently recorded slot has no attempt and no lateness`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    try await store.recordSilence(job: job.id, slot: now, silence: .alreadyPast, now: now.advanced(by: .minutes(1)))
    let run = try #require(try await store.history(HistoryQuery(job: job.id)).first)
    #expect(run.attempts == 0 && run.lateness == .zero && run.startedAt == nil)
  }

  @Test(arguments: Engine.all)
  func `each job's last run is its own, whatever slots other jobs have`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let teams = [try await addTeam("desert-blue", to: store), try await addTeam("elm-pools", to: store)]
    let jobs = [try await job(of: teams[0], in: store), try await job(of: teams[1], in: store)]
    let slots = (0..<4).map { now.advanced(by: .hours($0)) }
    func claim(_ job: JobRecord, _ numbers: [Int]) async throws {
      let claims = numbers.map { ClaimRequest(job: job, slot: slots[$0], cause: .schedule, asOf: slots[$0]) }
      _ = try await store.claim(claims, now: now)
    }
    try await claim(jobs[0], [3, 1, 0])
    try await claim(jobs[1], [2, 1])
    for (end, newest) in [(nil, [3, 2]), (slots[2], [1, 2]), (slots[1], [1, 1])] {
      let last = try await store.lastRuns(notAfter: end)
      #expect(jobs.map { last[$0.id]?.slot } == newest.map { slots[$0] })
    }
    let underWay = try await store.unsettledRuns().map { [$0.slot, Timestamp(milliseconds: $0.jobID.number)] }
    let expected = [(0, 0), (1, 0), (1, 1), (2, 1), (3, 0)].map { slot, job in
      [slots[slot], Timestamp(milliseconds: jobs[job].id.number)]
    }
    #expect(underWay == expected)
  }

  @Test(arguments: Engine.all)
  func `a changed rule keeps the run that is under way`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let job = try await job(of: addTeam("desert-blue", to: store), in: store)
    let runs = try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now)
    _ = try await store.changeTeam(named: "desert-blue", now: now, change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:30:00"))]
    }
    #expect(try await store.unsettledRuns().map(\.slot) == [now])
    try await store.settle(runs.map { $0.told(at: now) }, routes: [SinkRoute(sink: "drop")])
    #expect(try await store.history(HistoryQuery()).map(\.outcome) == [.notified])
  }

  @Test(arguments: Engine.all)
  func `a refusal counts one attempt, staged or not, and reviving resets the count`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let notice = OperatorNotice.test(sink: "drop", by: "anna").notice(at: now, install: "i")
    _ = try await store.notify(notice, routes: [SinkRoute(sink: "drop")], now: now)
    func entry() async throws -> OutboxEntry { try #require(try await store.outbox(OutboxQuery()).first) }
    func refuse(_ next: EntryRefusal.Next) async throws {
      try await store.markRefused([EntryRefusal(sequence: entry().sequence, error: "e", next: next)], at: now)
    }
    try await refuse(.tryAgain(at: now.advanced(by: .hours(1))))
    #expect(try await entry().attempts == 1)
    try await store.markStaged([entry().sequence], at: now)
    try await refuse(.tryAgain(at: now.advanced(by: .hours(2))))
    #expect(try await entry().attempts == 2)
    #expect(try await entry().state == .staged)
    try await refuse(.dead)
    #expect(try await entry().attempts == 3)
    #expect(try await entry().state == .dead)
    #expect(try await store.revive([entry().sequence], now: now) == ["drop"])
    #expect(try await entry().attempts == 0)
    #expect(try await entry().state == .pending)
  }

  @Test(arguments: Engine.all)
  func `the outbox is filtered by team and sink, and finds its oldest undelivered entry`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let teams = [try await addTeam("desert-blue", to: store), try await addTeam("elm-pools", to: store)]
    let routes = [SinkRoute(sink: "drop"), SinkRoute(sink: "line")]
    for (number, team) in teams.enumerated() {
      let at = now.advanced(by: .minutes(number))
      let job = try await job(of: team, in: store)
      let runs = try await store.claim([ClaimRequest(job: job, slot: at, cause: .schedule, asOf: at)], now: at)
      try await store.settle(runs.map { $0.told(at: at) }, routes: routes)
    }
    for (team, sinks) in [(teams[0], ["line", "drop"]), (teams[1], ["line", "drop"])] {
      let told = try await store.outbox(OutboxQuery(team: team.id))
      #expect(told.map(\.sink) == sinks && told.allSatisfy { $0.notice.teamID == team.id })
      #expect(try await store.outbox(OutboxQuery(team: team.id, sink: "drop")).map(\.notice.teamID) == [team.id])
    }
    #expect(try await store.outbox(OutboxQuery(sink: "drop")).map(\.notice.teamID) == [teams[1].id, teams[0].id])
    #expect(try await store.oldestUndelivered() == now)
    let first = try await store.outbox(OutboxQuery(team: teams[0].id)).map(\.sequence)
    try await store.markStaged(first, at: now)
    #expect(try await store.oldestUndelivered() == now)
    try await store.markSent(first, at: now)
    #expect(try await store.oldestUndelivered() == now.advanced(by: .minutes(1)))
  }

  @Test(arguments: Engine.all)
  func `storing an existing notice again adds no entry for another sink`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let notice = OperatorNotice.test(sink: "drop", by: "anna").notice(at: now, install: "i")
    for sinks in [["drop"], ["drop", "line"]] {
      _ = try await store.notify(notice, routes: sinks.map { SinkRoute(sink: $0) }, now: now)
      #expect(try await store.outbox(OutboxQuery()).map(\.sink) == ["drop"])
    }
  }

  @Test(arguments: Engine.all)
  func `a suppressed reminder does not count as sent`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam("desert-blue", to: store)
    let name = try #require(ReminderName("filters"))
    let zones = SystemZones()
    let reminder = TeamReminder(
      Reminder(
        name: name, title: try ReminderText(""), text: try ReminderText("t"), technicianID: nil, severity: .info,
        condition: .always, timesLeft: 2), rule: .calendar("*-*-* 09:00:00"), setBy: "anna")
    _ = try await store.changeReminder(
      name, of: team.name, now: now, change: { _, _, _ in reminder },
      plan: { JobPlan.all(of: $0, in: .pools, zone: try zones.zone(named: $0.zone)) })
    let job = try #require(try await store.jobs(of: team.id).first { $0.kind.reminderName == name })
    let silent = Outcome(result: .skipped, reason: "no-stops-today", detail: nil, notice: nil)
    for (hours, tells, left) in [(1, false, 2), (2, true, 1), (3, false, 1)] {
      let slot = now.advanced(by: .hours(hours))
      let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)], now: slot)
      #expect(runs.count == 1)
      try await store.settle(
        runs.map { tells ? $0.told(at: slot) : RunSettlement(run: $0, outcome: silent, finishedAt: slot) },
        routes: [SinkRoute(sink: "drop")])
      #expect(try await store.reminders(of: team.id).map(\.reminder.timesLeft) == [left])
    }
  }
}
