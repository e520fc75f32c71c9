import PoolCalendar
import PoolDelivery
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
  /// What stood in memory after it was last given back.
  private var leanest = 0
  private let tell: @Sendable (Notice, Timestamp) async throws -> Void

  /// - Parameters:
  ///   - statePath: the folder whose file system must have room.
  ///   - tell: writes down what the operator must hear.
  init(
    store: Store, zones: SystemZones, metrics: MetricsWriter, log: DaemonLog, statePath: String,
    tell: @escaping @Sendable (Notice, Timestamp) async throws -> Void
  ) {
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
    await metrics.write(now: now)
    await lookAtMachine(now: now)
    await giveMemoryBack()
    if let last = prunedAt, now >= last, now.since(last) < Limits.pruningEvery { return }
    prunedAt = now
    do {
      let count = try await store.prune(now: now)
      if count > 0 { log.info("forgot \(count) verdicts older than \(Limits.ledgerRetention.inWords)") }
    } catch {
      log.error("\(error); old verdicts stay for another hour")
    }
  }

  /// After a busy minute: what the allocator and SQLite's page cache keep of it would stay for ever.
  private func giveMemoryBack() async {
    guard let resident = ProcessMemory.residentBytes, resident > leanest + Limits.memoryWorthGivingBack else { return }
    await store.releaseMemory()
    ProcessMemory.giveBack()
    leanest = ProcessMemory.residentBytes ?? resident
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
