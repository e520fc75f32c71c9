import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// The recorded reasons of slots that did not run.
struct VerdictTests {
  private let zones = SystemZones()
  /// Monday 2026-03-02 07:00 in Phoenix.
  private let slot = Samples.mondayMorning

  private func job(
    rule: String = "*-*-* 07:00:00", zone: String = "America/Phoenix", cursor: Timestamp, holds: [Hold] = [],
    jitter: Duration = .zero, number: Int64 = 1
  ) throws -> PlannedJob {
    try PlannedJob(
      JobRecord(
        id: JobID(number), teamID: TeamID(1), teamName: "desert-blue", kind: .morningSummary, rule: .calendar(rule),
        zone: zone, generation: 1, cursor: cursor, deadline: nil), zones: zones, holds: holds, jitter: jitter)
  }

  private func hold(_ kind: Hold.Kind, from: Timestamp, ended: Timestamp? = nil, job: Int64? = 1) -> Hold {
    Hold(
      id: 7, teamID: TeamID(1), jobID: job.map { JobID($0) }, kind: kind, from: from, endedAt: ended, note: "recount",
      setBy: "anna")
  }

  private func ticks(_ actions: [SchedulerState.Action]) -> [JobTick] {
    actions.flatMap { action -> [JobTick] in
      if case .take(let ticks) = action { ticks } else { [] }
    }
  }

  private func day(_ number: Int) -> Timestamp { slot.advanced(by: .hours(24 * number)) }

  @Test func `a missed slot records the daemon's downtime`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(-1))]))
    let down = Downtime(kind: .crashed, from: slot.advanced(by: .hours(-2)), to: slot.advanced(by: .hours(8)))
    _ = state.handle(.began(downtimes: [down]))
    let tick = try #require(ticks(state.handle(.timerFired(now: slot.advanced(by: .hours(8))))).first)
    #expect(
      tick.passed.first?.detail == "the daemon was down from Mon 2026-03-02 05:00 MST to Mon 2026-03-02 15:00 MST, "
        + "after a crash or power failure; the slot was found 8 h late, after it had expired")
  }

  @Test func `a clock rollback between start and first tick is noticed`() throws {
    for (back, isTakenBack) in [(Duration.hours(14), true), (.seconds(1), false)] {
      var state = SchedulerState()
      _ = state.handle(.loaded([try job(cursor: slot)]))
      _ = state.handle(.began(downtimes: [], clock: StoredClockState(readAt: slot)))
      let actions = state.handle(.timerFired(now: slot.advanced(by: .zero - back), uptime: .seconds(1)))
      let takenBack = actions.contains { if case .rollBack(from: slot) = $0 { true } else { false } }
      #expect(takenBack == isTakenBack, "\(back)")
    }
  }

  @Test func `a suspend and a clock set forward are distinguished by the machine's uptime`() throws {
    for (slept, kind) in [(Duration.hours(8), Downtime.Kind.asleep), (.seconds(3), .clockSetForwards)] {
      var state = SchedulerState()
      _ = state.handle(.loaded([try job(cursor: day(-1))]))
      _ = state.handle(.timerFired(now: slot.advanced(by: .hours(-1)), uptime: .seconds(100)))
      let actions = state.handle(.timerFired(now: slot.advanced(by: .hours(7)), uptime: .seconds(100) + slept))
      guard case .heartbeat(let downtime?) = actions.first else {
        Issue.record("no absence was noticed")
        return
      }
      #expect(downtime.kind == kind)
      #expect(downtime.covers(slot))
    }
  }

  @Test func `a heartbeat is sent once a minute, and at once after a clock rollback`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(0))]))
    func beats(_ actions: [SchedulerState.Action]) -> Int {
      actions.count { if case .heartbeat = $0 { true } else { false } }
    }
    var count = 0
    for second in stride(from: 0, to: 600, by: 5) {
      count += beats(state.handle(.timerFired(now: slot.advanced(by: .seconds(second)))))
    }
    #expect((10...11).contains(count))
    #expect(beats(state.handle(.timerFired(now: slot.advanced(by: .hours(-3))))) == 1)
  }

  @Test func `ten years of a minutely rule are a thousand verdicts and one range`() throws {
    var state = SchedulerState()
    let start = slot.advanced(by: .hours(-24 * 3_650))
    _ = state.handle(.loaded([try job(rule: "*-*-* *:*:00", cursor: start)]))
    let tick = try #require(ticks(state.handle(.timerFired(now: slot.advanced(by: .seconds(1))))).first)
    #expect(tick.claims.map(\.slot) == [slot])
    #expect(tick.passed.count == Limits.slotsPerCatchUp)
    let skippedRange = try #require(tick.skippedRange)
    #expect(skippedRange.first == start.advanced(by: .minutes(1)))
    #expect(tick.passed.first?.slot == skippedRange.last.advanced(by: .minutes(1)))
    #expect(tick.cursor == slot)
  }

  @Test func `a slot moved by a clock change records this`() throws {
    var state = SchedulerState()
    // 2026-03-08 02:30 does not exist in New York; the slot runs at 03:00 EDT, 07:00Z.
    let moved = Timestamp(seconds: 1_772_953_200)
    let cursor = moved.advanced(by: .hours(-12))
    _ = state.handle(.loaded([try job(rule: "*-*-* 02:30:00", zone: "America/New_York", cursor: cursor)]))
    let claim = try #require(ticks(state.handle(.timerFired(now: moved))).first?.claims.first)
    #expect(claim.slot == moved)
    #expect(claim.note?.hasPrefix("02:30 does not exist on 2026-03-08") == true)
  }

  @Test func `a paused slot is recorded with the user and the note, and not replayed`() throws {
    var state = SchedulerState()
    let pause = hold(.pause(until: slot.advanced(by: .hours(25))), from: slot.advanced(by: .hours(-1)))
    _ = state.handle(.loaded([try job(cursor: day(-1), holds: [pause])]))
    let first = try #require(ticks(state.handle(.timerFired(now: slot))).first)
    #expect(first.claims.isEmpty && first.passed.map(\.outcome) == [.paused])
    #expect(first.passed.first?.detail == "paused by anna: recount")
    #expect(ticks(state.handle(.timerFired(now: day(1)))).first?.passed.map(\.outcome) == [.paused])
    #expect(ticks(state.handle(.timerFired(now: day(2)))).first?.claims.map(\.slot) == [day(2)])
  }

  @Test func `a pause during downtime is recorded as the reason, and older slots catch up`() throws {
    var state = SchedulerState()
    let pause = hold(.pause(until: nil), from: slot.advanced(by: .hours(1)), ended: slot.advanced(by: .hours(3)))
    _ = state.handle(
      .loaded([try job(rule: "*-*-* 07,09:00:00", cursor: slot.advanced(by: .hours(-1)), holds: [pause])]))
    let tick = try #require(ticks(state.handle(.timerFired(now: slot.advanced(by: .hours(4))))).first)
    #expect(tick.claims.map(\.slot) == [slot])
    #expect(tick.passed.map(\.slot) == [slot.advanced(by: .hours(2))])
    #expect(tick.passed.map(\.outcome) == [.paused])
  }

  @Test func `a skip skips its number of slots and then ends`() throws {
    var state = SchedulerState()
    let skip = hold(.skip(left: 2), from: slot.advanced(by: .hours(-1)))
    let planned = try job(cursor: day(-1), holds: [skip])
    #expect(planned.nextToRun(after: day(-1))?.instant == day(2))
    #expect(planned.nextToRun(after: day(2))?.instant == day(3))
    _ = state.handle(.loaded([planned]))
    for number in 0..<2 {
      let tick = try #require(ticks(state.handle(.timerFired(now: day(number)))).first)
      #expect(tick.passed.map(\.outcome) == [.skipped] && tick.passed.first?.holdID == 7)
    }
    #expect(ticks(state.handle(.timerFired(now: day(2)))).first?.claims.map(\.slot) == [day(2)])
  }

  @Test func `the jitter of a job is constant and never reaches its next slot`() throws {
    var offsets: Set<Duration> = []
    for number in 1...50 {
      let planned = try job(cursor: day(-1), jitter: .minutes(10), number: Int64(number))
      let jitter = planned.jitter(of: slot)
      #expect(jitter == planned.jitter(of: day(40)) && jitter < .minutes(10))
      offsets.insert(jitter)
      var state = SchedulerState()
      _ = state.handle(.loaded([planned]))
      if jitter > .zero {
        #expect(ticks(state.handle(.timerFired(now: slot.advanced(by: jitter - .milliseconds(1))))).isEmpty)
      }
      let tick = try #require(ticks(state.handle(.timerFired(now: slot.advanced(by: jitter)))).first)
      #expect(tick.claims.map(\.slot) == [slot] && tick.claims.first?.jitter == jitter)
    }
    #expect(offsets.count > 45)
    let minutely = try job(rule: "*-*-* *:*:00", cursor: slot, jitter: .minutes(10))
    #expect(minutely.jitter(of: slot) < .minutes(1))
  }

  @Test func `before a rule change, due jitter is flushed and future slots stay`() throws {
    for number in 1...20 {
      let planned = try job(cursor: day(-1), jitter: .minutes(10), number: Int64(number))
      var state = SchedulerState()
      _ = state.handle(.loaded([planned]))
      _ = state.handle(.timerFired(now: slot.advanced(by: .seconds(-1))))
      #expect(ticks(state.handle(.jitterFlushed(nil, now: slot.advanced(by: .seconds(-1))))).isEmpty)
      let begun =
        ticks(state.handle(.timerFired(now: slot))) + ticks(state.handle(.jitterFlushed(TeamID(1), now: slot)))
      #expect(begun.flatMap(\.claims).map(\.slot) == [slot], "\(number)")
      #expect(ticks(state.handle(.jitterFlushed(nil, now: slot.advanced(by: .minutes(10))))).isEmpty)
      #expect(ticks(state.handle(.timerFired(now: slot.advanced(by: .minutes(10))))).isEmpty)
    }
  }

  @Test func `a tick takes urgent jobs first and large ones last, up to its limit`() throws {
    let (count, few) = (100, 7)
    var state = SchedulerState(jobsPerTick: few)
    let kinds = try [JobKind.morningSummary, .lowStock].map { kind in
      try (1...count).map { number in
        try PlannedJob(
          JobRecord(
            id: JobID(Int64(number) + (kind == .lowStock ? 1_000 : 0)), teamID: TeamID(Int64(number)), teamName: "a",
            kind: kind, rule: .calendar("*-*-* 07:00:00"), zone: "America/Phoenix", generation: 1, cursor: day(-1),
            deadline: nil), zones: zones)
      }
    }
    _ = state.handle(.loaded(kinds.flatMap(\.self)))
    let large = JobID(1_001)
    state.setLargeJobs([large])
    #expect(state.expected(few)?.slot == slot)
    let expected = try #require(state.expected(few)).ticks.map(\.jobID)
    var taken: [JobID] = []
    var looked = 0
    while state.isDue(by: slot), looked < 2 * count {
      let ticks = ticks(state.handle(.timerFired(now: slot)))
      #expect(ticks.count <= few && ticks.allSatisfy { $0.claims.map(\.slot) == [slot] })
      if looked == 0 { #expect(ticks.map(\.jobID) == expected) }
      taken += ticks.map(\.jobID)
      looked += 1
    }
    #expect(Set(taken).count == 2 * count && taken.count == 2 * count)
    #expect(taken.prefix(count - 1).allSatisfy { $0.number > 1_001 } && taken.suffix(few).contains(large))
    #expect(state.newestCursor == slot)
  }

  @Test func `due jobs of a team that is being changed are claimed before other teams' jobs`() throws {
    var state = SchedulerState(jobsPerTick: 2)
    let jobs = try (1...9).map { number in
      try PlannedJob(
        JobRecord(
          id: JobID(Int64(number)), teamID: TeamID(Int64(number)), teamName: "a", kind: .morningSummary,
          rule: .calendar("*-*-* 07:00:00"), zone: "America/Phoenix", generation: 1, cursor: day(-1), deadline: nil),
        zones: zones)
    }
    _ = state.handle(.loaded(jobs))
    #expect(ticks(state.handle(.teamChanging(TeamID(9), now: slot.advanced(by: .seconds(-1))))).isEmpty)
    #expect(ticks(state.handle(.teamChanging(TeamID(9), now: slot))).map(\.jobID) == [JobID(9)])
    #expect(ticks(state.handle(.teamChanging(TeamID(9), now: slot))).isEmpty)
    var rest: [JobID] = []
    while state.isDue(by: slot), rest.count < 20 { rest += ticks(state.handle(.timerFired(now: slot))).map(\.jobID) }
    #expect(rest == (1...8).map { JobID($0) })
  }

  @Test func `after downtime late runs start at a limited rate, and all run`() throws {
    var state = SchedulerState()
    let count = Limits.lateRunsPerTick * 2 + 10
    _ = state.handle(.loaded(try (1...count).map { try job(cursor: day(-1), number: Int64($0)) }))
    var now = slot.advanced(by: .hours(1))
    var begun: [Int] = []
    var jobs: Set<JobID> = []
    while jobs.count < count, begun.count < 10 {
      let claims = ticks(state.handle(.timerFired(now: now))).flatMap(\.claims)
      begun.append(claims.count)
      jobs.formUnion(claims.map(\.jobID))
      now = now.advanced(by: .seconds(1))
    }
    #expect(begun == [Limits.lateRunsPerTick, Limits.lateRunsPerTick, 10])
    #expect(jobs.count == count)
  }
}
