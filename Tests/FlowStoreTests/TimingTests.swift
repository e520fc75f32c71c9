import FlowCalendar
import FlowModel
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// Job schedules chosen by teams and by the settings.
struct TimingTests {
  private let folder: TemporaryFolder
  private let now = Timestamp(seconds: 1_772_460_000)

  init() throws { folder = try TemporaryFolder() }

  private static func plan(_ defaults: [JobKind: JobTiming]) -> @Sendable (Team) throws -> [JobPlan] {
    { _ in
      [JobKind.morningSummary, .weeklyDigest].map {
        JobPlan(kind: $0, rule: .calendar("*-*-* 07:00:00"), timing: defaults[$0] ?? .unchosen)
      }
    }
  }

  private func timing(_ pairs: (JobTiming.Key, String)...) throws -> JobTiming {
    var timing = JobTiming()
    for (key, value) in pairs {
      let isTaken = timing.set(key, value)
      try #require(isTaken)
    }
    return timing
  }

  @Test(arguments: Engine.all)
  func `a team's choice overrides the server's default until it is reset`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let coast = try await store.addTeam(
      Samples.team(), defaultTechnician: "anna", now: now, plan: Self.plan([:]))
    let all = [JobKind.weeklyDigest: try timing((.rule, "Fri *-*-* 16:00:00"), (.expires, "2d"))]
    #expect(try await store.defaultTimings().isEmpty)
    try await store.planAllTeams(defaults: all, now: now, plan: Self.plan(all))
    #expect(try await store.defaultTimings() == all)
    func digest() async throws -> JobRecord {
      try #require(try await store.jobs(of: coast.id).first { $0.kind == .weeklyDigest })
    }
    let byDefault = try await digest()
    #expect(byDefault.rule == .calendar("Fri *-*-* 16:00:00") && byDefault.timing.expiry == .hours(48))
    #expect(byDefault.generation == 2)
    let own = try timing((.rule, "Sat *-*-* 10:00:00"), (.catchUp, "all 3"), (.gap, "skip"), (.fold, "both"))
    let later = now.advanced(by: .hours(1))
    _ = try await store.chooseTiming(
      of: .weeklyDigest, team: coast.name, now: later,
      change: { _, before in
        #expect(before.isEmpty)
        return own
      }, plan: Self.plan(all))
    #expect(try await store.timings(of: coast.id) == [.weeklyDigest: own])
    let chosen = try await digest()
    #expect(chosen.rule == .calendar("Sat *-*-* 10:00:00") && chosen.generation == 3 && chosen.cursor == later)
    #expect(chosen.timing == own.over(try timing((.expires, "2d"))).withoutRule)
    // A claim by the old rule is refused, and the rule's period is recorded.
    let old = ClaimRequest(job: byDefault, slot: later.advanced(by: .hours(2)), cause: .schedule, asOf: later)
    #expect(try await store.claim([old], now: later).isEmpty)
    #expect(try await store.rules(of: chosen.id).map(\.timing.fold) == [nil, nil, .both])
    // A claim contains the chosen options, also after a restart.
    let claimed = try await store.claim(
      [ClaimRequest(job: chosen, slot: later.advanced(by: .hours(3)), cause: .schedule, asOf: later)], now: later)
    #expect(claimed.map(\.timing.catchUp) == [.all(limit: 3)])
    _ = try await store.chooseTiming(
      of: .weeklyDigest, team: coast.name, now: later, change: { _, _ in .unchosen }, plan: Self.plan(all))
    #expect(try await store.timings(of: coast.id).isEmpty)
    #expect(try await digest().rule == .calendar("Fri *-*-* 16:00:00"))
    try await store.planAllTeams(defaults: [:], now: later, plan: Self.plan([:]))
    #expect(try await digest().rule == .calendar("*-*-* 07:00:00"))
    #expect(try await store.jobs(of: coast.id).first { $0.kind == .morningSummary }?.generation == 1)
  }

  @Test func `chosen options are written and read back, and invalid text is refused`() throws {
    let timing = try timing(
      (.catchUp, "latest 5h"), (.gap, "after"), (.fold, "second"), (.jitter, "90s"), (.expires, "10min"))
    #expect(timing.optionsText == "catch-up=latest 5h; dst-gap=after; dst-fold=second; jitter=90s; expires=10min")
    #expect(JobTiming(optionsText: timing.optionsText) == timing)
    #expect(JobTiming(optionsText: "") == .unchosen)
    for text in ["catch-up", "catch-up=5h", "rule=daily", "dst-gap=after;;x=1", "jitter=1e9"] {
      #expect(JobTiming(optionsText: text) == nil, "\(text)")
    }
  }
}

extension JobTiming {
  /// The part that the ledger stores beside the rule.
  fileprivate var withoutRule: JobTiming {
    var timing = self
    timing.rule = nil
    return timing
  }
}
