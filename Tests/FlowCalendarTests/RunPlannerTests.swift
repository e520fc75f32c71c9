import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import Testing

@Suite struct RunPlannerTests {
  private func plan(
    _ text: String, cursor: String, now: String, _ policy: MissedRunPolicy, zone: String = "America/New_York"
  ) throws -> RunPlan {
    RunPlanner.plan(
      schedule: .calendar(try rule(text, zone)), cursor: instant(cursor), now: instant(now), policy: policy)
  }

  @Test func `a slot runs once and only after the cursor`() throws {
    let due = try plan(
      "07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-02T12:00:00Z", .latest(within: .hours(5)))
    #expect(due.due.map(\.instant) == [instant("2026-03-02T12:00:00Z")])
    #expect(due.next?.instant == instant("2026-03-03T12:00:00Z"))
    let settled = try plan(
      "07:00", cursor: "2026-03-02T12:00:00Z", now: "2026-03-02T12:00:00.500Z", .latest(within: .hours(5)))
    #expect(settled.isIdle)
    #expect(settled.next?.instant == instant("2026-03-03T12:00:00Z"))
  }

  @Test func `an early timer or a clock set back repeats no slot`() throws {
    let early = try plan(
      "07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-02T11:59:59.999Z", .latest(within: .hours(5)))
    #expect(early.isIdle)
    #expect(early.next?.instant == instant("2026-03-02T12:00:00Z"))
    let back = try plan(
      "07:00", cursor: "2026-03-02T12:00:00Z", now: "2026-02-20T12:00:00Z", .latest(within: .hours(5)))
    #expect(back.isIdle)
    #expect(back.next?.instant == instant("2026-03-03T12:00:00Z"))
  }

  @Test func `a slot a millisecond in the future is not due`() throws {
    let plan = try plan(
      "minutely", cursor: "2026-03-02T11:57:00Z", now: "2026-03-02T11:59:59.999Z", .latest(within: .hours(5)))
    #expect(plan.due.map(\.instant) == [instant("2026-03-02T11:59:00Z")])
    #expect(plan.missed.map(\.instant) == [instant("2026-03-02T11:58:00Z")])
    #expect(plan.next?.instant == instant("2026-03-02T12:00:00Z"))
  }

  @Test func `the newest of many missed slots runs if it is recent enough`() throws {
    let young = try plan(
      "07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-05T17:00:00Z", .latest(within: .hours(5)))
    #expect(young.due.map(\.instant) == [instant("2026-03-05T12:00:00Z")])
    #expect(young.missedSlots.map(\.reason) == [.tooOld, .tooOld, .tooOld])
    #expect(young.missed.map(\.instant.description).first == "2026-03-02T12:00:00Z")
    let old = try plan(
      "07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-05T17:00:00.001Z", .latest(within: .hours(5)))
    #expect(old.due.isEmpty && old.missed.count == 4)
    let dense = try plan(
      "hourly", cursor: "2026-03-05T12:00:00Z", now: "2026-03-05T15:30:00Z", .latest(within: .hours(5)))
    #expect(dense.due.count == 1 && dense.missedSlots.map(\.reason) == [.superseded, .superseded])
  }

  @Test func `the catch-up policies all, none and latest decide which missed slots run`() throws {
    let all = try plan("07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-05T17:00:00Z", .all(limit: 3))
    #expect(all.due.map(\.nominal.date.day) == [3, 4, 5])
    #expect(all.missedSlots.map(\.reason) == [.beyondLimit])
    let none = try plan("07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-02T12:05:00Z", .none)
    #expect(none.due.isEmpty && none.missedSlots.map(\.reason) == [.notCaughtUp])
    let onTimeTolerance = try plan("07:00", cursor: "2026-03-01T12:00:00Z", now: "2026-03-02T12:00:00.020Z", .none)
    #expect(onTimeTolerance.due.count == 1)
    // A slot is on time up to and including the limit.
    let due = instant("2026-03-02T12:00:00Z")
    for (late, count) in [(Duration.zero, 1), (.milliseconds(1), 0)] {
      let plan = RunPlanner.plan(
        schedule: .calendar(try rule("07:00", "America/New_York")), cursor: instant("2026-03-01T12:00:00Z"),
        now: due.advanced(by: MissedRunPolicy.onTimeTolerance + late), policy: .none)
      #expect(plan.due.count == count, "\(late)")
    }
    let once = Schedule.once(instant("2026-03-02T12:00:00Z"))
    let expiry = instant("2026-03-03T12:00:00Z")
    for (now, due) in [
      ("2026-03-02T11:00:00Z", 0), ("2026-03-03T11:00:00Z", 1), ("2026-03-03T12:00:00Z", 1),
      ("2026-03-03T12:00:00.001Z", 0),
    ] {
      let plan = RunPlanner.plan(
        schedule: once, cursor: instant("2026-01-01T00:00:00Z"), now: instant(now),
        policy: .latestUntil(deadline: expiry))
      #expect(plan.due.count == due)
    }
  }

  @Test func `ten years of missed minutely slots need one bounded search backwards`() throws {
    let plan = try plan(
      "minutely", cursor: "2016-03-05T17:00:00Z", now: "2026-03-05T17:00:30Z", .latest(within: .hours(5)))
    #expect(plan.due.map(\.instant) == [instant("2026-03-05T17:00:00Z")])
    #expect(plan.missed.count == Limits.slotsPerCatchUp)
    #expect(plan.missed.map(\.instant) == plan.missed.map(\.instant).sorted())
    let beyond = try #require(plan.olderMissedSlots)
    #expect(beyond.first == instant("2016-03-05T17:01:00Z"))
    #expect(beyond.last == instant("2026-03-05T00:19:00Z"))
  }

  @Test func `due and missed slots together are all slots between cursor and now`() throws {
    var random = SeededNumbers(seed: 7)
    for _ in 0..<300 {
      let text = ["07:00", "*:0/30", "Mon,Wed 06:15", "*-*-01 00:00", "02:30"].randomElement(using: &random) ?? "07:00"
      let rule = try FlowCalendarTests.rule(text, "America/New_York")
      let now = Timestamp(seconds: Int64.random(in: 1_767_225_600...1_830_000_000, using: &random))
      let cursor = Timestamp(seconds: now.seconds - Int64.random(in: 0...1_500_000, using: &random))
      let policy: MissedRunPolicy =
        [.latest(within: .hours(5)), .all(limit: 4), .none, .latestUntil(deadline: now)].randomElement(using: &random)
        ?? .none
      let plan = RunPlanner.plan(schedule: .calendar(rule), cursor: cursor, now: now, policy: policy)
      let slots = rule.occurrences(after: cursor).prefix { $0.instant <= now }
      #expect((plan.due + plan.missed).sorted { $0.instant < $1.instant } == Array(slots))
      #expect(plan.next == rule.next(after: now))
    }
  }

  @Test func `the next wake-up is the earliest slot of all schedules`() throws {
    let schedules: [Schedule] = [
      .calendar(try rule("07:00", "America/New_York")), .once(instant("2026-03-02T13:00:00Z")),
      .calendar(try rule("2020-01-01")), .calendar(try rule("18:30", "Europe/Berlin")),
    ]
    #expect(
      RunPlanner.nextWakeUp(schedules, after: instant("2026-03-02T12:00:00Z")) == instant("2026-03-02T13:00:00Z"))
    #expect(RunPlanner.nextWakeUp([], after: instant("2026-03-02T12:00:00Z")) == nil)
  }
}

extension RunPlan {
  fileprivate var isIdle: Bool { due.isEmpty && missedSlots.isEmpty && held.isEmpty }
}
