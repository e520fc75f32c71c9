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
    if let last = prunedAt, now >= last, now.since(last) < Limits.pruningEvery { return }
    prunedAt = now
    do {
      let count = try await store.prune(now: try await store.deletionTime(now: now))
      if count > 0 { log.info("forgot \(count) verdicts older than \(Limits.ledgerRetention.inWords)") }
    } catch {
      log.error("\(error); old verdicts stay for another hour")
    }
  }

  /// The clock came back: what it let expire goes on its way, and the operator hears of it.
  func note(_ mend: ClockMend) async {
    do {
      let count = try await store.reviveUntimely(now: mend.at)
      if count > 0 { log.notice("\(count) notices that a wrong clock called expired are delivered after all") }
    } catch {
      log.error("\(error); what a wrong clock called expired stays dead: see `pfctl dead list`")
    }
    if mend.isOperators { await tellOnce(.clockCameBack(words: mend.sentence), now: mend.at) }
  }

  private func lookAtMachine(now: Timestamp) async {
    for notice in news.look(freeBytes: DiskSpace(at: statePath)?.freeBytes, at: statePath, now: now) {
      await tellOnce(notice, now: now)
    }
  }

  private func tellOnce(_ notice: OperatorNotice, now: Timestamp) async {
    do {
      // A restart within the day is no reason to say it again.
      let last = try await store.lastTold(OperatorNotice.identifier(notice.word, sink: notice.sink))
      if let last, last <= now, now.since(last) < .hours(20) { return }
      try await tell(notice.notice(at: now, install: store.install), now)
    } catch {
      log.error("the operator could not be told of this: \(notice.word): \(error)")
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
