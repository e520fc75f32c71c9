import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// Boundary cases of the scheduler: the last instant on one side of each limit and the first on the other.
struct SchedulerBoundsTests {
  let zones = SystemZones()
  let slot = Samples.mondayMorning

  func job(
    _ number: Int64 = 1, rule: String = "*-*-* 07:00:00", cursor: Timestamp, jitter: Duration = .zero,
    holds: [Hold] = [], kind: JobKind = .morningSummary, team: Int64 = 1, generation: Int64 = 1
  ) throws -> PlannedJob {
    try PlannedJob(
      JobRecord(
        id: JobID(number), teamID: TeamID(team), teamName: "desert-blue", kind: kind, rule: .calendar(rule),
        zone: "America/Phoenix", generation: generation, cursor: cursor, deadline: nil), zones: zones, holds: holds,
      jitter: jitter)
  }

  func ticks(_ actions: [SchedulerState.Action]) -> [JobTick] {
    actions.flatMap { if case .take(let ticks) = $0 { ticks } else { [] as [JobTick] } }
  }

  func sleep(_ actions: [SchedulerState.Action]) -> Timestamp? {
    for case .sleep(let until) in actions { return until }
    return nil
  }

  private func beats(_ actions: [SchedulerState.Action]) -> Int {
    actions.count { if case .heartbeat = $0 { true } else { false } }
  }

  @Test func `a tick is limited in verdicts, and the next tick takes the rest at once`() throws {
    // Each job has a thousand missed minutes, and one range for all earlier ones.
    let each = Limits.slotsPerCatchUp
    let fit = Limits.verdictsPerTick / each
    var state = SchedulerState()
    let behind = slot.advanced(by: .hours(-48))
    _ = state.handle(
      .loaded(try (1...fit + 3).map { try job(Int64($0), rule: "*-*-* *:*:00", cursor: behind) }))
    let first = state.handle(.timerFired(now: slot.advanced(by: .seconds(1))))
    #expect(fit * each == Limits.verdictsPerTick && ticks(first).count == fit)
    #expect(ticks(first).allSatisfy { $0.skippedRange != nil })
    #expect(sleep(first).map { $0 <= slot.advanced(by: .seconds(1)) } == true)
    let second = state.handle(.timerFired(now: slot.advanced(by: .seconds(2))))
    #expect(ticks(first).count + ticks(second).count == fit + 3)
    #expect(Set((ticks(first) + ticks(second)).map(\.jobID)).count == fit + 3)
  }

  @Test func `runs at most a minute late are not limited as late runs`() throws {
    for (delay, begun) in [
      (Limits.catchUpAfter, Limits.lateRunsPerTick + 7), (.milliseconds(60_001), Limits.lateRunsPerTick),
    ] {
      var state = SchedulerState()
      _ = state.handle(
        .loaded(
          try (1...Limits.lateRunsPerTick + 7).map { try job(Int64($0), cursor: slot.advanced(by: .hours(-24))) }))
      let now = slot.advanced(by: delay)
      let actions = state.handle(.timerFired(now: now))
      #expect(ticks(actions).flatMap(\.claims).count == begun, "\(delay)")
      if begun == Limits.lateRunsPerTick { #expect(sleep(actions) == now.advanced(by: .seconds(1))) }
    }
  }

  @Test func `a heartbeat is due at its age and after a clock rollback`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([]))
    #expect(beats(state.handle(.timerFired(now: slot))) == 1)
    let old = slot.advanced(by: Limits.heartbeat)
    #expect(beats(state.handle(.timerFired(now: old.advanced(by: .milliseconds(-1))))) == 0)
    #expect(beats(state.handle(.timerFired(now: old))) == 1)
    #expect(beats(state.handle(.timerFired(now: old))) == 0)
    #expect(beats(state.handle(.timerFired(now: old.advanced(by: .milliseconds(-1))))) == 1)
  }

  @Test func `an absence starts after its limit and distinguishes suspend from clock changes`() {
    func downtime(_ gap: Duration, uptime: Duration?) -> Downtime.Kind? {
      var state = SchedulerState()
      _ = state.handle(.timerFired(now: slot, uptime: .seconds(500)))
      let actions = state.handle(
        .timerFired(now: slot.advanced(by: gap), uptime: uptime.map { .seconds(500) + $0 }))
      for case .heartbeat(let downtime) in actions { return downtime?.kind }
      return nil
    }
    let bound = Limits.shortestDowntime
    let beyond = bound + .milliseconds(1)
    #expect(downtime(bound, uptime: bound) == nil)
    #expect(downtime(beyond, uptime: beyond) == .asleep)
    #expect(downtime(beyond, uptime: nil) == .asleep)
    #expect(downtime(beyond, uptime: .milliseconds(1)) == .asleep)
    #expect(downtime(beyond, uptime: .zero) == .clockSetForwards)
    #expect(downtime(.zero - Limits.clockStep, uptime: .zero) == nil)
    #expect(downtime(.zero - Limits.clockStep - .milliseconds(1), uptime: .zero) == .clockSetBack)
  }

  @Test func `an implausible clock is doubted, and trusted after a minute of running`() {
    var watch = ClockWatch()
    let first = Limits.earliestPlausibleNow
    #expect(watch.tick(at: first.advanced(by: .milliseconds(-1))) == .notSet)
    #expect(watch.tick(at: first) == .believable)
    #expect(watch.tick(at: first.advanced(by: Limits.plausibleClockJump)) == .believable)
    let far = first.advanced(by: Limits.plausibleClockJump + Limits.plausibleClockJump + .milliseconds(1))
    let end = far.advanced(by: Limits.clockProbation)
    #expect(watch.tick(at: far) == .onProbation(until: end))
    #expect(watch.tick(at: end.advanced(by: .milliseconds(-1))) == .onProbation(until: end))
    var late = watch
    var tooLate = watch
    #expect(watch.tick(at: end) == .believable)
    // A look that comes later than the longest sleep is another jump.
    let last = end.advanced(by: Limits.longestSleep + .seconds(5))
    #expect(late.tick(at: last) == .believable)
    let beyond = last.advanced(by: .milliseconds(1))
    #expect(tooLate.tick(at: beyond) == .onProbation(until: beyond.advanced(by: Limits.clockProbation)))
  }

  @Test func `a skip covers a slot at the instant of the request, and none before`() throws {
    func claims(from: Timestamp) throws -> [Timestamp] {
      let hold = Hold(
        id: 1, teamID: TeamID(1), jobID: JobID(1), kind: .skip(left: 1), from: from, endedAt: nil, note: "",
        setBy: "anna")
      var state = SchedulerState()
      _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)), holds: [hold])]))
      return ticks(state.handle(.timerFired(now: slot.advanced(by: .seconds(1))))).flatMap(\.claims).map(\.slot)
    }
    #expect(try claims(from: slot.advanced(by: .milliseconds(1))) == [slot])
    #expect(try claims(from: slot) == [])
    #expect(try claims(from: slot.advanced(by: .hours(-9))) == [])
  }

  /// The jitter must be the same in every process and version, so that an upgrade delays no run twice.
  @Test func `the jitter of a run is the same in every version`() throws {
    let jitter = try (1...4).map { try job(Int64($0), cursor: slot, jitter: .minutes(20)).jitter(of: slot) }
    #expect(jitter == [422_465, 1_148_110, 739_053, 1_003_978].map { .milliseconds($0) })
    // The jitter never reaches the next slot.
    let minutely = try (1...2).map {
      try job(Int64($0), rule: "*-*-* *:*:00", cursor: slot, jitter: .minutes(20)).jitter(of: slot)
    }
    #expect(minutely == [2_465, 8_110].map { .milliseconds($0) })
    #expect(try job(cursor: slot).jitter(of: slot) == .zero)
    // A window of one millisecond contains one instant.
    for number in 1...9 {
      #expect(try job(Int64(number), cursor: slot, jitter: .milliseconds(1)).jitter(of: slot) == .zero)
    }
  }

  @Test func `urgent jobs of an instant come first, then older jobs`() throws {
    var state = SchedulerState()
    let before = slot.advanced(by: .hours(-24))
    _ = state.handle(
      .loaded([
        try job(1, cursor: before, kind: .weeklyDigest), try job(3, cursor: before, kind: .lowStock),
        try job(2, cursor: before, kind: .lowStock), try job(4, cursor: before),
      ]))
    #expect(ticks(state.handle(.timerFired(now: slot))).map(\.jobID.number) == [2, 3, 4, 1])
  }

  @Test func `coming slots are listed without a scan of all jobs, else read from the store`() throws {
    let before = slot.advanced(by: .hours(-24))
    let newest = slot.advanced(by: .hours(-23))
    let now = slot.advanced(by: .hours(-1))
    var state = SchedulerState()
    #expect(state.upcomingJobs(3, now: now) == nil)
    _ = state.handle(.timerFired(now: now))
    _ = state.handle(
      .loaded([
        try job(2, cursor: before), try job(1, cursor: before), try job(3, rule: "*-*-* 08:00:00", cursor: newest),
      ]))
    #expect(state.upcomingJobs(0, now: now)?.bound?.job == JobID(1))
    let one = try #require(state.upcomingJobs(1, now: now))
    #expect(one.jobs.map(\.record.id.number) == [1])
    #expect(one.bound.map { $0.at == slot && $0.job == JobID(2) } == true)
    let two = try #require(state.upcomingJobs(2, now: now))
    #expect(two.jobs.map(\.record.id.number) == [1, 2])
    #expect(two.bound.map { $0.at == slot.advanced(by: .hours(1)) && $0.job == JobID(3) } == true)
    #expect(state.upcomingJobs(3, now: now)?.jobs.count == 3 && state.upcomingJobs(3, now: now)?.bound == nil)
    // Due slots that are not taken yet are listed after it.
    #expect(
      state.upcomingJobs(0, now: slot)?.bound.map { $0.at == slot.advanced(by: .hours(1)) && $0.job == JobID(3) }
        == true)
    let later = try #require(state.upcomingJobs(2, now: slot.advanced(by: .hours(1))))
    #expect(later.jobs.map(\.record.id.number) == [1, 2])
    #expect(later.bound.map { $0.at == slot.advanced(by: .hours(25)) && $0.job == JobID(3) } == true)
    // A cursor ahead of the clock makes the list unavailable.
    #expect(state.upcomingJobs(3, now: newest) != nil)
    #expect(state.upcomingJobs(3, now: newest.advanced(by: .milliseconds(-1))) == nil)
    // A clock rollback in progress makes it unavailable too.
    _ = state.handle(.timerFired(now: now.advanced(by: .zero - Limits.clockStep)))
    #expect(state.upcomingJobs(3, now: now) != nil)
    _ = state.handle(.timerFired(now: now))
    _ = state.handle(.timerFired(now: now.advanced(by: .zero - Limits.clockStep - .milliseconds(1))))
    #expect(state.upcomingJobs(3, now: now) == nil)
    _ = state.handle(.rolledBack(downtimes: []))
    #expect(state.upcomingJobs(3, now: now) != nil)
    _ = state.handle(.replanned(TeamID(2), [try job(4, cursor: before, jitter: .milliseconds(1), team: 2)]))
    #expect(state.upcomingJobs(3, now: now) == nil)
    _ = state.handle(.replanned(TeamID(2), [try job(4, cursor: before, team: 2)]))
    #expect(state.upcomingJobs(4, now: now)?.jobs.count == 4)
  }

  @Test func `the next slot outside of all holds is at a pause's end or after skips`() throws {
    func next(_ holds: [Hold.Kind]) throws -> Timestamp? {
      let from = slot.advanced(by: .hours(-2))
      let all = holds.enumerated().map {
        Hold(
          id: Int64($0), teamID: TeamID(1), jobID: JobID(1), kind: $1, from: from, endedAt: nil, note: "", setBy: "a")
      }
      return try job(cursor: slot.advanced(by: .hours(-24)), holds: all).nextToRun(after: from)?.instant
    }
    let second = slot.advanced(by: .hours(24))
    #expect(try next([]) == slot)
    #expect(try next([.pause(until: second)]) == second)
    #expect(try next([.pause(until: second.advanced(by: .milliseconds(1)))]) == second.advanced(by: .hours(24)))
    #expect(try next([.pause(until: slot)]) == slot)
    #expect(try next([.pause(until: nil)]) == nil)
    #expect(try next([.skip(left: 1)]) == second)
    // A slot inside a pause uses up no skip.
    #expect(try next([.pause(until: second), .skip(left: 1)]) == second.advanced(by: .hours(24)))
    // The skipped slot may be far in the future.
    let yearly = try job(
      rule: "*-11-01 07:00:00", cursor: slot,
      holds: [
        Hold(
          id: 1, teamID: TeamID(1), jobID: JobID(1), kind: .skip(left: 1), from: slot, endedAt: nil, note: "",
          setBy: "a")
      ])
    #expect(yearly.nextToRun(after: slot)?.instant == Timestamp(seconds: 1_825_077_600))
    var early = try job(cursor: slot.advanced(by: .hours(-24)))
    early.ranEarly = [slot]
    #expect(early.nextToRun(after: slot.advanced(by: .hours(-3)))?.instant == second)
  }

  @Test func `handed-off partitions remove and add their teams' jobs`() throws {
    let (before, newest) = (slot.advanced(by: .hours(-24)), slot.advanced(by: .hours(-23)))
    let (one, two, three) = (
      try job(1, cursor: before, team: 1), try job(2, cursor: before, team: 65), try job(3, cursor: before, team: 2)
    )
    func jobs(_ state: SchedulerState) throws -> [Int64] {
      try #require(state.upcomingJobs(9, now: slot.advanced(by: .hours(-1)))).jobs.map(\.record.id.number)
    }
    var state = SchedulerState()
    _ = state.handle(.timerFired(now: slot.advanced(by: .hours(-1))))
    _ = state.handle(.loaded([one, two, three]))
    // Teams 1 and 65 are in the same partition.
    _ = state.handle(.partitionsChanged(PartitionSet([1, 7]), []))
    #expect(try jobs(state) == [3] && !state.isPlanned(JobID(2)) && state.isPlanned(JobID(3)))
    _ = state.handle(.partitionsChanged(PartitionSet(partition: 1), [try job(1, cursor: newest, team: 1), two]))
    #expect(try jobs(state) == [1, 2, 3] && state.newestCursor == newest)
    // A job that is added twice exists once.
    _ = state.handle(.partitionsChanged(PartitionSet([1, 2]), [one, two, three]))
    #expect(try jobs(state) == [1, 2, 3])
    _ = state.handle(.partitionsChanged(.all, []))
    #expect((1...3).allSatisfy { !state.isPlanned(JobID($0)) } && state.nextInstant == nil)
  }

  @Test func `hundreds of instants stay in order after plans, moves and removals`() throws {
    var random = SeededNumbers(seed: 20_260_303)
    let before = slot.advanced(by: .hours(-24))
    // One minute for each job, far enough apart that none is late.
    var times: [Int64: Int] = [:]
    for (number, minute) in (1...600).shuffled(using: &random).prefix(300).enumerated() {
      times[Int64(number)] = minute
    }
    func planned(_ number: Int64) throws -> PlannedJob {
      let minute = times[number] ?? 0
      let time = [8 + minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      return try job(number, rule: "2026-03-02 \(time):00", cursor: before, team: number)
    }
    var state = SchedulerState()
    _ = state.handle(.loaded(try times.keys.sorted().map(planned)))
    // Some jobs move, some are removed, some return.
    var free = Set(1...600).subtracting(times.values).sorted()[...]
    for number in times.keys.sorted().shuffled(using: &random).prefix(150) {
      switch number % 3 {
      case 0:
        times[number] = nil
        _ = state.handle(.replanned(TeamID(number), []))
      case 1:
        times[number] = free.popFirst()
        _ = state.handle(.replanned(TeamID(number), [try planned(number)]))
      default:
        _ = state.handle(.replanned(TeamID(number), []))
        _ = state.handle(.replanned(TeamID(number), [try planned(number)]))
      }
    }
    let order = times.sorted { $0.value < $1.value }
    var wake = sleep(state.handle(.timerFired(now: slot)))
    for (number, minute) in order {
      let due = slot.advanced(by: .minutes(60 + minute))
      #expect(wake == due)
      #expect(state.nextJob().map { $0.job.id.number == number && $0.at == due } == true)
      let actions = state.handle(.timerFired(now: due))
      #expect(ticks(actions).map(\.jobID.number) == [number])
      wake = sleep(actions)
    }
    #expect(wake == nil && state.nextJob() == nil)
  }

  @Test func `a job without jitter has nothing to flush and waits for its tick`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)))]))
    _ = state.handle(.timerFired(now: slot.advanced(by: .seconds(-1))))
    #expect(ticks(state.handle(.jitterFlushed(nil, now: slot))).isEmpty)
    #expect(ticks(state.handle(.jitterFlushed(TeamID(1), now: slot))).isEmpty)
    #expect(ticks(state.handle(.timerFired(now: slot))).flatMap(\.claims).map(\.slot) == [slot])
  }
}
