import FlowCalendar
import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// The ledger's and the outbox's guarantees on every engine.
struct LedgerTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func open(_ engine: Engine) throws -> any Engine.Opened { try engine.open(folder.path, now) }

  private func addTeam(to store: any Engine.Opened) async throws -> JobRecord {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    return try #require(try await store.jobs(of: team.id).first)
  }

  private func request(_ job: JobRecord, slot: Timestamp) -> ClaimRequest {
    ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)
  }

  private func outcome(_ run: ClaimedRun, notice: Bool = true) -> Outcome {
    Outcome(
      result: notice ? .notified : .skipped, reason: notice ? nil : "no-stops-today", detail: "…",
      notice: notice
        ? Notice(
          id: "\(run.slot.compact)-morning-summary-\(run.jobID.number)", teamID: run.teamID, teamName: "desert-blue",
          jobID: run.jobID, job: "morning-summary", slot: run.slot, identifier: "i", title: "t", body: "b",
          lines: ["one", "two"], dataJSON: "{}", lateness: .zero, createdAt: now, expiresAt: nil) : nil)
  }

  private func settle(_ store: any Ledger, _ runs: [ClaimedRun], sinks: [String] = ["drop", "stdout"]) async throws {
    try await store.settle(
      runs.map { RunSettlement(run: $0, outcome: outcome($0), finishedAt: now) },
      routes: sinks.map { SinkRoute(sink: $0) })
  }

  @Test(arguments: Engine.all)
  func `a slot is granted once, to the first claim`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    #expect(try await store.claim([request(job, slot: now)], now: now).count == 1)
    #expect(try await store.claim([request(job, slot: now)], now: now).isEmpty)
    #expect(try await store.claim([request(job, slot: now), request(job, slot: now)], now: now).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `runs are found by time and name, notices by id prefix, up to the limit`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let slots = (0..<3).map { now.advanced(by: .hours(24 * $0)) }
    let runs = try await store.claim(slots.map { request(job, slot: $0) }, now: now)
    try await settle(store, runs)
    let number = job.id.number
    func found(_ from: Int, _ to: Int, _ pattern: String?, limit: Int = 9) async throws -> [Timestamp] {
      let runs = try await store.runs(from: slots[from], to: slots[to], like: pattern, limit: limit)
      #expect(runs.allSatisfy { $0.key.jobID == job.id && $0.kind == .morningSummary })
      return runs.map(\.key.slot)
    }
    #expect(try await found(0, 2, nil) == slots.reversed())
    #expect(try await found(0, 2, nil, limit: 2) == [slots[2], slots[1]])
    #expect(try await found(1, 1, "-morning-summary-\(number)-") == [slots[1]])
    #expect(try await found(0, 2, "-morning*").count == 3)
    #expect(try await found(0, 2, "*-\(number)-").count == 3)
    #expect(try await found(0, 2, "*-\(number)9-").isEmpty)
    #expect(try await found(0, 2, "-evening*").isEmpty)

    let ids = slots.map { "\($0.compact)-morning-summary-\(number)" }
    #expect(try await store.noticeIDs(beginning: "2026", like: nil, limit: 9) == ids)
    #expect(try await store.noticeIDs(beginning: "2026", like: nil, limit: 2) == [ids[0], ids[1]])
    #expect(try await store.noticeIDs(beginning: String(ids[1].prefix(12)), like: nil, limit: 9) == [ids[1]])
    #expect(try await store.noticeIDs(beginning: "2026", like: "*-\(number)", limit: 9) == ids)
    #expect(try await store.noticeIDs(beginning: "2026", like: "*-evening*", limit: 9).isEmpty)
    #expect(try await store.noticeIDs(beginning: "2027", like: nil, limit: 9).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `an outcome, its notice, its entries and the cursor are one commit`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let slot = now.advanced(by: .hours(24))
    let look = JobTick(job: job, cursor: slot, claims: [request(job, slot: slot)])
    let runs = try await store.take([look], now: slot)
    #expect(try await store.outbox(OutboxQuery()).isEmpty)
    try await settle(store, runs)
    let entries = try await store.outbox(OutboxQuery())
    #expect(Set(entries.map(\.sink)) == ["drop", "stdout"])
    #expect(entries.allSatisfy { $0.state == .pending && $0.notice.lines == ["one", "two"] })
    #expect(try await store.jobs(of: job.teamID).first?.cursor == slot)
    #expect(try await store.history(HistoryQuery()).first?.outcome == .notified)
    // Settling again changes nothing: the run is finished.
    try await settle(store, runs)
    #expect(try await store.outbox(OutboxQuery()).count == 2)
  }

  @Test(arguments: Engine.all)
  func `a claim made with an outdated rule is refused`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    _ = try await store.changeTeam(named: "desert-blue", now: now, change: { _ in }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 08:00:00"))]
    }
    #expect(try await store.claim([request(job, slot: now.advanced(by: .hours(1)))], now: now).isEmpty)
    let changed = try #require(try await store.jobs(of: job.teamID).first)
    #expect(changed.generation == job.generation + 1)
    #expect(try await store.claim([request(changed, slot: now.advanced(by: .hours(1)))], now: now).count == 1)
  }

  @Test(arguments: Engine.all)
  func `a change that keeps the rule keeps the generation`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    _ = try await store.changeTeam(named: "desert-blue", now: now, change: { $0.units = .metric }) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    #expect(try await store.jobs(of: job.teamID).first == job)
    #expect(try await store.team(named: "desert-blue").units == .metric)
  }

  @Test(arguments: Engine.all)
  func `a crashed run is reclaimed in the next epoch and fails after three crashes`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let claimed = try await store.claim([request(job, slot: now)], now: now)
    #expect(claimed.count == 1)
    #expect(try await store.unsettledRuns() == claimed)
    for attempt in 2...Limits.crashesPerSlot {
      let next = try open(engine)
      let orphans = try await next.reclaimOrphans(now: now.advanced(by: .hours(3)), crashed: true)
      #expect(orphans.map(\.attempts) == [attempt])
      #expect(orphans.first?.lateness == .hours(3))
      #expect(try await next.reclaimOrphans(now: now, crashed: true).isEmpty)
    }
    let last = try open(engine)
    #expect(try await last.reclaimOrphans(now: now, crashed: true).isEmpty)
    #expect(try await last.unsettledRuns().isEmpty)
    #expect(try await store.unsettledRuns().isEmpty)
    let record = try #require(try await last.history(HistoryQuery()).first)
    #expect(record.outcome == .failed && record.reason == "crashed")
  }

  @Test(arguments: Engine.all)
  func `a kill from outside never counts against a run`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    #expect(try await store.claim([request(job, slot: now)], now: now).count == 1)
    for _ in 1...10 {
      let next = try open(engine)
      #expect(try await next.reclaimOrphans(now: now, crashed: false).map(\.attempts) == [1])
    }
  }

  @Test(arguments: Engine.all)
  func `a reclaimed run is settled only by the new process`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let runs = try await store.claim([request(job, slot: now)], now: now)
    let next = try open(engine)
    let orphans = try await next.reclaimOrphans(now: now, crashed: true)
    try await settle(store, runs)
    #expect(try await next.outbox(OutboxQuery()).isEmpty)
    try await settle(next, orphans)
    #expect(try await next.outbox(OutboxQuery()).count == 2)
  }

  @Test(arguments: Engine.all)
  func `missed slots are recorded once and move the cursor`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let missed = (1...3).map { day in
      SkippedSlot(
        jobID: job.id, generation: job.generation, slot: now.advanced(by: .hours(24 * day)), reason: "too-late",
        detail: "…")
    }
    let later = now.advanced(by: .hours(24 * 4))
    let look = JobTick(job: job, cursor: missed[2].slot, claims: [], passed: missed)
    #expect(try await store.take([look], now: later).isEmpty)
    #expect(try await store.take([look], now: later).isEmpty)
    #expect(try await store.history(HistoryQuery()).map(\.outcome) == [.missed, .missed, .missed])
    #expect(try await store.jobs(of: job.teamID).first?.cursor == missed[2].slot)
    #expect(try await store.claim([request(job, slot: missed[0].slot)], now: later).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `a dead entry is no longer due, but a late delivery still marks it sent`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    try await settle(store, try await store.claim([request(job, slot: now)], now: now))
    let due = try await store.dueEntries(sink: "drop", now: now, limit: 10)
    let entry = try #require(due.first)
    try await store.markStaged([entry.sequence], at: now)
    #expect(try await store.stagedNoticeIDs(sink: "drop") == [entry.notice.id])
    #expect(try await store.nextDue(sink: "drop") == now)
    try await store.markSent([entry.sequence], at: now)
    #expect(try await store.nextDue(sink: "drop") == nil)
    #expect(try await store.dueEntries(sink: "drop", now: now, limit: 10).isEmpty)
    let other = try #require(try await store.dueEntries(sink: "stdout", now: now, limit: 10).first)
    let later = now.advanced(by: .seconds(5))
    try await store.markRefused(
      [EntryRefusal(sequence: other.sequence, error: "no", next: .tryAgain(at: later))], at: now)
    #expect(try await store.dueEntries(sink: "stdout", now: now, limit: 10).isEmpty)
    #expect(try await store.nextDue(sink: "stdout") == later)
    try await store.markRefused([EntryRefusal(sequence: other.sequence, error: "never", next: .dead)], at: later)
    #expect(try await store.nextDue(sink: "stdout") == nil)
    #expect(try await store.outboxDepth() == [.sent: 1, .dead: 1])
    // An operator gave up an entry while it was being delivered: a delivered entry never counts as lost.
    try await store.markSent([other.sequence], at: later)
    #expect(try await store.outboxDepth() == [.sent: 2])
  }

  @Test(arguments: Engine.all)
  func `the outbox depth counts each state separately`(engine: Engine) async throws {
    let store = try open(engine)
    func notify(_ numbers: Range<Int>) async throws {
      for number in numbers {
        let told = now.advanced(by: .seconds(number))
        let notice = OperatorNotice.test(sink: "drop", by: "anna\(number)").notice(at: told, install: "i")
        _ = try await store.notify(notice, routes: [SinkRoute(sink: "drop")], now: told)
      }
    }
    try await notify(0..<4)
    #expect(try await store.holdUndelivered() == 4)
    #expect(try await store.outboxDepth() == [.held: 4])
    try await notify(4..<15)
    let later = now.advanced(by: .hours(1))
    let entries = try await store.dueEntries(sink: "drop", now: later, limit: 99)
    try #require(entries.count == 11)
    #expect(try await store.outboxDepth() == [.pending: 11, .held: 4])
    try await store.markStaged(entries[..<2].map(\.sequence), at: later)
    try await store.markSent(entries[2..<7].map(\.sequence), at: later)
    try await store.markRefused(
      entries[7..<10].map { EntryRefusal(sequence: $0.sequence, error: "never", next: .dead) }, at: later)
    #expect(try await store.outboxDepth() == [.pending: 1, .staged: 2, .sent: 5, .dead: 3, .held: 4])
  }

  @Test(arguments: Engine.all)
  func `the next due entry is the earliest of its sink`(engine: Engine) async throws {
    let store = try open(engine)
    for (number, minutes) in [20, 5, 30].enumerated() {
      let notice = OperatorNotice.test(sink: "drop", by: "anna\(number)")
      let told = now.advanced(by: .seconds(number))
      _ = try await store.notify(notice.notice(at: told, install: "i"), routes: [SinkRoute(sink: "drop")], now: told)
      let entry = try #require(try await store.dueEntries(sink: "drop", now: told, limit: 9).first)
      try await store.markRefused(
        [EntryRefusal(sequence: entry.sequence, error: "e", next: .tryAgain(at: now.advanced(by: .minutes(minutes))))],
        at: told)
    }
    #expect(try await store.nextDue(sink: "drop") == now.advanced(by: .minutes(5)))
    #expect(try await store.nextDue(sink: "stdout") == nil)
  }

  @Test(arguments: Engine.all)
  func `a slot due during a run is coalesced into that run, which is named`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let (first, second) = (now, now.advanced(by: .hours(24)))
    for slot in [first, second] {
      _ = try await store.take(
        [JobTick(job: job, cursor: slot, claims: [request(job, slot: slot)], passed: [])], now: second)
    }
    let passed = try #require(try await store.history(HistoryQuery(slot: second)).first)
    #expect(passed.outcome == .coalesced && passed.detail?.contains(first.description) == true, "\(passed)")
    // A second call coalesces nothing more.
    #expect(
      try await store.take(
        [JobTick(job: job, cursor: first, claims: [request(job, slot: first)], passed: [])], now: second
      ).isEmpty)
    #expect(try await store.history(HistoryQuery(slot: first)).map(\.outcome) == [.running])
  }

  @Test(arguments: Engine.all)
  func `a waiting run is retried or cancelled once`(engine: Engine) async throws {
    let store = try open(engine)
    let run = try #require(try await store.claim([request(try await addTeam(to: store), slot: now)], now: now).first)
    let key = RunKey(jobID: run.jobID, slot: run.slot)
    let later = now.advanced(by: .minutes(1))
    func wait(_ run: ClaimedRun) async throws {
      let outcome = Outcome(result: .waiting, reason: "busy", detail: nil, notice: nil)
      try await store.settle([RunSettlement(run: run, outcome: outcome, finishedAt: now, nextTryAt: later)], routes: [])
    }
    #expect(try await store.retry([key], now: now).isEmpty, "it is under way")
    try await wait(run)
    #expect(try await store.waitingRuns() == [key: later])
    let again = try #require(try await store.retry([key], now: later).first)
    #expect(again.attempts == 2 && again.startedAt == later && again.slot == run.slot)
    #expect(try await store.retry([key], now: later).isEmpty)
    #expect(try await store.waitingRuns().isEmpty)
    try await wait(again)
    #expect(try await store.cancelWaiting(key, detail: "cancelled by anna", now: later))
    #expect(try await !store.cancelWaiting(key, detail: "cancelled by ben", now: later))
    let record = try #require(try await store.history(HistoryQuery()).first)
    #expect(record.reason == "cancelled" && record.detail == "cancelled by anna" && record.nextTryAt == nil)
  }

  @Test(arguments: Engine.all)
  func `a slot due during a run is settled as coalesced`(engine: Engine) async throws {
    let store = try open(engine)
    let job = try await addTeam(to: store)
    let later = now.advanced(by: .hours(24))
    let looks = [now, later].map { JobTick(job: job, cursor: $0, claims: [request(job, slot: $0)]) }
    #expect(try await store.take([looks[0]], now: now).count == 1)
    #expect(try await store.take([looks[1]], now: later).isEmpty)
    #expect(try await store.history(HistoryQuery()).map(\.outcome) == [.coalesced, .running])
    #expect(try await store.jobs(of: job.teamID).map(\.cursor) == [later])
  }
}
