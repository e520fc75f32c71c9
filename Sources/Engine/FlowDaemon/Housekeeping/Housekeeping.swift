import FlowAnswers
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Work that is due once a minute: checks for new time zone data, writes metrics, prunes old records, checks disk, teams and
/// backups. Called after a tick of the scheduler, so that it needs no timer of its own.
actor Housekeeping {
  private let store: any ClockLog & LedgerReport & OutboxAdmin & StoreUpkeep
  private let metrics: MetricsWriter
  private let deferredWork: DeferredWork
  private let notices: OperatorNotices
  private let log: DaemonLog
  private let statePath: String
  private let outages: StoreOutages
  private let teamCheck: TeamCheck
  private let zoneReload: ZoneReload
  private var machineNotices = MachineNotices()
  private var prunedAt: Timestamp?
  /// Resident bytes after memory was last released.
  private var lowestResidentBytes = 0

  /// Makes housekeeping for one daemon; the time zone data of now counts as known.
  ///
  /// - Parameter onStoreReturned: called when the database server answers again.
  init(
    on context: ServiceContext, metrics: MetricsWriter, deferredWork: DeferredWork, notices: OperatorNotices,
    onStoreReturned: @escaping @Sendable () -> Void = {}
  ) {
    store = context.store
    log = context.log
    statePath = context.paths.state
    self.metrics = metrics
    self.deferredWork = deferredWork
    self.notices = notices
    outages = StoreOutages(on: context, notices: notices, onStoreReturned: onStoreReturned)
    teamCheck = TeamCheck(on: context, notices: notices)
    zoneReload = ZoneReload(on: context)
  }

  /// Runs all of this minute's work.
  ///
  /// - Parameter scheduler: re-plans the jobs whose zones changed.
  func tidy(now: Timestamp, scheduler: Scheduler) async {
    guard await outages.isServerAvailable(now: now) else { return await metrics.write(now: now) }
    await zoneReload.reload(scheduler)
    await retryDeferred(scheduler)
    await outages.checkDiskSpace(now: now)
    await teamCheck.check(now: now, scheduler: scheduler)
    await metrics.write(now: now)
    await checkMachine(now: now)
    if notices.ownsServerWork { await checkBackups(now: now) }
    await releaseUnusedMemory()
    guard notices.ownsServerWork else { return }
    if let last = prunedAt, now >= last, now.since(last) < Limits.pruningInterval { return }
    prunedAt = now
    do {
      let count = try await store.prune(
        now: try await store.deletionTime(now: now), limit: Limits.verdictsPrunedAtOnce)
      if count > 0 {
        log.info("deleted \(countText(count, "job outcome")) older than \(Limits.ledgerRetention.inWords)")
      }
    } catch {
      log.error("\(error); old job outcomes stay for another hour")
    }
  }

  /// Repeats writes that failed at start-up because the disk was full; the plan of the server's own jobs may be among them.
  private func retryDeferred(_ scheduler: Scheduler) async {
    guard await deferredWork.retryDeferred() else { return }
    do {
      try await scheduler.perform(.record(of: nil)) {}
    } catch {
      log.error("\(error); the server's own jobs are planned at the next start")
    }
  }

  /// Handles a clock correction: notices that the wrong clock expired are delivered, and the operator is notified.
  func note(_ correction: ClockCorrection) async {
    do {
      let count = try await store.reviveExpiredByWrongClock(now: correction.at)
      if count > 0 { log.notice("\(count) notices that expired only because the clock was wrong are delivered now") }
    } catch {
      log.error(
        "\(error); notices that expired because of the wrong clock stay dead: see `pfctl outbox list --state dead`"
      )
    }
    if correction.isForOperator { await sendOnce(.clockRolledBack(words: correction.sentence), now: correction.at) }
  }

  /// Releases memory after a busy minute, which the allocator and SQLite's page cache would keep.
  private func releaseUnusedMemory() async {
    guard let resident = ProcessMemory.residentBytes, resident > lowestResidentBytes + Limits.memoryGrowthBeforeTrim
    else { return }
    await store.releaseMemory()
    ProcessMemory.returnFreedMemory()
    lowestResidentBytes = ProcessMemory.residentBytes ?? resident
  }

  /// Notifies the operator of low disk space or an implausible clock, once for each occurrence.
  private func checkMachine(now: Timestamp) async {
    for notice in machineNotices.newNotices(freeBytes: DiskSpace(at: statePath)?.freeBytes, at: statePath, now: now) {
      // If the notice failed, the condition is reported again within a minute.
      if await !sendOnce(notice, now: now) { machineNotices.forget(notice) }
    }
  }

  /// Sends a notice to the operator unless the same one was sent within the last 20 hours; logs a failure.
  ///
  /// - Returns: false if the notice could not be written.
  @discardableResult
  private func sendOnce(_ notice: OperatorNotice, now: Timestamp) async -> Bool {
    do {
      try await notices.sendOnce(notice, now: now)
      return true
    } catch {
      log.error("the operator could not be notified of this: \(notice.word): \(error)")
      return false
    }
  }

  /// Notifies the operator of a failed nightly backup that its own run could not report: it exceeded its time limit, or the
  /// daemon ended during each attempt.
  private func checkBackups(now: Timestamp) async {
    do {
      guard let failed = try await store.failedWork().first(where: { $0.kind == .backup }) else { return }
      let notice = OperatorNotice.backupFailed(reason: failed.why)
      // The run itself reported the failure during its attempts.
      if let last = try await notices.lastNoticeTime(notice), failed.finishedAt.since(last) < .hours(20) { return }
      try await notices.notify(notice, now: now)
    } catch {
      log.error("the operator could not be notified about the backup: \(error)")
    }
  }
}
