import FlowCalendar
import FlowControl
import FlowModel
import FlowScheduler
import FlowTestKit
import PoolJobs
import Testing

@testable import FlowAnswers

/// The quick list of the next slots for `status` equals the list computed from all jobs.
struct UpcomingSlotsTests {
  private static let zones = ["America/Phoenix", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia"]

  /// A random change by a person, or some time that passes.
  private func step(_ fixture: ServiceFixture, _ teams: inout [String], _ random: inout SeededNumbers) async throws {
    let (services, caller) = (fixture.services, fixture.caller)
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    let (team, job) = (pick(teams), pick(["morning-summary", "low-stock", "weekly-digest"]))
    let until = fixture.clock.now().advanced(by: .hours(Int.random(in: 1...100, using: &random))).description
    switch Int.random(in: 0..<11, using: &random) {
    case 0 where teams.count < 9:
      teams.append("team-\(teams.count)")
      try await fixture.addTeam(teams[teams.count - 1], zone: pick(Self.zones))
    case 1:
      let time = "0\(Int.random(in: 4...8, using: &random)):\(Int.random(in: 10...59, using: &random))"
      let changes = [SettingChangeView(key: "morning-time", value: time)]
      _ = try await services.teams.set(TeamsCall.Set(name: team, changes: changes), caller)
    case 2:
      let rule = pick(["*:0/20", "Mon..Fri 06:30", "*-*-* 23:59:59", "Sun 02:30", "hourly"])
      let changes = [JobChangeView(key: "rule", value: rule)]
      _ = try await services.jobs.set(JobsCall.Set(job: job, team: team, changes: changes, dryRun: false), caller)
    case 3 where Int.random(in: 0..<4, using: &random) == 0:
      let call = SchedulerCall.Pause(job: pick([job, nil]), team: team, until: pick([until, nil]))
      _ = try await services.scheduler.pause(call, caller)
    case 4: _ = try await services.scheduler.skip(SchedulerCall.Skip(job: job, team: team, count: 2), caller)
    case 5:
      // Held jobs force the full computation, so release all of them.
      for team in teams { _ = try? await services.scheduler.resume(SchedulerCall.Resume(job: nil, team: team), caller) }
      for team in teams { _ = try? await services.scheduler.resume(SchedulerCall.Resume(job: job, team: team), caller) }
    case 6: _ = try await services.scheduler.run(SchedulerCall.Run(job: job, team: team), caller, nil)
    case 7:
      _ = try await services.daysOff.add(DaysOffCall.Add(days: "tomorrow", team: team, dryRun: false), caller)
    case 8:
      // Jitter only now and then: with jitter only the store can answer.
      try await fixture.scheduler.use(jitter: pick([[:], [:], [:], [:], [:], [.morningSummary: .minutes(20)]]))
    case 9 where Int.random(in: 0..<8, using: &random) == 0:
      fixture.clock.set(fixture.clock.now().advanced(by: .minutes(-Int.random(in: 1...300, using: &random))))
    default:
      // Small steps, so that no jump needs a confirmation; with or without a tick afterwards.
      await fixture.scheduler.runDueJobs()
      fixture.clock.set(fixture.clock.now().advanced(by: .minutes(Int.random(in: 1...900, using: &random))))
      if Int.random(in: 0..<4, using: &random) > 0 { await fixture.scheduler.runDueJobs() }
    }
  }

  @Test(arguments: UInt64(1)...6)
  func `the fast list of next slots equals a full scan of all jobs`(seed: UInt64) async throws {
    let fixture = try await ServiceFixture()
    try await fixture.scheduler.prepare()
    let slots = UpcomingSlots(
      store: fixture.store, zones: fixture.context.zones, clock: fixture.clock, scheduler: fixture.scheduler)
    var random = SeededNumbers(seed: seed)
    var teams = [ServiceFixture.team]
    var isQuick = 0
    for number in 1...60 {
      do { try await step(fixture, &teams, &random) } catch is ControlError {
        // An impossible step, such as resuming a job that is not paused.
      }
      if await fixture.scheduler.upcomingJobs(Limits.jobsReadForNextSlots, now: fixture.clock.now()) != nil {
        isQuick += 1
      }
      for count in [1, 3] {
        let (first, all) = (
          try await slots.first(count), try await slots.upcoming(count: count, team: nil, kind: nil)
        )
        #expect(first.map { "\($0)" } == all.map { "\($0)" }, "step \(number) of seed \(seed)")
      }
    }
    print("seed \(seed): \(isQuick) cases without a look at all")
    #expect(isQuick > 0)
  }
}
