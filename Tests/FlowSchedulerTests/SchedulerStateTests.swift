import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// The scheduler's state machine without tasks, clocks or a store.
struct SchedulerStateTests {
  private let zones = SystemZones()
  /// Monday 2026-03-02 07:00 in Phoenix, a slot of the daily rule below.
  private let slot = Samples.mondayMorning

  private func job(
    _ number: Int64 = 1, kind: JobKind = .morningSummary, rule: JobRule = .calendar("*-*-* 07:00:00"),
    cursor: Timestamp, generation: Int64 = 1, zone: String = "America/Phoenix"
  ) throws -> PlannedJob {
    try PlannedJob(
      JobRecord(
        id: JobID(number), teamID: TeamID(1), teamName: "desert-blue", kind: kind, rule: rule, zone: zone,
        generation: generation, cursor: cursor, deadline: nil), zones: zones)
  }

  private func claims(_ actions: [SchedulerState.Action]) -> [Timestamp] {
    actions.flatMap { action -> [Timestamp] in
      if case .take(let ticks) = action { ticks.flatMap(\.claims).map(\.slot) } else { [] }
    }
  }

  private func missed(_ actions: [SchedulerState.Action]) -> [SkippedSlot] {
    actions.flatMap { action -> [SkippedSlot] in
      if case .take(let ticks) = action { ticks.flatMap(\.passed) } else { [] }
    }
  }

  private func sleep(_ actions: [SchedulerState.Action]) -> Timestamp? {
    for case .sleep(let until) in actions { return until }
    return nil
  }

  private func day(_ number: Int) -> Timestamp { slot.advanced(by: .hours(24 * number)) }

  @Test func `a slot is claimed at its instant, not before, and once`() throws {
    var state = SchedulerState()
    let actions = state.handle(.loaded([try job(cursor: day(-1))]))
    #expect(sleep(actions) == slot)
    #expect(claims(state.handle(.timerFired(now: slot.advanced(by: .milliseconds(-1))))).isEmpty)
    let due = state.handle(.timerFired(now: slot))
    #expect(claims(due) == [slot])
    #expect(sleep(due) == day(1))
    #expect(claims(state.handle(.timerFired(now: slot))).isEmpty)
    #expect(claims(state.handle(.timerFired(now: slot.advanced(by: .seconds(1))))).isEmpty)
  }

  @Test func `a clock set back repeats no slot`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(-1))]))
    #expect(claims(state.handle(.timerFired(now: slot))) == [slot])
    for hours in [1, 24, 24 * 400] {
      #expect(claims(state.handle(.timerFired(now: slot.advanced(by: .hours(-hours))))).isEmpty)
    }
    #expect(claims(state.handle(.timerFired(now: slot.advanced(by: .seconds(5))))).isEmpty)
  }

  @Test func `a slot runs three hours late, and is missed seven hours late`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(-1))]))
    #expect(claims(state.handle(.timerFired(now: slot.advanced(by: .hours(3))))) == [slot])
    var other = SchedulerState()
    _ = other.handle(.loaded([try job(cursor: day(-1))]))
    let actions = other.handle(.timerFired(now: slot.advanced(by: .hours(7))))
    #expect(claims(actions).isEmpty)
    #expect(missed(actions).map(\.slot) == [slot])
    #expect(missed(actions).first?.reason == "too-late")
  }

  @Test func `after a week of downtime only the newest slot runs, older ones are recorded`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(-7))]))
    let actions = state.handle(.timerFired(now: slot.advanced(by: .hours(1))))
    #expect(claims(actions) == [slot])
    #expect(missed(actions).map(\.slot) == (1...6).reversed().map { day(-$0) })
    #expect(sleep(actions) == day(1))
  }

  @Test func `ten teams with the same instant are claimed in one action, in order`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded(try (1...10).reversed().map { try job($0, cursor: day(-1)) }))
    let actions = state.handle(.timerFired(now: slot))
    #expect(claims(actions).count == 10)
    let jobs = actions.flatMap { action -> [Int64] in
      if case .take(let ticks) = action { ticks.map(\.jobID.number) } else { [] }
    }
    #expect(jobs == Array(1...10))
  }

  @Test func `a new rule replaces the old one at once`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(-1))]))
    let before = slot.advanced(by: .minutes(-5))
    let moved = try job(rule: .calendar("*-*-* 07:30:00"), cursor: before, generation: 2)
    #expect(sleep(state.handle(.replanned(TeamID(1), [moved]))) == slot.advanced(by: .minutes(30)))
    #expect(claims(state.handle(.timerFired(now: slot))).isEmpty)
    #expect(
      claims(state.handle(.timerFired(now: slot.advanced(by: .minutes(30))))) == [slot.advanced(by: .minutes(30))])
  }

  @Test func `a clock before 2024 schedules nothing`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: Timestamp(seconds: 0))]))
    #expect(claims(state.handle(.timerFired(now: Timestamp(seconds: 86_400 * 30)))).isEmpty)
    #expect(state.clock == .notSet)
  }

  @Test func `a clock jump of ten days is believed after a minute, and a glitch never`() throws {
    var state = SchedulerState()
    _ = state.handle(.loaded([try job(cursor: day(-1))]))
    _ = state.handle(.timerFired(now: slot))
    let jumped = slot.advanced(by: .hours(240))
    let suspicious = state.handle(.timerFired(now: jumped))
    #expect(claims(suspicious).isEmpty && missed(suspicious).isEmpty)
    #expect(sleep(suspicious) == jumped.advanced(by: .seconds(60)))
    // After the glitch, no slot of the ten days is settled.
    #expect(claims(state.handle(.timerFired(now: day(1)))) == [day(1)])
    // After a lasting jump: one catch-up run, the other slots recorded.
    _ = state.handle(.timerFired(now: jumped))
    let believed = state.handle(.timerFired(now: jumped.advanced(by: .seconds(60))))
    #expect(claims(believed) == [jumped])
    #expect(missed(believed).count == 8)
  }

  @Test func `a reminder is caught up until the trial has ended`() throws {
    let expires = day(1)
    func planned() throws -> PlannedJob {
      try PlannedJob(
        JobRecord(
          id: JobID(1), teamID: TeamID(1), teamName: "desert-blue", kind: .trialReminder, rule: .once(slot),
          zone: "America/Phoenix", generation: 1, cursor: day(-1), deadline: expires), zones: zones)
    }
    var state = SchedulerState()
    _ = state.handle(.loaded([try planned()]))
    #expect(claims(state.handle(.timerFired(now: expires.advanced(by: .seconds(-1))))) == [slot])
    #expect(sleep(state.handle(.timerFired(now: expires))) == nil)
    var late = SchedulerState()
    _ = late.handle(.loaded([try planned()]))
    let actions = late.handle(.timerFired(now: expires.advanced(by: .seconds(1))))
    #expect(claims(actions).isEmpty && missed(actions).map(\.slot) == [slot])
  }

  @Test func `an unreadable zone is reported`() throws {
    #expect(throws: UnplannableJob.self) { try job(cursor: slot, zone: "America/Phoenixx") }
  }
}
