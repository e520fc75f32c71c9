import FaultyDisk
import FlowCalendar
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import TradeStores

/// A machine with teams, a clock that may be set at any time, a disk that fails and loses power, a store that survives every
/// crash, and a drop folder that may fail.
///
/// Runs the pure scheduler and the real store, dispatcher, lane and drop folder step by step: a seed determines everything that
/// happens.
@Simulation final class World {
  /// The process ended here: nothing in memory remains.
  struct Crash: Error {}

  let path: String
  /// The file at `path`, or a database of the tested engine; only a file has a faulty disk.
  let place: StoreLocation
  /// The store's file system; nil if this user may not mount one.
  let disk: SmallDisk?
  /// The uptime until which other programs fill the disk.
  var fullUntil: Duration?
  /// The uptime until which the disk accepts no write.
  var deadUntil: Duration?
  /// The fault armed for the daemon's next work.
  var fault: Fault?
  /// The number of power failures.
  var powerCuts = 0
  var meetings = Meetings()
  private var keptRoomAt: Duration = .zero
  let zones = SystemZones()
  var random: SeededNumbers
  var store: Store
  var state = SchedulerState()
  var now: Timestamp
  var uptime: Duration = .zero
  var wake: Timestamp
  var teams: [Team] = []
  var choices = Choices()
  var barns = BarnBook()  // Stables
  /// The heartbeat to be written before the next access to the store.
  private var heartbeat: (downtime: Downtime?, trust: ClockTrust, at: Timestamp)?
  /// Claimed runs that are not settled yet, as the runner keeps them.
  private var unsettled: [ClaimedRun] = []
  /// Orphaned runs were not reclaimed yet, for lack of disk space.
  private var needsRescue = false
  /// The steps until the process crashes.
  var fuse: Int?
  var sinkFails = false
  /// The earliest instant of a clock rollback since the last audit.
  var tookBackTo: Timestamp?
  let drop = MemoryDisk()
  /// The sizes of the files that the consumer has taken, by notice.
  var delivered: [String: Int] = [:]
  private(set) var claimsGranted: [String: Int] = [:]
  private(set) var trace: [String] = []
  private var jitter: [JobKind: Duration] = [:]
  /// Compiled rules, shared across processes: they contain nothing of a job.
  private var rules = RuleCache()

  static let zoneNames = [
    "America/Phoenix", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu",
    "America/Sao_Paulo", "Africa/Casablanca", "Asia/Tehran", "Pacific/Chatham", "America/St_Johns", "UTC",
    "Europe/Dublin", "Asia/Gaza", "Pacific/Kiritimati",
  ]

  /// - Parameter disk: the disk that contains `path`.
  init(path: String, on disk: SmallDisk?, seed: UInt64) throws {
    guard faulty_disk_register() else { throw Violation("SQLite takes no disk of ours") }
    self.path = path
    place = ServerStores.isChosen ? try ServerStores.place(of: path) : .file(path)
    self.disk = disk
    random = SeededNumbers(seed: seed)
    // Within 2024 to 2036, on a whole second.
    now = Timestamp(seconds: 1_704_153_600 + Int64.random(in: 0..<12 * 365 * 86_400, using: &random))
    wake = now
    if random.chance(3) { jitter = [.morningSummary: .minutes(20), .weeklyDigest: .hours(1)] }
    store = try Store(
      place: place, now: now, version: "simulated", reserve: Self.reserve(beside: path),
      executor: Simulation.executor)
  }

  deinit {
    faulty_disk_forget(path)
    ServerStores.forget(path)
  }

  private static func reserve(beside path: String) -> DiskSpaceReserve {
    DiskSpaceReserve(in: String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
  }

  func note(_ text: String) { trace.append("\(now) \(text)") }

  // MARK: Life and death

  /// Starts a new process on the existing store.
  func start() async throws {
    store = try await opened()
    state = SchedulerState()
    unsettled = []
    needsRescue = true
    fuse = random.chance(4) ? Int.random(in: 0..<6, using: &random) : nil
    do {
      try await withFaults { try await rescue() }
    } catch  where error.isTemporary {
      try survive(error)
    }
    try point()
    _ = state.handle(.loaded(planned(try await store.jobs(), holds: try await store.holds())))
    _ = state.handle(
      .began(
        downtimes: try await store.downtimes(since: Timestamp(seconds: 0)),
        clock: try await store.storedClockState(now: now)))
    wake = now
  }

  /// Opens the store; the service manager restarts a process that fails for lack of disk space.
  private func opened() async throws -> Store {
    while true {
      await lookForRoom()
      switch begun() {
      case .success(let store): return store
      case .failure(let error):
        guard error.isTemporary else { throw error }
        note("no start: \(error)")
        advance(.minutes(5))
      }
    }
  }

  /// Logs an error that a daemon survives; a crash is passed on.
  func survive(_ error: any Error) throws {
    note("\(error)")
    if diskIsOff { throw Crash() }
  }

  private func begun() -> Result<Store, StoreError> {
    Result { () throws(StoreError) in
      try Store(
        place: place, now: now, version: "simulated", reserve: Self.reserve(beside: path),
        executor: Simulation.executor)
    }
  }

  private func rescue() async throws {
    unsettled += try await store.reclaimOrphans(now: now, crashed: false)
    needsRescue = false
    try await settleOpen()
  }

  // MARK: Room

  /// Other programs fill the disk completely or nearly.
  func fillDisk(for duration: Duration) {
    guard let disk, fullUntil == nil else { return }
    note("the disk is full for \(duration.inWords)")
    fullUntil = uptime + duration
    if random.chance(2) {
      // Neither the log nor the reserve may have free space left.
      try? Connection.opened(place, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)", operation: "prepare")
      _ = Self.reserve(beside: path).giveUp()
    }
    disk.fill(leaving: random.pick([0, 0, 4_096, 40 << 10, 200 << 10]))
  }

  func emptyDisk() async {
    guard let disk, fullUntil != nil else { return }
    note("the disk has room again")
    fullUntil = nil
    disk.makeRoom()
    try? await store.keepDiskReserve()
  }

  func lookForRoom() async {
    mendDisk()
    if let end = fullUntil, uptime >= end { await emptyDisk() }
    // Like the daemon's job each minute, only less often.
    guard fullUntil == nil, uptime - keptRoomAt >= .hours(1) else { return }
    keptRoomAt = uptime
    try? await store.keepDiskReserve()
  }

  /// Runs an action of a person or an accident; if it is refused for lack of space, nothing has changed.
  func unlessRefused(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch  where error.isTemporary {
      try survive(error)
      try await reload()
    }
  }

  /// Crashes here if the fuse has run out.
  func point() throws {
    guard let left = fuse else { return }
    if left == 0 {
      note("crash")
      fuse = nil
      throw Crash()
    }
    fuse = left - 1
  }

  /// Runs `body` as a process that may crash in it, and restarts it until it succeeds.
  func alive(_ body: () async throws -> Void) async throws {
    do {
      try await body()
      return
    } catch  where endsProcess(error) {}
    for _ in 0..<20 {
      do {
        do {
          try await flushBeat()
        } catch  where error.isTemporary {
          heartbeat = nil
        }
        if diskIsOff || random.chance(4) {
          meetings.add(.powerCut)
          try losePower()
        }
        if random.chance(2) { advance(.seconds(Int.random(in: 1...20_000, using: &random))) }
        try await start()
        return
      } catch  where endsProcess(error) {}
    }
    throw Crash()
  }

  /// True for errors that end a process: a crash, or a disk that refuses essential writes. It is restarted.
  private func endsProcess(_ error: any Error) -> Bool {
    if error.isTemporary { note("ended by: \(error)") }
    return error is Crash || diskIsOff || error.isTemporary
  }

  func flushBeat() async throws {
    if let heartbeat { try await store.heartbeat(heartbeat.downtime, trust: heartbeat.trust, now: heartbeat.at) }
    heartbeat = nil
  }

  /// Advances the uptime and the clock.
  func advance(_ duration: Duration) {
    now = now.advanced(by: duration)
    uptime += duration
  }

  // MARK: What the scheduler and the runner do

  func planned(_ jobs: [JobRecord], holds: [Hold]) -> [PlannedJob] {
    jobs.compactMap { job in
      do {
        return try PlannedJob(job, zones: zones, rules: &rules, holds: holds, jitter: jitter[job.kind] ?? .zero)
      } catch {
        note("\(error)")
        return nil
      }
    }
  }

  /// One look with its consequences, until nothing is due or the disk has no space.
  func look() async throws {
    await lookForRoom()
    do {
      try await withFaults { try await lookOnce() }
    } catch  where error.isTemporary {
      try survive(error)
      try await reload()
      wake = now.advanced(by: Limits.diskFullRetry)
    }
  }

  private func reload() async throws {
    _ = state.handle(.loaded(planned(try await store.jobs(), holds: try await store.holds())))
  }

  private func lookOnce() async throws {
    if needsRescue { try await rescue() }
    while true {
      var next: Timestamp?
      for action in state.handle(.timerFired(now: now, uptime: uptime)) {
        switch action {
        case .heartbeat(let downtime):
          if downtime != nil { try await flushBeat() }
          heartbeat = (downtime, state.trust, now)
          if downtime != nil { try await flushBeat() }
        case .take(let looks):
          try await flushBeat()
          try await take(looks)
        case .rollBack(let last):
          try await flushBeat()
          try await rollBack(from: last)
        case .sleep(let until): next = until
        }
      }
      wake = min(next ?? now.advanced(by: Limits.longestSleep), now.advanced(by: Limits.longestSleep))
      if wake > now { return }
    }
  }

  /// Handles a clock rollback.
  private func rollBack(from last: Timestamp?) async throws {
    try point()
    tookBackTo = min(now, tookBackTo ?? now)
    if let mend = try await store.rollBack(now: now, from: last) { note("taken back: \(mend.sentence)") }
    try point()
    try await reload()
    _ = state.handle(.rolledBack(downtimes: try await store.downtimes(since: Timestamp(seconds: 0))))
  }

  private func take(_ looks: [JobTick]) async throws {
    var rest = looks[...]
    while !rest.isEmpty {
      try point()
      // A few teams are read directly, many through a separate reader.
      let batch = Array(rest.prefix(random.pick([3, 7, 40])))
      rest = rest.dropFirst(batch.count)
      // Settle earlier runs first.
      try await settleOpen()
      let runs = try await store.take(batch, now: now)
      for run in runs { claimsGranted["\(run.jobID.number)@\(run.slot)", default: 0] += 1 }
      try point()
      try await settle(runs)
      try point()
    }
  }

  /// A claimed run stays claimed until it is settled.
  func settle(_ runs: [ClaimedRun]) async throws {
    unsettled += runs
    try await settleOpen()
  }

  private func settleOpen() async throws {
    guard !unsettled.isEmpty else { return }
    try await write(unsettled)
    unsettled = []
  }

  private func write(_ runs: [ClaimedRun]) async throws {
    var rest = runs
    while !rest.isEmpty {
      let decisions = try await store.decisions(of: rest, zones: zones)
      try point()
      let changed = try await changeMeanwhile(rest)
      var settlements: [RunSettlement] = []
      for (run, decision) in zip(rest, decisions) {
        guard let decision = try decision.get() else {
          // A server run needs no decision; here it always succeeds.
          if run.teamID == nil {
            settlements.append(RunSettlement(run: run, outcome: JobDecision.serverTask(of: run.kind), finishedAt: now))
          }
          continue
        }
        let context = RunContext(
          jobID: run.jobID, kind: run.kind, slot: run.slot, asOf: run.asOf, now: now, lateness: run.lateness,
          install: "sim", timing: run.timing)
        let zone = try zones.zone(named: run.zone)
        let outcome = decision(context, zone)
        try verify(run, outcome, zone)
        settlements.append(RunSettlement(run: run, outcome: outcome, finishedAt: now))
        note("\(run.kind.rawValue) \(run.jobID.number) \(run.slot) \(outcome.result.rawValue)")
      }
      let outdated = try await store.settle(
        settlements, routes: [SinkRoute(sink: "drop", takesPersonal: true)], evenIfChanged: false)
      guard outdated == Set(settlements.map(\.run).filter { $0.teamID != nil && $0.teamID == changed }.map(\.key))
      else {
        throw Violation("\(outdated) were to be decided again, and team \(changed as Any) had changed")
      }
      rest.removeAll { !outdated.contains($0.key) }
    }
  }

  /// Sometimes a team's records are changed while its decision is computed.
  private func changeMeanwhile(_ runs: [ClaimedRun]) async throws -> TeamID? {
    guard random.chance(8), let team = random.pick(runs).teamID else { return nil }
    try await store.forget(.technician(TechnicianID(0)), of: team)
    note("team \(team.number) changed meanwhile")
    return team
  }
}

/// A violated invariant.
struct Violation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
