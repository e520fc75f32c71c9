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
  private let store: any ClockLog & LedgerReport & ClusterPartitions & OutboxAdmin & StoreUpkeep & Teams & TeamFailures
  private let zones: SystemZones
  private let metrics: MetricsWriter
  private let deferredWork: DeferredWork
  private let log: DaemonLog
  private var fingerprint: Int
  private var prunedAt: Timestamp?
  private var news = MachineNotices()
  /// Since when the disk is full; nil while it has space.
  private var diskFullSince: Timestamp?
  /// Since when the database server does not answer; nil while it does.
  private var serverAwaySince: Timestamp?
  private let statePath: String
  private let storeName: String
  private let onStoreReturned: @Sendable () -> Void
  /// Resident bytes after memory was last released.
  private var lowestResidentBytes = 0
  private let notices: OperatorNotices
  private var teamsCheckedAt: Timestamp?
  /// Teams whose jobs cannot be read, as of `teamsCheckedAt`, with the reason.
  private var unreadableJobs: [TeamID: String] = [:]

  /// Makes housekeeping for one daemon; the time zone data of now counts as known.
  ///
  /// - Parameter statePath: the folder whose file system must have free space.
  init(
    store: any ClockLog & LedgerReport & ClusterPartitions & OutboxAdmin & StoreUpkeep & Teams & TeamFailures,
    zones: SystemZones,
    metrics: MetricsWriter, deferredWork: DeferredWork, notices: OperatorNotices, log: DaemonLog,
    statePath: String, storeName: String, onStoreReturned: @escaping @Sendable () -> Void = {}
  ) {
    self.onStoreReturned = onStoreReturned
    self.statePath = statePath
    self.storeName = storeName
    self.notices = notices
    self.store = store
    self.zones = zones
    self.metrics = metrics
    self.deferredWork = deferredWork
    self.log = log
    fingerprint = zones.fingerprint
  }

  /// Runs all of this minute's work.
  ///
  /// - Parameter scheduler: re-plans the jobs whose zones changed.
  func tidy(now: Timestamp, scheduler: Scheduler) async {
    guard await isStoreAvailable(now: now) else { return await metrics.write(now: now) }
    await reloadZones(scheduler)
    await retryDeferred(scheduler)
    await checkDiskSpace(now: now)
    await checkTeams(now: now, scheduler: scheduler)
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

  /// False while the database server is away: that is only logged. Once the server is back, the operator gets one notice.
  private func isStoreAvailable(now: Timestamp) async -> Bool {
    if let why = await store.serverAway {
      if serverAwaySince == nil {
        log.error("the store (\(storeName)) does not answer: \(why); no new work starts until it does")
        serverAwaySince = now
      }
      return false
    }
    guard let since = serverAwaySince else { return true }
    log.notice("the store (\(storeName)) answers again: the work due since \(since) is caught up")
    // Sinks whose lanes backed off while the store was away are woken.
    onStoreReturned()
    do {
      // A short restart of the server is not worth a notice.
      if now.since(since) >= Limits.serverOutageReported, notices.ownsServerWork {
        try await notices.notify(.serverWasAway(name: storeName, since: since), now: now)
      }
      serverAwaySince = nil
    } catch {
      log.error("\(error); the operator is notified within a minute that the server was unreachable")
    }
    return true
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

  /// Checks free disk space. A full disk can only be logged; once it has space again, the operator gets one notice.
  private func checkDiskSpace(now: Timestamp) async {
    guard await !store.isOutOfDiskSpace else {
      if diskFullSince == nil {
        log.error("the disk of '\(statePath)' is full: nothing can be written until space is free")
        diskFullSince = now
      }
      return
    }
    do {
      try await store.keepDiskReserve()
      guard let since = diskFullSince else { return }
      log.notice("the disk of '\(statePath)' has free space again: the work missed since \(since) is caught up")
      try await notices.notify(.diskWasFull(path: statePath, since: since), now: now)
      diskFullSince = nil
    } catch {
      log.error("\(error); the disk space reserved for emergencies is checked again within a minute")
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

  /// Records teams whose jobs cannot be planned (every minute) and teams whose rows cannot be read (once an hour).
  private func checkTeams(now: Timestamp, scheduler: Scheduler) async {
    do {
      var unplanned = await scheduler.unplannedTeams
      let isHourly = teamsCheckedAt.map { now < $0 || now.since($0) >= Limits.pruningInterval } ?? true
      if isHourly, notices.ownsServerWork {
        teamsCheckedAt = now
        unreadableJobs = try await store.unreadableJobs()
        try await store.setTeamFailures(try await store.unreadableTeams(), with: FailureCode.team, of: .all, now: now)
      }
      unplanned.merge(unreadableJobs) { first, _ in first }
      // Each node checks its own partitions.
      try await store.setTeamFailures(
        unplanned, with: FailureCode.schedule, of: .partitions(store.partitions), now: now)
    } catch {
      log.error("\(error); the teams are checked again within a minute")
    }
    await notices.notifyTeamFailures()
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
    for notice in news.newNotices(freeBytes: DiskSpace(at: statePath)?.freeBytes, at: statePath, now: now) {
      // If the notice failed, the condition is reported again within a minute.
      if await !sendOnce(notice, now: now) { news.forget(notice) }
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

  /// Plans jobs without a plan, and re-plans the jobs of zones whose rules changed on disk.
  private func reloadZones(_ scheduler: Scheduler) async {
    do {
      try await scheduler.planUnplanned()
    } catch {
      log.error("\(error); jobs without a plan are planned within a minute")
    }
    let current = zones.fingerprint
    guard current != fingerprint else { return }
    let (changed, errors) = zones.reload()
    for error in errors { log.warning("\(error); the previous time zone data stays in use") }
    do {
      if !changed.isEmpty { try await scheduler.zonesChanged(changed.map { ($0.before, $0.after) }) }
      // Zones that were read meanwhile change the fingerprint.
      fingerprint = zones.fingerprint
    } catch {
      log.error("\(error); the new time zone data is loaded within a minute")
    }
  }
}
