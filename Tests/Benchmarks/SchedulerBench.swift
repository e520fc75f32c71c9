import Dispatch
import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowWork
import Foundation
import Glibc
import PoolDigests
import PoolJobs
import PoolModel
import Synchronization
import TradeStores

/// Runs one part of the scheduler benchmarks on a store of its own.
func benchScheduler(_ part: @escaping @Sendable (SchedulerBench) async throws -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let bench = try SchedulerBench()
      defer { bench.remove() }
      try await part(bench)
    } catch {
      benchFailed("scheduler", error)
    }
    done.signal()
  }
  done.wait()
}

final class SchedulerBench: Sendable {
  let folder: URL
  let zones = SystemZones()
  /// Monday 2026-03-02, 14:00:00Z, 07:00 in Phoenix.
  let morning = Timestamp(seconds: 1_772_460_000)

  fileprivate init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  fileprivate func remove() {
    // A leftover temporary folder does no harm.
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: A morning that ten thousand teams share

  /// Claim, facts, decision and outcome of every team's morning, all due in the same second; compared with the disk's raw rate
  /// and with APScheduler.
  func sharedMorning() async throws {
    let count = 10_000
    print("scheduler: \(count) jobs due in one second, over a store in \(folder.deletingLastPathComponent().path)")
    let store = try Store(
      place: benchPlace(folder.path + "/morning.db"), now: morning.advanced(by: .hours(-1)), version: "bench")
    let adding = try await timed { try await addTeams(count, to: store, kinds: [.morningSummary, .weeklyDigest]) }
    let single = try await singleCommits(store)
    figureLine("durable commits a second, one row each", [single])
    figureLine("durable rows a second, in one commit", [try await groupedRows(store)])
    var running = 0.0
    for (title, kind, instant) in [
      ("silent", JobKind.morningSummary, morning),
      ("a notice each", .weeklyDigest, morning.advanced(by: .hours(24 * 6 + 10))),
    ] {
      let time = try await run(kind, of: store, at: instant)
      if kind == .morningSummary { running = Double(count) / time }
      figureLine("\(count) runs, \(title): all committed, s", [time], .reference(1))
      try compare(time, runs: count, title, hasNotices: kind == .weeklyDigest)
    }
    let added = Double(2 * count) / adding
    figureLine("jobs added a second (two a durable commit)", [added])
    figureLine("jobs run a second", [running])
    guard let baseline = try APSchedulerBaseline.measure(jobs: count / 5, in: folder) else {
      return notMeasured("ratio to APScheduler 3", "python3 has no apscheduler and sqlalchemy")
    }
    figureLine("beside it, APScheduler \(baseline.version): jobs added a second", [baseline.added_per_s], .baseline)
    figureLine("beside it, APScheduler \(baseline.version): jobs run a second", [baseline.run_per_s], .baseline)
    // Half of the lowest ratios in benchmarks.md, which are 9 and 32.
    figureLine("ratio to it, adding", [added / baseline.added_per_s], .atLeast(4.5))
    figureLine("ratio to it, running", [running / baseline.run_per_s], .atLeast(16))
  }

  /// Compares the time of a morning with the same rows inserted through SQLite's C interface.
  ///
  /// The bounds are twice the ratios of 2026-11-28 under load: 16 to 21 without notices, 5 to 6 with a notice each.
  private func compare(_ seconds: Double, runs count: Int, _ title: String, hasNotices: Bool) throws {
    guard case .file = benchPlace("") else { return }
    let raws = try (1...3).map { round in
      try RawInserts.seconds(
        count, hasNotices: hasNotices, path: folder.path + "/raw-\(hasNotices ? "notices" : "runs")-\(round).db")
    }
    figureLine("beside it, the rows of \(count) runs, \(title), inserted by SQLite's C interface, s", raws, .baseline)
    figureLine(
      "\(count) runs, \(title), times SQLite alone", ratios([seconds], to: raws), .atMost(hasNotices ? 12 : 40))
  }

  func addTeams(_ count: Int, to store: Store, kinds: [JobKind], now: Timestamp? = nil) async throws {
    let now = now ?? morning.advanced(by: .hours(-1))
    let zone = try zones.zone(named: "America/Phoenix")
    for number in 1...count {
      let draft = Team(
        id: TeamID(0), name: "team-\(number)", trade: .poolService, zone: zone.name, language: .english,
        units: .imperial, objective: .time,
        plan: .paid, settings: TeamSettings(), createdAt: now)
      _ = try await store.addTeam(draft, defaultTechnician: "anna", now: now) { team in
        kinds.map { JobPlan(kind: $0, rule: $0.rule(for: team, zone: zone)) }
      }
    }
  }

  func run(_ kind: JobKind, of store: Store, at instant: Timestamp) async throws -> Double {
    try await run(of: store, at: instant) { $0.kind == kind }
  }

  func run(
    of store: Store, at instant: Timestamp, where isWanted: (JobRecord) -> Bool
  ) async throws -> Double {
    let runner = JobRunner(
      store: store, zones: zones, clock: FixedWallClock(instant: instant),
      routes: [SinkRoute(sink: "drop"), SinkRoute(sink: "stdout")]
    ) { _ in }
    var rules = RuleCache()
    var state = SchedulerState()
    let jobs = try await store.jobs().filter(isWanted)
    _ = state.handle(.loaded(try jobs.map { try PlannedJob($0, zones: zones, rules: &rules) }))
    var runs = 0
    let time = try await timed {
      for case .take(let looks) in state.handle(.timerFired(now: instant)) {
        runs += looks.reduce(0) { $0 + $1.claims.count }
        try await runner.run(looks)
      }
    }
    guard runs == jobs.count else { throw BenchFailure(description: "only \(runs) of \(jobs.count) jobs were due") }
    return time
  }

  private func singleCommits(_ store: Store) async throws -> Double {
    let time = try await timed {
      for number in 0..<500 { try await store.heartbeat(nil, now: morning.advanced(by: .seconds(number))) }
    }
    return 500 / time
  }

  private func groupedRows(_ store: Store) async throws -> Double {
    let job = try await store.jobs()[0]
    let rows = (0..<100_000).map { number in
      SkippedSlot(
        jobID: job.id, generation: job.generation, slot: Timestamp(seconds: Int64(number)), reason: "too-late",
        detail: "…")
    }
    let time = try await timed {
      _ = try await store.take([JobTick(job: job, cursor: job.cursor, claims: [], passed: rows)], now: morning)
    }
    return 100_000 / time
  }

  // MARK: A hundred thousand jobs

  /// The number of teams for `count` jobs.
  static func teams(ofJobs count: Int) -> Int { count / JobCatalogue.pools.ofTeam.count + 1 }

  /// The built daemon on a store of 100,000 jobs: time to READY, memory, idle activity.
  func start() async throws {
    print("scheduler: the daemon with 100,000 jobs")
    let state = folder.appendingPathComponent("state")
    try FileManager.default.createDirectory(
      at: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Created in memory if possible: 17,000 durable commits would measure the disk.
    let memory = URL(fileURLWithPath: "/dev/shm/\(folder.lastPathComponent)")
    let scratch = FileManager.default.fileExists(atPath: "/dev/shm") ? memory : folder.appendingPathComponent("scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let now = SystemWallClock().now()
    let isOnServer = try benchSettings(in: state)
    let store = try Store(place: benchPlace(scratch.path + "/poolflow.db"), now: now, version: "bench")
    try await addTeams(Self.teams(ofJobs: 100_000), to: store, kinds: JobCatalogue.pools.ofTeam, now: now)
    try await store.endEpoch(at: now)
    if !isOnServer {
      try FileManager.default.copyItem(
        atPath: scratch.path + "/poolflow.db", toPath: state.appendingPathComponent("poolflow.db").path)
    }
    var readies: [Double] = []
    for _ in 0..<5 {
      let daemon = try BenchDaemon(folder: folder)
      readies.append(daemon.secondsToReady)
      daemon.stop()
    }
    let daemon = try BenchDaemon(folder: folder)
    defer { daemon.stop() }
    figureLine("start to READY, s, median of \(readies.count)", readies, .reference(1))
    figureLine("resident memory, MB", [try daemon.megabytes("VmRSS")], .atMost(150))
    figureLine("resident memory at its highest, MB", [try daemon.megabytes("VmHWM")])
    let idle = try daemon.idle(minutes: 3)
    figureLine("wake-ups a minute, idle for three", [idle.wakeUps], .atMost(1))
    figureLine("context switches a minute", [idle.switches])
  }

  // MARK: Measuring

  func timed(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}
