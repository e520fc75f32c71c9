import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

// The order of many due jobs, and slots that become due during other work.
extension SchedulerBoundsTests {
  @Test func `no jitter is flushed while a clock rollback is in progress`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)), jitter: .minutes(20))]))
    let back = slot.advanced(by: .seconds(1))
    _ = state.handle(.timerFired(now: back.advanced(by: Limits.clockStep + .milliseconds(1))))
    _ = state.handle(.timerFired(now: back))
    #expect(ticks(state.handle(.jitterFlushed(nil, now: back))).isEmpty && state.expected(9) == nil)
    _ = state.handle(.rolledBack(downtimes: []))
    #expect(state.expected(9) != nil)
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)), jitter: .minutes(20))]))
    #expect(ticks(state.handle(.jitterFlushed(nil, now: back))).flatMap(\.claims).map(\.slot) == [slot])
  }

  @Test func `a long gap between ticks does not raise the limit of late runs`() throws {
    var state = SchedulerState()
    let count = Limits.lateRunsPerTick * 3
    _ = state.handle(.loaded(try (1...count).map { try job(Int64($0), cursor: slot.advanced(by: .hours(-24))) }))
    let now = slot.advanced(by: .hours(1))
    // No look happens for a while, and two turns become due.
    let begun = [0, 20, 21].map { seconds in
      ticks(state.handle(.timerFired(now: now.advanced(by: .seconds(seconds))))).flatMap(\.claims).count
    }
    #expect(begun == Array(repeating: Limits.lateRunsPerTick, count: 3))
  }

  @Test func `slots claimed early because their team is being changed move the newest cursor`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)))]))
    #expect(ticks(state.handle(.teamChanging(TeamID(1), now: slot))).count == 1)
    #expect(state.newestCursor == slot)
  }

  @Test func `a job planned for a partly claimed instant queues with the rest`() throws {
    let before = slot.advanced(by: .hours(-24))
    var state = SchedulerState(jobsPerTick: 2)
    // These rules have one slot only, so nothing else enters the queue.
    let once = "2026-03-02 07:00:00"
    _ = state.handle(.loaded(try (1...6).map { try job(Int64($0), rule: once, cursor: before, kind: .lowStock) }))
    #expect(ticks(state.handle(.timerFired(now: slot))).map(\.jobID.number) == [1, 2])
    _ = state.handle(.replanned(TeamID(9), [try job(9, rule: once, cursor: before, kind: .weeklyDigest, team: 9)]))
    var rest: [[Int64]] = []
    while state.isDue(by: slot), rest.count < 5 {
      rest.append(ticks(state.handle(.timerFired(now: slot))).map(\.jobID.number))
    }
    #expect(rest == [[3, 4], [5, 6], [9]])
  }

  @Test func `a job re-planned out of a partly claimed instant is not claimed with it`() throws {
    let before = slot.advanced(by: .hours(-24))
    func planned(_ number: Int64, _ rule: String = "*-*-* 07:00:00") throws -> PlannedJob {
      try job(number, rule: rule, cursor: before, kind: .lowStock, team: number)
    }
    var state = SchedulerState(jobsPerTick: 2)
    _ = state.handle(.loaded(try (1...8).map { try planned($0) }))
    #expect(ticks(state.handle(.timerFired(now: slot))).map(\.jobID.number) == [1, 2])
    // Job 4 moves later; job 5 moves away and back; job 6 is removed.
    _ = state.handle(.replanned(TeamID(4), [try planned(4, "2026-03-02 07:30:00")]))
    _ = state.handle(.replanned(TeamID(5), [try planned(5, "2026-03-02 07:30:00")]))
    _ = state.handle(.replanned(TeamID(5), [try planned(5)]))
    _ = state.handle(.replanned(TeamID(6), []))
    var rest: [[Int64]] = []
    while state.isDue(by: slot), rest.count < 9 {
      rest.append(ticks(state.handle(.timerFired(now: slot))).map(\.jobID.number))
    }
    #expect(rest.flatMap { $0 }.sorted() == [3, 5, 7, 8] && rest.allSatisfy { $0.count <= 2 }, "\(rest)")
    let later = slot.advanced(by: .minutes(30))
    #expect(ticks(state.handle(.timerFired(now: later))).map(\.jobID.number) == [4])
  }

  @Test func `a run delayed by its jitter is not late`() throws {
    // The jobs that begin in the eleventh minute, of all jobs with a jitter of twenty minutes.
    let minute = Duration.minutes(10)...(.minutes(11) - .milliseconds(1))
    let before = slot.advanced(by: .hours(-24))
    let jitter = try (1...40 * Int64(Limits.lateRunsPerTick)).lazy.map {
      try job($0, cursor: before, jitter: .minutes(20), team: $0)
    }.filter { minute.contains($0.jitter(of: slot)) }.prefix(Limits.lateRunsPerTick + 7)
    var state = SchedulerState()
    _ = state.handle(.loaded(Array(jitter)))
    let begun = ticks(state.handle(.timerFired(now: slot.advanced(by: .minutes(11)))))
    #expect(begun.flatMap(\.claims).count == Limits.lateRunsPerTick + 7)
  }

  @Test func `a clock that jumped ahead is confirmed after a day of running`() throws {
    for step in [Duration.minutes(1), .seconds(50)] {
      var state = SchedulerState()
      var (now, uptime) = (slot, Duration.hours(3))
      _ = state.handle(.timerFired(now: now, uptime: uptime))
      #expect(state.trust.confirmed == now)
      now = now.advanced(by: .hours(72))
      let jumped = uptime
      while state.trust.confirmed == slot, uptime - jumped < .hours(60) {
        (now, uptime) = (now.advanced(by: step), uptime + step)
        _ = state.handle(.timerFired(now: now, uptime: uptime))
      }
      // The initial probation does not count as running with a trusted clock.
      let confirmed = uptime - jumped - Limits.clockConfirmation
      #expect(state.trust.confirmed == now && confirmed >= .zero && confirmed <= Limits.clockProbation + .minutes(3))
    }
  }

  @Test
  func `a claimed slot stays claimed when its team is re-planned with the same rule`() throws {
    let before = slot.advanced(by: .hours(-24))
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: before)]))
    #expect(ticks(state.handle(.timerFired(now: slot))).count == 1)
    _ = state.handle(.replanned(TeamID(1), [try job(cursor: before)]))
    #expect(ticks(state.handle(.timerFired(now: slot))).isEmpty && !state.isDue(by: slot))
    _ = state.handle(.replanned(TeamID(1), [try job(cursor: before, generation: 2)]))
    #expect(ticks(state.handle(.timerFired(now: slot))).flatMap(\.claims).map(\.slot) == [slot])
  }

  @Test func `a tick takes at most its limit of jobs over all instants`() throws {
    var state = SchedulerState(jobsPerTick: 3)
    let before = slot.advanced(by: .hours(-24))
    _ = state.handle(
      .loaded(
        try (1...8).map { try job($0, rule: $0 < 3 ? "*-*-* 06:59:30" : "*-*-* 07:00:00", cursor: before) }))
    var taken: [[Int64]] = []
    while state.isDue(by: slot), taken.count < 9 {
      taken.append(ticks(state.handle(.timerFired(now: slot))).map(\.jobID.number))
    }
    #expect(taken == [[1, 2, 3], [4, 5, 6], [7, 8]])
  }

  @Test func `a run with jitter belongs to its own slot, even close to the next one`() throws {
    let late = try #require(
      try (1...200).lazy.map { try job($0, rule: "*-*-* *:*:00", cursor: slot, jitter: .minutes(20)) }
        .first { $0.jitter(of: slot) > .seconds(45) })
    var state = SchedulerState()
    _ = state.handle(.loaded([late]))
    let next = slot.advanced(by: .minutes(1))
    let due = next.advanced(by: late.jitter(of: next))
    #expect(ticks(state.handle(.timerFired(now: due.advanced(by: .milliseconds(-1))))).isEmpty)
    let tick = ticks(state.handle(.timerFired(now: due)))
    #expect(tick.flatMap(\.claims).map(\.slot) == [next] && tick.flatMap(\.passed).isEmpty)
  }

  @Test func `a second clock rollback starts from the newest instant seen`() {
    var state = SchedulerState()
    func from(_ hours: Int) -> Timestamp? {
      for case .rollBack(let from) in state.handle(.timerFired(now: slot.advanced(by: .hours(hours)))) { return from }
      return nil
    }
    #expect(from(10) == nil)
    #expect(from(5) == slot.advanced(by: .hours(10)))
    #expect(from(0) == slot.advanced(by: .hours(10)))
  }

  @Test func `an unplannable job is reported with its owner`() throws {
    for (team, owner) in [(TeamID(3), "team 'desert-blue'"), (nil, "the server")] {
      let record = JobRecord(
        id: JobID(1), teamID: team, teamName: "desert-blue", kind: .morningSummary, rule: .calendar("no rule"),
        zone: "America/Phoenix", generation: 1, cursor: slot, deadline: nil)
      let error = #expect(throws: UnplannableJob.self) { try PlannedJob(record, zones: zones, holds: []) }
      #expect(error.map { "\($0)".contains(owner) } == true, "\(error as Any)")
    }
  }

  @Test func `the next due time equals a scan of all jobs`() throws {
    var random = SeededNumbers(seed: 20_261_126)
    let before = slot.advanced(by: .hours(-24))
    for round in 0..<200 {
      let planned = try (1...Int64.random(in: 1...12, using: &random)).map { number in
        let minute = Int.random(in: 0...5, using: &random) * 10
        let rules = ["*-*-* 07:\(minute):00", "*-*-* 06:\(minute):00", "Mon 07:\(minute):00", "*-*-* *:\(minute):00"]
        return try job(number, rule: rules.randomElement(using: &random) ?? "", cursor: before)
      }
      var state = SchedulerState(jobsPerTick: 3)
      _ = state.handle(.loaded(planned))
      // Some due jobs are taken, others are not.
      var cursors: [Int64: Timestamp] = [:]
      let now = slot.advanced(by: .minutes(.random(in: -70...70, using: &random)))
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        for tick in ticks(state.handle(.timerFired(now: now))) { cursors[tick.jobID.number] = tick.cursor }
      }
      let all = planned.compactMap { job in
        let cursor = cursors[job.record.id.number] ?? job.record.cursor
        return job.schedule?.next(after: max(now, cursor)).map { (at: $0.instant, job: job.record.id) }
      }.sorted { ($0.at, $0.job) < ($1.at, $1.job) }
      let limit = Int.random(in: 0...5, using: &random)
      let upcomingJobs = try #require(state.upcomingJobs(limit, now: now))
      #expect(upcomingJobs.jobs.map(\.record.id) == all.prefix(limit).map(\.job), "\(round)")
      let rest = all.dropFirst(limit).first
      #expect(upcomingJobs.bound?.at == rest?.at && upcomingJobs.bound?.job == rest?.job, "\(round)")
    }
  }

  @Test(arguments: 0...6, 1...6)
  func `skipped slots are listed in order, held or missed`(held: Int, missed: Int) throws {
    let pause = Hold(
      id: 1, teamID: TeamID(1), jobID: JobID(1), kind: .pause(until: slot.advanced(by: .minutes(held))),
      from: slot.advanced(by: .hours(-1)), endedAt: nil, note: "", setBy: "a")
    var state = SchedulerState()
    let before = slot.advanced(by: .milliseconds(-1))
    _ = state.handle(.loaded([try job(rule: "*-*-* *:*:00", cursor: before, holds: [pause])]))
    let tick = ticks(state.handle(.timerFired(now: slot.advanced(by: .minutes(held + missed)))))
    // The newest slot runs.
    #expect(tick.flatMap(\.claims).map(\.slot) == [slot.advanced(by: .minutes(held + missed))])
    #expect(tick.flatMap(\.passed).map(\.slot) == (0..<held + missed).map { slot.advanced(by: .minutes($0)) })
  }

  @Test func `a tick with space for one job takes one of many`() throws {
    let before = slot.advanced(by: .hours(-24))
    var state = SchedulerState(jobsPerTick: 3)
    let (first, second) = ("2026-03-02 07:00:00", "2026-03-02 07:00:01")
    _ = state.handle(
      .loaded(
        try [(1, first), (2, first), (3, second), (4, second)].map { try job($0.0, rule: $0.1, cursor: before) }))
    let now = slot.advanced(by: .seconds(1))
    #expect(ticks(state.handle(.timerFired(now: now))).map(\.jobID.number) == [1, 2, 3])
    #expect(ticks(state.handle(.timerFired(now: now))).map(\.jobID.number) == [4])
  }

  @Test func `verdicts of punctual runs count toward a tick's limit`() throws {
    let now = slot.advanced(by: .seconds(30))
    func first(of count: Int) throws -> [JobTick] {
      var state = SchedulerState()
      let secondly = try (1...count).map {
        try job(Int64($0), rule: "*-*-* *:*:*", cursor: now.advanced(by: .seconds(-30)))
      }
      _ = state.handle(.loaded(secondly))
      return ticks(state.handle(.timerFired(now: now)))
    }
    let each = try #require(try first(of: 1).first).passed.count
    try #require(each > 20)
    let fit = (Limits.verdictsPerTick + each - 1) / each
    #expect(try first(of: fit + 9).count == fit)
  }
}
