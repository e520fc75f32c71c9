import Dispatch
import Foundation
import PoolCalendar
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolStore
import Synchronization

/// Measures the scheduler over a real store: a morning that ten thousand teams share, a start with a hundred thousand
/// jobs, a simulated year, and how exactly the timer wakes.
func benchScheduler() {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      try await SchedulerBench().run()
    } catch {
      print("scheduler: \(error)")
    }
    done.signal()
  }
  done.wait()
}

private final class SchedulerBench: Sendable {
  private let folder: URL
  private let zones = SystemZones()
  /// Monday 2026-03-02, 14:00:00Z, 07:00 in Phoenix.
  private let morning = Timestamp(seconds: 1_772_460_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func run() async throws {
    defer {
      // What a bench leaves in the temporary folder is nobody's loss.
      try? FileManager.default.removeItem(at: folder)
    }
    print("scheduler: over a store in \(folder.deletingLastPathComponent().path)")
    try await sharedMorning(teams: 10_000)
    try await start(teams: 25_000)
    try await year(teams: 2_500)
    try await timer(rounds: 200)
  }

  private func store(_ name: String, teams: Int, kinds: [JobKind]) async throws -> Store {
    let path = folder.appendingPathComponent(name + ".db").path
    let store = try Store(path: path, now: morning.advanced(by: .hours(-1)), version: "bench")
    for number in 1...teams {
      let draft = Team(
        id: TeamID(0), name: "team-\(number)", zone: "America/Phoenix", language: .english, units: .imperial,
        objective: .time, plan: .paid, settings: TeamSettings(), createdAt: morning)
      let zone = try zones.zone(named: draft.zone)
      _ = try await store.addTeam(draft, defaultTechnician: "anna", now: morning.advanced(by: .hours(-1))) { team in
        kinds.map { JobPlan(kind: $0, rule: $0.rule(for: team, zone: zone)) }
      }
    }
    return store
  }

  /// Claim, facts, decision and outcome of every team's morning, all due in one second.
  private func sharedMorning(teams: Int) async throws {
    let store = try await store("morning", teams: teams, kinds: [.morningSummary, .weeklyDigest])
    try await commits(store)
    let clock = FixedClock(instant: morning)
    let runner = JobRunner(
      store: store, zones: zones, clock: clock, routes: [SinkRoute(sink: "drop"), SinkRoute(sink: "stdout")]
    ) {}
    for (title, instant) in [("silent", morning), ("with a notice each", morning.advanced(by: .hours(24 * 6 + 10)))] {
      clock.set(instant)
      var state = SchedulerState()
      let jobs = try await store.jobs().filter {
        title == "silent" ? $0.kind == .morningSummary : $0.kind == .weeklyDigest
      }
      _ = state.handle(.loaded(try jobs.map { try PlannedJob($0, zones: zones) }))
      var runs = 0
      let time = try await timed {
        for case .take(let looks) in state.handle(.woke(now: instant)) {
          runs += looks.reduce(0) { $0 + $1.claims.count }
          try await runner.run(looks)
        }
      }
      line("\(runs) runs due in one second, \(title): all committed, s", time, limit: 1)
    }
  }

  /// What the disk takes: single commits, and rows in groups.
  private func commits(_ store: Store) async throws {
    let single = try await timed {
      for number in 0..<500 { try await store.beat(nil, now: morning.advanced(by: .seconds(number))) }
    }
    line("beside it: durable single commits a second", 500 / single)
    let job = try await store.jobs()[0]
    let rows = (0..<100_000).map { number in
      PassedSlot(
        jobID: job.id, generation: job.generation, slot: Timestamp(seconds: Int64(number)), reason: "too-late",
        detail: "…")
    }
    let grouped = try await timed {
      _ = try await store.take([JobLook(job: job, cursor: job.cursor, claims: [], passed: rows)], now: morning)
    }
    line("beside it: verdicts a second in one commit", 100_000 / grouped)
  }

  private func start(teams: Int) async throws {
    let store = try await store("start", teams: teams, kinds: JobKind.allCases)
    let before = residentMegabytes()
    var jobs = 0
    let kept = KeptState()
    let time = try await timed {
      let planned = try await store.jobs().map { try PlannedJob($0, zones: zones) }
      jobs = planned.count
      kept.load(planned)
    }
    line("\(jobs) jobs read and planned, s", time, limit: 1)
    line("resident memory for them, MB", residentMegabytes() - before, limit: 150)
  }

  private func year(teams: Int) async throws {
    let store = try await store("year", teams: teams, kinds: JobKind.allCases)
    let image = try await StoreReader(path: store.path).image(team: nil)
    let jobs = try image.jobs.map { try PlannedJob($0, zones: zones) }
    let simulation = Simulation(jobs: jobs, facts: image.facts, install: store.install)
    var runs = 0
    let time = try await timed { runs = simulation.runs(from: morning, to: morning.advanced(by: .hours(8_766))).count }
    line("a simulated year of \(jobs.count) jobs (\(runs) decisions), s", time, limit: 10)
  }

  /// How long after its instant the timer's wake is seen, and that it is never before.
  private func timer(rounds: Int) async throws {
    let timer = try WakeTimer()
    var wakes = timer.events().makeAsyncIterator()
    let clock = SystemWallClock()
    var late: [Double] = []
    for _ in 0..<rounds {
      let instant = clock.now().advanced(by: .milliseconds(20))
      timer.arm(at: instant)
      _ = await wakes.next()
      late.append(Double(clock.now().milliseconds - instant.milliseconds))
    }
    late.sort()
    line("wake-up after its instant, ms, p99 of \(rounds)", late[rounds * 99 / 100], limit: 5)
    line("wake-up after its instant, ms, least (never early)", late[0])
  }

  // MARK: Measuring

  private func timed(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return Double((ContinuousClock.now - start).wholeMilliseconds) / 1_000
  }

  private func residentMegabytes() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (Double(line.split(separator: " ").dropFirst().first ?? "0") ?? 0) / 1_024
  }

  private func line(_ name: String, _ value: Double, limit: Double? = nil) {
    let verdict = limit.map { value <= $0 ? "  (limit \($0), met)" : "  (limit \($0), MISSED)" } ?? ""
    print(
      "  \(name)\(String(repeating: " ", count: max(1, 72 - name.count)))\(String(format: "%.2f", value))\(verdict)")
  }
}

private final class FixedClock: WallClock {
  private let time: Mutex<Timestamp>
  init(instant: Timestamp) { time = Mutex(instant) }
  func now() -> Timestamp { time.withLock { $0 } }
  func set(_ instant: Timestamp) { time.withLock { $0 = instant } }
}

/// Holds what was planned, so that it is in memory when memory is measured.
private final class KeptState: Sendable {
  private let state = Mutex(SchedulerState())

  func load(_ jobs: [PlannedJob]) { _ = state.withLock { $0.handle(.loaded(jobs)) } }
}
