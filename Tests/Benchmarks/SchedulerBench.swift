import Dispatch
import Foundation
import Glibc
import PoolCalendar
import PoolDigests
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolStore
import PoolWork
import Synchronization

/// Runs one part of the scheduler benchmarks on a store of its own.
func benchScheduler(_ part: @escaping @Sendable (SchedulerBench) async throws -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let bench = try SchedulerBench()
      defer { bench.remove() }
      try await part(bench)
    } catch {
      print("scheduler: \(error)")
    }
    done.signal()
  }
  done.wait()
}

final class SchedulerBench: Sendable {
  private let folder: URL
  private let zones = SystemZones()
  /// Monday 2026-03-02, 14:00:00Z, 07:00 in Phoenix.
  private let morning = Timestamp(seconds: 1_772_460_000)

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
    line("durable commits a second, one row each", single)
    line("durable rows a second, in one commit", try await groupedRows(store))
    var running = 0.0
    for (title, kind, instant) in [
      ("silent", JobKind.morningSummary, morning),
      ("a notice each", .weeklyDigest, morning.advanced(by: .hours(24 * 6 + 10))),
    ] {
      let time = try await run(kind, of: store, at: instant)
      if kind == .morningSummary { running = Double(count) / time }
      line("\(count) runs, \(title): all committed, s", time, limit: 1)
    }
    let added = Double(2 * count) / adding
    line("jobs added a second (two a durable commit)", added)
    line("jobs run a second", running)
    guard let baseline = try APSchedulerBaseline.measure(jobs: count / 5, in: folder) else {
      return print("  beside it: no python3 here has APScheduler 3 and SQLAlchemy, so there is no ratio to it")
    }
    line("beside it, APScheduler \(baseline.version): jobs added a second", baseline.added_per_s)
    line("beside it, APScheduler \(baseline.version): jobs run a second", baseline.run_per_s)
    line("ratio to it, adding", added / baseline.added_per_s)
    line("ratio to it, running", running / baseline.run_per_s)
  }

  private func addTeams(_ count: Int, to store: Store, kinds: [JobKind], now: Timestamp? = nil) async throws {
    let now = now ?? morning.advanced(by: .hours(-1))
    let zone = try zones.zone(named: "America/Phoenix")
    for number in 1...count {
      let draft = Team(
        id: TeamID(0), name: "team-\(number)", zone: zone.name, language: .english, units: .imperial, objective: .time,
        plan: .paid, settings: TeamSettings(), createdAt: now)
      _ = try await store.addTeam(draft, defaultTechnician: "anna", now: now) { team in
        kinds.map { JobPlan(kind: $0, rule: $0.rule(for: team, zone: zone)) }
      }
    }
  }

  private func run(_ kind: JobKind, of store: Store, at instant: Timestamp) async throws -> Double {
    try await run(of: store, at: instant) { $0.kind == kind }
  }

  private func run(
    of store: Store, at instant: Timestamp, where isWanted: (JobRecord) -> Bool
  ) async throws -> Double {
    let runner = JobRunner(
      store: store, zones: zones, clock: FixedClock(instant: instant),
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
  private static func teams(ofJobs count: Int) -> Int { count / JobCatalogue.pools.ofTeam.count + 1 }

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
    line("start to READY, s, median of \(readies.count)", readies.sorted()[readies.count / 2], limit: 1)
    line("resident memory, MB", try daemon.megabytes("VmRSS"), limit: 150)
    line("resident memory at its highest, MB", try daemon.megabytes("VmHWM"))
    let idle = try daemon.idle(minutes: 3)
    line("wake-ups a minute, idle for three", idle.wakeUps, limit: 1)
    line("context switches a minute", idle.switches)
  }

  // MARK: Rules and reminders

  /// Changes a team's rule among 100,000 jobs: the store's transaction and the scheduler's new plan.
  func rules() async throws {
    let teams = Self.teams(ofJobs: 100_000)
    print("scheduler: a rule changed among \(teams * JobCatalogue.pools.ofTeam.count) jobs")
    let store = try Store(path: folder.path + "/rules.db", now: morning.advanced(by: .hours(-1)), version: "bench")
    try await addTeams(teams, to: store, kinds: JobCatalogue.pools.ofTeam)
    var cache = RuleCache()
    var state = SchedulerState()
    _ = state.handle(.loaded(try await store.jobs().map { try PlannedJob($0, zones: zones, rules: &cache) }))
    let zone = try zones.zone(named: "America/Phoenix")
    var whole: [Double] = []
    var planning: [Double] = []
    for number in 0..<1_000 {
      var timing = JobTiming()
      timing.rule = "Mon..Fri *-*-* 06:\(padded(number % 60, 2)):00"
      let begin = ContinuousClock.now
      let team = try await store.chooseTiming(
        of: .morningSummary, team: "team-\(number * 16 + 1)", now: morning.advanced(by: .seconds(number)),
        change: { [timing] _, _ in timing },
        plan: { team in JobPlan.all(of: team, in: .pools, zone: zone) })
      let committed = ContinuousClock.now
      let jobs = try await store.jobs(of: team.id).map { try PlannedJob($0, zones: zones) }
      _ = state.handle(.replanned(team.id, jobs))
      planning.append((ContinuousClock.now - committed) / .milliseconds(1))
      whole.append((ContinuousClock.now - begin) / .milliseconds(1))
    }
    line("planned anew, ms, p99", planning.sorted()[990], limit: 5)
    line("changed, committed and planned anew, ms, median", whole.sorted()[500])
    line("changed, committed and planned anew, ms, p99", whole.sorted()[990], limit: 5)
  }

  /// A thousand reminders of ten teams, due in the same second as ten thousand mornings.
  func reminders() async throws {
    let (mornings, reminders) = (10_000, 1_000)
    print("scheduler: \(reminders) reminders due in the second of \(mornings) mornings")
    let store = try Store(path: folder.path + "/reminders.db", now: morning.advanced(by: .hours(-1)), version: "bench")
    try await addTeams(mornings, to: store, kinds: [.morningSummary])
    let zone = try zones.zone(named: "America/Phoenix")
    for number in 0..<reminders {
      guard let name = ReminderName("note-\(number)") else { continue }
      let reminder = Reminder(
        name: name, title: .empty, text: try ReminderText("Order cartridges for {pools.today} pools"),
        technicianID: nil, severity: .notice, condition: .always, timesLeft: nil)
      _ = try await store.changeReminder(
        name, of: "team-\(number % 10 + 1)", now: morning.advanced(by: .hours(-1)),
        change: { _, _, _ in TeamReminder(reminder, rule: .calendar("*-*-* 07:00:00"), setBy: "bench") },
        plan: { team in [JobPlan(kind: .morningSummary, rule: JobKind.morningSummary.rule(for: team, zone: zone))] })
    }
    var apart: [Double] = []
    var together: [Double] = []
    for day in 0..<5 {
      // Mornings alone on one day, all jobs on the next; each day is due once.
      let instant = morning.advanced(by: .hours(48 * day))
      apart.append(try await run(of: store, at: instant) { $0.kind == .morningSummary } * 1e6 / Double(mornings))
      together.append(
        try await run(of: store, at: instant.advanced(by: .hours(24))) { _ in true } * 1e6
          / Double(mornings + reminders))
    }
    line("a morning alone, µs, median of \(apart.count)", apart.sorted()[apart.count / 2])
    line("a run of mornings and reminders, µs, median", together.sorted()[together.count / 2])
    line("ratio", together.sorted()[together.count / 2] / apart.sorted()[apart.count / 2])
  }

  // MARK: A year

  func year() async throws {
    print("scheduler: a year of 10,000 jobs")
    let store = try Store(path: folder.path + "/year.db", now: morning.advanced(by: .hours(-1)), version: "bench")
    try await addTeams(2_500, to: store, kinds: [.morningSummary, .lowStock, .weeklyDigest, .trialReminder])
    let image = try await StoreReader(path: store.path).image(team: nil, now: Timestamp(milliseconds: .max))
    var rules = RuleCache()
    let jobs = try image.jobs.map { try PlannedJob($0, zones: zones, rules: &rules) }
    let simulation = Simulation(jobs: jobs, decisions: image.facts.mapValues(\.decision), install: store.install)
    var runs = 0
    let processor = processorSeconds()
    let time = try await timed {
      for _ in simulation.runs(from: morning, to: morning.advanced(by: .hours(8_766))) { runs += 1 }
    }
    line("a simulated year of \(jobs.count) jobs (\(runs) decisions), s", time, limit: 10)
    line("of it, seconds of one processor", processorSeconds() - processor)
  }

  // MARK: Lateness

  /// Runs a scheduler over 1,000 slots of 1,000 jobs, one every 40 ms; each run's lateness is read from the ledger.
  func lateness() async throws {
    let count = 1_000
    print("scheduler: \(count) slots, one every 40 ms")
    let clock = SystemWallClock()
    let store = try Store(path: folder.path + "/late.db", now: clock.now(), version: "bench")
    // The teams are created first, so that their commits do not disturb the slots.
    let first = clock.now().advanced(by: .seconds(20))
    for number in 0..<count {
      let slot = first.advanced(by: .milliseconds(number * 40 + 7))
      let draft = Team(
        id: TeamID(0), name: "team-\(number)", zone: "America/Phoenix", language: .english, units: .imperial,
        objective: .time, plan: .trial(expires: slot.advanced(by: .hours(24))), settings: TeamSettings(),
        createdAt: clock.now())
      _ = try await store.addTeam(draft, defaultTechnician: "anna", now: clock.now()) { _ in
        [JobPlan(kind: .trialReminder, rule: .once(slot))]
      }
    }
    guard clock.now() < first else { throw BenchFailure(description: "the disk takes too long for \(count) teams") }
    let runner = JobRunner(store: store, zones: zones, clock: clock, routes: [SinkRoute(sink: "drop")]) { _ in }
    let scheduler = Scheduler(
      store: store, runner: runner, zones: zones, clock: clock, timer: try WakeTimer(), report: { print("  \($0)") })
    try await scheduler.prepare()
    let end = first.advanced(by: .milliseconds(count * 40 + 1_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await scheduler.run() }
      try await Task.sleep(for: end.since(clock.now()))
      group.cancelAll()
    }
    let late = try await store.history(HistoryQuery(limit: count)).compactMap { run in
      run.startedAt.map { Double($0.milliseconds - run.slot.milliseconds) }
    }.sorted()
    guard late.count == count else { throw BenchFailure(description: "only \(late.count) of \(count) slots ran") }
    line("begun after its slot, ms, median", late[count / 2])
    line("begun after its slot, ms, p99", late[count * 99 / 100], limit: 5)
    line("begun after its slot, ms, least (never early)", late[0])
  }

  // MARK: Measuring

  private func timed(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  private func line(_ name: String, _ value: Double, limit: Double? = nil) {
    let verdict = limit.map { "  promised at most \(Int($0)): \(value <= $0 ? "kept" : "BROKEN")" } ?? ""
    print("  \(name): \(String(format: "%.2f", value))\(verdict)")
  }
}

private final class FixedClock: WallClock {
  private let instant: Timestamp
  init(instant: Timestamp) { self.instant = instant }
  func now() -> Timestamp { instant }
}
