import PoolCalendar
import PoolDelivery
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolStore

/// What the daemon does once a minute beside its work: looks for new time zone data, writes the metrics, forgets what is
/// old. Called after a look of the scheduler, so that it wakes nobody.
actor Housekeeping {
  private let store: Store
  private let zones: SystemZones
  private let metrics: MetricsWriter
  private let log: DaemonLog
  private var fingerprint: Int
  private var prunedAt: Timestamp?
  private var news = MachineNews()
  private let statePath: String
  private let tell: @Sendable (Notice, Timestamp) async throws -> Void
  private let tellTroubles: @Sendable () async -> Void
  private var examinedAt: Timestamp?
  /// As of then.
  private var unreadableJobs: [TeamID: String] = [:]

  /// - Parameters:
  ///   - statePath: the folder whose file system must have room.
  ///   - tellTroubles: tells the operator of teams in trouble that were not told yet.
  ///   - tell: writes down what the operator must hear.
  init(
    store: Store, zones: SystemZones, metrics: MetricsWriter, log: DaemonLog, statePath: String,
    tellTroubles: @escaping @Sendable () async -> Void,
    tell: @escaping @Sendable (Notice, Timestamp) async throws -> Void
  ) {
    self.tellTroubles = tellTroubles
    self.statePath = statePath
    self.tell = tell
    self.store = store
    self.zones = zones
    self.metrics = metrics
    self.log = log
    fingerprint = zones.fingerprint
  }

  /// - Parameter scheduler: whose jobs are planned anew where clocks have changed.
  func tidy(now: Timestamp, scheduler: Scheduler) async {
    await readZones(scheduler)
    await lookAtTeams(now: now, scheduler: scheduler)
    await metrics.write(now: now)
    await lookAtMachine(now: now)
    await lookAtBackups(now: now)
    if let last = prunedAt, now >= last, now.since(last) < Limits.pruningEvery { return }
    prunedAt = now
    do {
      let count = try await store.prune(now: now)
      if count > 0 { log.info("forgot \(count) verdicts older than \(Limits.ledgerRetention.inWords)") }
    } catch {
      log.error("\(error); old verdicts stay for another hour")
    }
  }

  /// Which teams' jobs cannot be planned, every time; whose own rows cannot be read, once an hour.
  private func lookAtTeams(now: Timestamp, scheduler: Scheduler) async {
    do {
      var unplanned = await scheduler.unplannedTeams
      let isHourly = examinedAt.map { now < $0 || now.since($0) >= Limits.pruningEvery } ?? true
      if isHourly {
        examinedAt = now
        unreadableJobs = try await store.unreadableJobs()
        try await store.setTroubles(try await store.unreadableTeams(), with: TroubledWork.team, now: now)
      }
      unplanned.merge(unreadableJobs) { first, _ in first }
      try await store.setTroubles(unplanned, with: TroubledWork.schedule, now: now)
    } catch {
      log.error("\(error); the teams are looked at again within a minute")
    }
    await tellTroubles()
  }

  private func lookAtMachine(now: Timestamp) async {
    for notice in news.look(freeBytes: DiskSpace(at: statePath)?.freeBytes, at: statePath, now: now) {
      do {
        // A restart within the day is no reason to say it again.
        let last = try await store.lastTold(OperatorNotice.identifier(notice.word, sink: notice.sink))
        if let last, last <= now, now.since(last) < .hours(20) { continue }
        try await tell(notice.notice(at: now, install: store.install), now)
      } catch {
        log.error("the operator could not be told of this: \(notice.word): \(error)")
      }
    }
  }

  /// A night that ended without a backup for a reason that its own run could not tell: its time was over, or the daemon
  /// was ended with it again and again.
  private func lookAtBackups(now: Timestamp) async {
    do {
      guard let failed = try await store.failedWork().first(where: { $0.kind == .backup }) else { return }
      let notice = OperatorNotice.backupFailed(reason: failed.why)
      let last = try await store.lastTold(OperatorNotice.identifier(notice.word, sink: notice.sink))
      // The run itself told of it, within the hours that its attempts took.
      if let last, failed.finishedAt.since(last) < .hours(20) { return }
      try await tell(notice.notice(at: now, install: store.install), now)
    } catch {
      log.error("the operator could not be told of the backup: \(error)")
    }
  }

  private func readZones(_ scheduler: Scheduler) async {
    do {
      try await scheduler.planUnplanned()
    } catch {
      log.error("\(error); jobs without a plan are planned within a minute")
    }
    let current = zones.fingerprint
    guard current != fingerprint else { return }
    let (changed, errors) = zones.reload()
    for error in errors { log.warning("\(error); the clocks of before stay in force") }
    do {
      if !changed.isEmpty { try await scheduler.zonesChanged(changed.map { ($0.before, $0.after) }) }
      // Zones read meanwhile are part of the number.
      fingerprint = zones.fingerprint
    } catch {
      log.error("\(error); the new time zone data is taken over within a minute")
    }
  }
}
