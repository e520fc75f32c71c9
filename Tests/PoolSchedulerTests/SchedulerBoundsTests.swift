import PoolCalendar
import PoolJobs
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolTestKit
import PoolWork
import Testing

/// Where exactly the scheduler's bounds lie: the last instant on this side of each, and the first on the other.
struct SchedulerBoundsTests {
  private let zones = SystemZones()
  private let slot = Samples.mondayMorning

  private func job(
    _ number: Int64 = 1, rule: String = "*-*-* 07:00:00", cursor: Timestamp, jitter: Duration = .zero,
    holds: [Hold] = [], kind: JobKind = .morningSummary, team: Int64 = 1, generation: Int64 = 1
  ) throws -> PlannedJob {
    try PlannedJob(
      JobRecord(
        id: JobID(number), teamID: TeamID(team), teamName: "desert-blue", kind: kind, rule: .calendar(rule),
        zone: "America/Phoenix", generation: generation, cursor: cursor, deadline: nil), zones: zones, holds: holds,
      jitter: jitter)
  }

  private func looks(_ actions: [SchedulerState.Action]) -> [JobLook] {
    actions.flatMap { if case .take(let looks) = $0 { looks } else { [] as [JobLook] } }
  }

  private func sleep(_ actions: [SchedulerState.Action]) -> Timestamp? {
    for case .sleep(let until) in actions { return until }
    return nil
  }

  private func beats(_ actions: [SchedulerState.Action]) -> Int {
    actions.count { if case .beat = $0 { true } else { false } }
  }

  @Test func `a look gives so many verdicts and no more, and the next one, at once, the rest`() throws {
    // Each has a thousand minutes that nobody ran, and all before them in one stretch.
    let each = Limits.slotsPerCatchUp
    let fit = Limits.verdictsPerLook / each
    var state = SchedulerState()
    let behind = slot.advanced(by: .hours(-48))
    _ = state.handle(
      .loaded(try (1...fit + 3).map { try job(Int64($0), rule: "*-*-* *:*:00", cursor: behind) }))
    let first = state.handle(.woke(now: slot.advanced(by: .seconds(1))))
    #expect(fit * each == Limits.verdictsPerLook && looks(first).count == fit)
    #expect(looks(first).allSatisfy { $0.stretch != nil })
    #expect(sleep(first).map { $0 <= slot.advanced(by: .seconds(1)) } == true)
    let second = state.handle(.woke(now: slot.advanced(by: .seconds(2))))
    #expect(looks(first).count + looks(second).count == fit + 3)
    #expect(Set((looks(first) + looks(second)).map(\.jobID)).count == fit + 3)
  }

  @Test func `what is no later than a minute is not late work, however much of it there is`() throws {
    for (delay, begun) in [
      (Limits.catchUpAfter, Limits.lateRunsPerLook + 7), (.milliseconds(60_001), Limits.lateRunsPerLook),
    ] {
      var state = SchedulerState()
      _ = state.handle(
        .loaded(
          try (1...Limits.lateRunsPerLook + 7).map { try job(Int64($0), cursor: slot.advanced(by: .hours(-24))) }))
      let now = slot.advanced(by: delay)
      let actions = state.handle(.woke(now: now))
      #expect(looks(actions).flatMap(\.claims).count == begun, "\(delay)")
      if begun == Limits.lateRunsPerLook { #expect(sleep(actions) == now.advanced(by: .seconds(1))) }
    }
  }

  @Test func `a heartbeat is due at its age, not before, and when the clock goes back`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([]))
    #expect(beats(state.handle(.woke(now: slot))) == 1)
    let old = slot.advanced(by: Limits.heartbeat)
    #expect(beats(state.handle(.woke(now: old.advanced(by: .milliseconds(-1))))) == 0)
    #expect(beats(state.handle(.woke(now: old))) == 1)
    #expect(beats(state.handle(.woke(now: old))) == 0)
    #expect(beats(state.handle(.woke(now: old.advanced(by: .milliseconds(-1))))) == 1)
  }

  @Test func `an absence begins after its bound, and says whether the machine slept or somebody moved the clock`() {
    func absence(_ gap: Duration, uptime: Duration?) -> Absence.Kind? {
      var state = SchedulerState()
      _ = state.handle(.woke(now: slot, uptime: .seconds(500)))
      let actions = state.handle(
        .woke(now: slot.advanced(by: gap), uptime: uptime.map { .seconds(500) + $0 }))
      for case .beat(let absence) in actions { return absence?.kind }
      return nil
    }
    let bound = Limits.absenceFrom
    let beyond = bound + .milliseconds(1)
    #expect(absence(bound, uptime: bound) == nil)
    #expect(absence(beyond, uptime: beyond) == .asleep)
    #expect(absence(beyond, uptime: nil) == .asleep)
    #expect(absence(beyond, uptime: .milliseconds(1)) == .asleep)
    #expect(absence(beyond, uptime: .zero) == .clockSetForwards)
    #expect(absence(.zero - Limits.clockStep, uptime: .zero) == nil)
    #expect(absence(.zero - Limits.clockStep - .milliseconds(1), uptime: .zero) == .clockSetBack)
  }

  @Test func `a clock is doubted beyond its bounds, and believed a minute on, if that minute is one`() {
    var watch = ClockWatch()
    let first = Limits.earliestPlausibleNow
    #expect(watch.look(at: first.advanced(by: .milliseconds(-1))) == .notSet)
    #expect(watch.look(at: first) == .believable)
    #expect(watch.look(at: first.advanced(by: Limits.believableJump)) == .believable)
    let far = first.advanced(by: Limits.believableJump + Limits.believableJump + .milliseconds(1))
    let end = far.advanced(by: Limits.clockProbation)
    #expect(watch.look(at: far) == .onProbation(until: end))
    #expect(watch.look(at: end.advanced(by: .milliseconds(-1))) == .onProbation(until: end))
    var late = watch
    var tooLate = watch
    #expect(watch.look(at: end) == .believable)
    // What is looked at later than anybody waits has jumped again.
    let last = end.advanced(by: Limits.longestSleep + .seconds(5))
    #expect(late.look(at: last) == .believable)
    let beyond = last.advanced(by: .milliseconds(1))
    #expect(tooLate.look(at: beyond) == .onProbation(until: beyond.advanced(by: Limits.clockProbation)))
  }

  @Test func `a skip covers a slot at the instant it was asked for, and none before`() throws {
    func claims(from: Timestamp) throws -> [Timestamp] {
      let hold = Hold(
        id: 1, teamID: TeamID(1), jobID: JobID(1), kind: .skip(left: 1), from: from, endedAt: nil, note: "",
        setBy: "anna")
      var state = SchedulerState()
      _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)), holds: [hold])]))
      return looks(state.handle(.woke(now: slot.advanced(by: .seconds(1))))).flatMap(\.claims).map(\.slot)
    }
    #expect(try claims(from: slot.advanced(by: .milliseconds(1))) == [slot])
    #expect(try claims(from: slot) == [])
    #expect(try claims(from: slot.advanced(by: .hours(-9))) == [])
  }

  /// Another process, also of another version, begins it at the same minute: nobody is told twice as late after an upgrade.
  @Test func `how far a run is spread is the same for ever`() throws {
    let spread = try (1...4).map { try job(Int64($0), cursor: slot, jitter: .minutes(20)).spread(of: slot) }
    #expect(spread == [422_465, 1_148_110, 739_053, 1_003_978].map { .milliseconds($0) })
    // Never as late as the next slot.
    let minutely = try (1...2).map {
      try job(Int64($0), rule: "*-*-* *:*:00", cursor: slot, jitter: .minutes(20)).spread(of: slot)
    }
    #expect(minutely == [2_465, 8_110].map { .milliseconds($0) })
    #expect(try job(cursor: slot).spread(of: slot) == .zero)
    // Within a window of a millisecond there is one instant.
    for number in 1...9 {
      #expect(try job(Int64(number), cursor: slot, jitter: .milliseconds(1)).spread(of: slot) == .zero)
    }
  }

  @Test func `what is urgent among the slots of an instant comes first, then the older job`() throws {
    var state = SchedulerState()
    let before = slot.advanced(by: .hours(-24))
    _ = state.handle(
      .loaded([
        try job(1, cursor: before, kind: .weeklyDigest), try job(3, cursor: before, kind: .lowStock),
        try job(2, cursor: before, kind: .lowStock), try job(4, cursor: before),
      ]))
    #expect(looks(state.handle(.woke(now: slot))).map(\.jobID.number) == [2, 3, 4, 1])
  }

  @Test func `what comes is told without a look at all jobs, and where it cannot be, only the store is asked`() throws {
    let before = slot.advanced(by: .hours(-24))
    let newest = slot.advanced(by: .hours(-23))
    let now = slot.advanced(by: .hours(-1))
    var state = SchedulerState()
    #expect(state.coming(3, now: now) == nil)
    _ = state.handle(.woke(now: now))
    _ = state.handle(
      .loaded([
        try job(2, cursor: before), try job(1, cursor: before), try job(3, rule: "*-*-* 08:00:00", cursor: newest),
      ]))
    #expect(state.coming(0, now: now)?.bound?.job == JobID(1))
    let one = try #require(state.coming(1, now: now))
    #expect(one.jobs.map(\.record.id.number) == [1])
    #expect(one.bound.map { $0.at == slot && $0.job == JobID(2) } == true)
    let two = try #require(state.coming(2, now: now))
    #expect(two.jobs.map(\.record.id.number) == [1, 2])
    #expect(two.bound.map { $0.at == slot.advanced(by: .hours(1)) && $0.job == JobID(3) } == true)
    #expect(state.coming(3, now: now)?.jobs.count == 3 && state.coming(3, now: now)?.bound == nil)
    // Whatever is due and was not taken yet comes after that once more.
    #expect(
      state.coming(0, now: slot)?.bound.map { $0.at == slot.advanced(by: .hours(1)) && $0.job == JobID(3) } == true)
    let later = try #require(state.coming(2, now: slot.advanced(by: .hours(1))))
    #expect(later.jobs.map(\.record.id.number) == [1, 2])
    #expect(later.bound.map { $0.at == slot.advanced(by: .hours(25)) && $0.job == JobID(3) } == true)
    // A cursor that stands ahead of the clock says nothing of what comes.
    #expect(state.coming(3, now: newest) != nil)
    #expect(state.coming(3, now: newest.advanced(by: .milliseconds(-1))) == nil)
    // Nor does a queue while the clock is mended.
    _ = state.handle(.woke(now: now.advanced(by: .zero - Limits.clockStep)))
    #expect(state.coming(3, now: now) != nil)
    _ = state.handle(.woke(now: now))
    _ = state.handle(.woke(now: now.advanced(by: .zero - Limits.clockStep - .milliseconds(1))))
    #expect(state.coming(3, now: now) == nil)
    _ = state.handle(.tookBack(absences: []))
    #expect(state.coming(3, now: now) != nil)
    _ = state.handle(.replanned(TeamID(2), [try job(4, cursor: before, jitter: .milliseconds(1), team: 2)]))
    #expect(state.coming(3, now: now) == nil)
    _ = state.handle(.replanned(TeamID(2), [try job(4, cursor: before, team: 2)]))
    #expect(state.coming(4, now: now)?.jobs.count == 4)
  }

  @Test func `the next slot that nobody holds is the first at the end of a pause, or after what is skipped`() throws {
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
    // What a pause covers uses up no skip.
    #expect(try next([.pause(until: second), .skip(left: 1)]) == second.advanced(by: .hours(24)))
    // However far off the slot is that is passed over.
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

  @Test func `shares that are handed over take their teams' jobs along, and come with what the store knows of them`()
    throws
  {
    let (before, newest) = (slot.advanced(by: .hours(-24)), slot.advanced(by: .hours(-23)))
    let (one, two, three) = (
      try job(1, cursor: before, team: 1), try job(2, cursor: before, team: 65), try job(3, cursor: before, team: 2)
    )
    func jobs(_ state: SchedulerState) throws -> [Int64] {
      try #require(state.coming(9, now: slot.advanced(by: .hours(-1)))).jobs.map(\.record.id.number)
    }
    var state = SchedulerState()
    _ = state.handle(.woke(now: slot.advanced(by: .hours(-1))))
    _ = state.handle(.loaded([one, two, three]))
    // 1 and 65 are of one share.
    _ = state.handle(.handedOver(ShareSet([1, 7]), []))
    #expect(try jobs(state) == [3] && !state.plans(JobID(2)) && state.plans(JobID(3)))
    _ = state.handle(.handedOver(ShareSet(share: 1), [try job(1, cursor: newest, team: 1), two]))
    #expect(try jobs(state) == [1, 2, 3] && state.newestCursor == newest)
    // What comes again is there once.
    _ = state.handle(.handedOver(ShareSet([1, 2]), [one, two, three]))
    #expect(try jobs(state) == [1, 2, 3])
    _ = state.handle(.handedOver(.all, []))
    #expect((1...3).allSatisfy { !state.plans(JobID($0)) } && state.nextInstant == nil)
  }

  @Test func `hundreds of instants come in their order, however they were planned, moved and taken away`() throws {
    var random = SeededNumbers(seed: 20_260_303)
    let before = slot.advanced(by: .hours(-24))
    // A minute of its own for each, far apart enough that none is late work.
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
    // Some move, some go, some come back.
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
    var wake = sleep(state.handle(.woke(now: slot)))
    for (number, minute) in order {
      let due = slot.advanced(by: .minutes(60 + minute))
      #expect(wake == due)
      #expect(state.upcoming().map { $0.job.id.number == number && $0.at == due } == true)
      let actions = state.handle(.woke(now: due))
      #expect(looks(actions).map(\.jobID.number) == [number])
      wake = sleep(actions)
    }
    #expect(wake == nil && state.upcoming() == nil)
  }

  @Test func `what is not spread has nothing to hasten, and waits for its look`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)))]))
    _ = state.handle(.woke(now: slot.advanced(by: .seconds(-1))))
    #expect(looks(state.handle(.hastened(nil, now: slot))).isEmpty)
    #expect(looks(state.handle(.hastened(TeamID(1), now: slot))).isEmpty)
    #expect(looks(state.handle(.woke(now: slot))).flatMap(\.claims).map(\.slot) == [slot])
  }
  @Test func `nothing of a team is hastened while what a wrong clock settled is taken back`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)), jitter: .minutes(20))]))
    let back = slot.advanced(by: .seconds(1))
    _ = state.handle(.woke(now: back.advanced(by: Limits.clockStep + .milliseconds(1))))
    _ = state.handle(.woke(now: back))
    #expect(looks(state.handle(.hastened(nil, now: back))).isEmpty && state.expected(9) == nil)
    _ = state.handle(.tookBack(absences: []))
    #expect(state.expected(9) != nil)
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)), jitter: .minutes(20))]))
    #expect(looks(state.handle(.hastened(nil, now: back))).flatMap(\.claims).map(\.slot) == [slot])
  }

  @Test func `late work that waited for its turn is late work at its turn`() throws {
    var state = SchedulerState()
    let count = Limits.lateRunsPerLook * 3
    _ = state.handle(.loaded(try (1...count).map { try job(Int64($0), cursor: slot.advanced(by: .hours(-24))) }))
    let now = slot.advanced(by: .hours(1))
    // Nobody looks for a while, and two turns have come.
    let begun = [0, 20, 21].map { seconds in
      looks(state.handle(.woke(now: now.advanced(by: .seconds(seconds))))).flatMap(\.claims).count
    }
    #expect(begun == Array(repeating: Limits.lateRunsPerLook, count: 3))
  }

  @Test func `what is taken because its team is called moves the newest cursor`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: slot.advanced(by: .hours(-24)))]))
    #expect(looks(state.handle(.called(TeamID(1), now: slot))).count == 1)
    #expect(state.newestCursor == slot)
  }

  @Test func `what is planned for an instant of which a part was taken waits for its turn among the rest`() throws {
    let before = slot.advanced(by: .hours(-24))
    var state = SchedulerState(jobsPerLook: 2)
    // None of them comes again, so that nothing else is put into the queue.
    let once = "2026-03-02 07:00:00"
    _ = state.handle(.loaded(try (1...6).map { try job(Int64($0), rule: once, cursor: before, kind: .lowStock) }))
    #expect(looks(state.handle(.woke(now: slot))).map(\.jobID.number) == [1, 2])
    _ = state.handle(.replanned(TeamID(9), [try job(9, rule: once, cursor: before, kind: .weeklyDigest, team: 9)]))
    var rest: [[Int64]] = []
    while state.isDue(by: slot), rest.count < 5 {
      rest.append(looks(state.handle(.woke(now: slot))).map(\.jobID.number))
    }
    #expect(rest == [[3, 4], [5, 6], [9]])
  }

  @Test func `what was moved out of an instant of which a part was taken is not taken with the rest`() throws {
    let before = slot.advanced(by: .hours(-24))
    func planned(_ number: Int64, _ rule: String = "*-*-* 07:00:00") throws -> PlannedJob {
      try job(number, rule: rule, cursor: before, kind: .lowStock, team: number)
    }
    var state = SchedulerState(jobsPerLook: 2)
    _ = state.handle(.loaded(try (1...8).map { try planned($0) }))
    #expect(looks(state.handle(.woke(now: slot))).map(\.jobID.number) == [1, 2])
    // One later, one away and back, one for ever.
    _ = state.handle(.replanned(TeamID(4), [try planned(4, "2026-03-02 07:30:00")]))
    _ = state.handle(.replanned(TeamID(5), [try planned(5, "2026-03-02 07:30:00")]))
    _ = state.handle(.replanned(TeamID(5), [try planned(5)]))
    _ = state.handle(.replanned(TeamID(6), []))
    var rest: [[Int64]] = []
    while state.isDue(by: slot), rest.count < 9 {
      rest.append(looks(state.handle(.woke(now: slot))).map(\.jobID.number))
    }
    #expect(rest.flatMap { $0 }.sorted() == [3, 5, 7, 8] && rest.allSatisfy { $0.count <= 2 }, "\(rest)")
    let later = slot.advanced(by: .minutes(30))
    #expect(looks(state.handle(.woke(now: later))).map(\.jobID.number) == [4])
  }

  @Test func `what begins later because it is spread is not late for that`() throws {
    // As many as begin in one minute, the eleventh, of runs that are spread over twenty.
    let minute = Duration.minutes(10)...(.minutes(11) - .milliseconds(1))
    let before = slot.advanced(by: .hours(-24))
    let spread = try (1...40 * Int64(Limits.lateRunsPerLook)).lazy.map {
      try job($0, cursor: before, jitter: .minutes(20), team: $0)
    }.filter { minute.contains($0.spread(of: slot)) }.prefix(Limits.lateRunsPerLook + 7)
    var state = SchedulerState()
    _ = state.handle(.loaded(Array(spread)))
    let begun = looks(state.handle(.woke(now: slot.advanced(by: .minutes(11)))))
    #expect(begun.flatMap(\.claims).count == Limits.lateRunsPerLook + 7)
  }

  @Test func `a clock that went far ahead is confirmed after a day of running, whoever looks and how often`() throws {
    for step in [Duration.minutes(1), .seconds(50)] {
      var state = SchedulerState()
      var (now, uptime) = (slot, Duration.hours(3))
      _ = state.handle(.woke(now: now, uptime: uptime))
      #expect(state.trust.confirmed == now)
      now = now.advanced(by: .hours(72))
      let jumped = uptime
      while state.trust.confirmed == slot, uptime - jumped < .hours(60) {
        (now, uptime) = (now.advanced(by: step), uptime + step)
        _ = state.handle(.woke(now: now, uptime: uptime))
      }
      // The probation at the beginning is no running by a believed clock.
      let confirmed = uptime - jumped - Limits.clockConfirmation
      #expect(state.trust.confirmed == now && confirmed >= .zero && confirmed <= Limits.clockProbation + .minutes(3))
    }
  }

  @Test
  func `what was taken up stays so when its team is planned by what the store knew before, unless its rule is new`()
    throws
  {
    let before = slot.advanced(by: .hours(-24))
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: before)]))
    #expect(looks(state.handle(.woke(now: slot))).count == 1)
    _ = state.handle(.replanned(TeamID(1), [try job(cursor: before)]))
    #expect(looks(state.handle(.woke(now: slot))).isEmpty && !state.isDue(by: slot))
    _ = state.handle(.replanned(TeamID(1), [try job(cursor: before, generation: 2)]))
    #expect(looks(state.handle(.woke(now: slot))).flatMap(\.claims).map(\.slot) == [slot])
  }

  @Test func `a look takes no more jobs than it may, of however many instants`() throws {
    var state = SchedulerState(jobsPerLook: 3)
    let before = slot.advanced(by: .hours(-24))
    _ = state.handle(
      .loaded(
        try (1...8).map { try job($0, rule: $0 < 3 ? "*-*-* 06:59:30" : "*-*-* 07:00:00", cursor: before) }))
    var taken: [[Int64]] = []
    while state.isDue(by: slot), taken.count < 9 {
      taken.append(looks(state.handle(.woke(now: slot))).map(\.jobID.number))
    }
    #expect(taken == [[1, 2, 3], [4, 5, 6], [7, 8]])
  }

  @Test func `a run that is spread is of the slot before it, however near the next one is`() throws {
    let late = try #require(
      try (1...200).lazy.map { try job($0, rule: "*-*-* *:*:00", cursor: slot, jitter: .minutes(20)) }
        .first { $0.spread(of: slot) > .seconds(45) })
    var state = SchedulerState()
    _ = state.handle(.loaded([late]))
    let next = slot.advanced(by: .minutes(1))
    let due = next.advanced(by: late.spread(of: next))
    #expect(looks(state.handle(.woke(now: due.advanced(by: .milliseconds(-1))))).isEmpty)
    let look = looks(state.handle(.woke(now: due)))
    #expect(look.flatMap(\.claims).map(\.slot) == [next] && look.flatMap(\.passed).isEmpty)
  }

  @Test func `a clock that comes back twice takes back from the newest instant that it has said`() {
    var state = SchedulerState()
    func from(_ hours: Int) -> Timestamp? {
      for case .takeBack(let from) in state.handle(.woke(now: slot.advanced(by: .hours(hours)))) { return from }
      return nil
    }
    #expect(from(10) == nil)
    #expect(from(5) == slot.advanced(by: .hours(10)))
    #expect(from(0) == slot.advanced(by: .hours(10)))
  }

  @Test func `a job that cannot be planned is told with whose it is`() throws {
    for (team, owner) in [(TeamID(3), "team 'desert-blue'"), (nil, "the server")] {
      let record = JobRecord(
        id: JobID(1), teamID: team, teamName: "desert-blue", kind: .morningSummary, rule: .calendar("no rule"),
        zone: "America/Phoenix", generation: 1, cursor: slot, deadline: nil)
      let error = #expect(throws: UnplannableJob.self) { try PlannedJob(record, zones: zones, holds: []) }
      #expect(error.map { "\($0)".contains(owner) } == true, "\(error as Any)")
    }
  }

  @Test func `what comes first is what a look at all jobs finds, whatever is due and was not taken`() throws {
    var random = SeededNumbers(seed: 20_261_126)
    let before = slot.advanced(by: .hours(-24))
    for round in 0..<200 {
      let planned = try (1...Int64.random(in: 1...12, using: &random)).map { number in
        let minute = Int.random(in: 0...5, using: &random) * 10
        let rules = ["*-*-* 07:\(minute):00", "*-*-* 06:\(minute):00", "Mon 07:\(minute):00", "*-*-* *:\(minute):00"]
        return try job(number, rule: rules.randomElement(using: &random) ?? "", cursor: before)
      }
      var state = SchedulerState(jobsPerLook: 3)
      _ = state.handle(.loaded(planned))
      // Some of it is taken, and some is not.
      var cursors: [Int64: Timestamp] = [:]
      let now = slot.advanced(by: .minutes(.random(in: -70...70, using: &random)))
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        for look in looks(state.handle(.woke(now: now))) { cursors[look.jobID.number] = look.cursor }
      }
      let all = planned.compactMap { job in
        let cursor = cursors[job.record.id.number] ?? job.record.cursor
        return job.schedule?.next(after: max(now, cursor)).map { (at: $0.instant, job: job.record.id) }
      }.sorted { ($0.at, $0.job) < ($1.at, $1.job) }
      let limit = Int.random(in: 0...5, using: &random)
      let coming = try #require(state.coming(limit, now: now))
      #expect(coming.jobs.map(\.record.id) == all.prefix(limit).map(\.job), "\(round)")
      let rest = all.dropFirst(limit).first
      #expect(coming.bound?.at == rest?.at && coming.bound?.job == rest?.job, "\(round)")
    }
  }

  @Test(arguments: 0...6, 1...6)
  func `what was passed over is told in order, whether it was held or missed`(held: Int, missed: Int) throws {
    let pause = Hold(
      id: 1, teamID: TeamID(1), jobID: JobID(1), kind: .pause(until: slot.advanced(by: .minutes(held))),
      from: slot.advanced(by: .hours(-1)), endedAt: nil, note: "", setBy: "a")
    var state = SchedulerState()
    let before = slot.advanced(by: .milliseconds(-1))
    _ = state.handle(.loaded([try job(rule: "*-*-* *:*:00", cursor: before, holds: [pause])]))
    let look = looks(state.handle(.woke(now: slot.advanced(by: .minutes(held + missed)))))
    // The newest runs.
    #expect(look.flatMap(\.claims).map(\.slot) == [slot.advanced(by: .minutes(held + missed))])
    #expect(look.flatMap(\.passed).map(\.slot) == (0..<held + missed).map { slot.advanced(by: .minutes($0)) })
  }
}
