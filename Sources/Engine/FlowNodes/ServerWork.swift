package import FlowBackup
package import FlowCalendar
import FlowDelivery
import FlowModel
import FlowNotices
package import FlowPlatform
package import FlowServices
package import FlowSettings
package import FlowStore
package import FlowWork

/// The background tasks of the server's own jobs: the backup, and those of the trades. Its members are the parts of the daemon
/// that they use; this module lies below the one of `ServiceContext`, which has most of them.
package struct ServerWork: Sendable {
  let store: any ServerJobs & Teams & Timings & TeamFailures
  package let keeper: BackupKeeper
  let clock: any WallClock
  let jobs: JobCatalogues
  /// The machine's own zone.
  let zone: Zone
  let log: DaemonLog
  let settings: EffectiveSettings
  package let notices: OperatorNotices
  package let trades: [RunningTrade]

  package init(
    store: any ServerJobs & Teams & Timings & TeamFailures, keeper: BackupKeeper, clock: any WallClock,
    jobs: JobCatalogues, zone: Zone, log: DaemonLog, settings: EffectiveSettings, notices: OperatorNotices,
    trades: [RunningTrade]
  ) {
    self.store = store
    self.keeper = keeper
    self.clock = clock
    self.jobs = jobs
    self.zone = zone
    self.log = log
    self.settings = settings
    self.notices = notices
    self.trades = trades
  }

  /// The background task that performs a run; nil if the run is a decision.
  package func backgroundTask(for run: ClaimedRun) -> (any BackgroundTask)? {
    if run.kind == .backup {
      return BackupWork(server: self, reason: run.cause == .schedule ? BackupWork.nightly : "run by hand")
    }
    return trades.lazy.compactMap { $0.serverJobs[run.kind]?.task(run) }.first
  }

  /// Writes the rules of the server's jobs from the settings. A job that is new to the ledger counts as settled up to its last
  /// recorded work, so that a store of an older daemon catches up on its last night.
  package func plan(by settings: Settings) async throws {
    var settled: [JobKind: Timestamp] = [:]
    settled[.backup] = try await store.newestBackup(reason: BackupWork.nightly)
    for trade in trades {
      for (kind, job) in trade.serverJobs { settled[kind] = try await job.lastDone() }
    }
    let plans = JobPlan.server(jobs.every, backup: settings.backupTime, defaults: settings.jobDefaults) { settled[$0] }
    try await store.planServerJobs(plans, zone: zone.name, now: clock.now())
  }

  /// Plans the jobs of all teams again if the settings' defaults changed, or a team lacks jobs of this version.
  ///
  /// - Returns: true if the jobs were planned again.
  @discardableResult
  package func planTeams(by settings: Settings) async throws -> Bool {
    let defaults = settings.jobDefaults.filter { !$0.key.isServerJob }
    let isUnchanged = try await store.defaultTimings() == defaults
    var hasMissingJobs = false
    for trade in jobs.trades where !hasMissingJobs {
      hasMissingJobs = try await store.lacksJobs(of: jobs.of(trade).ofTeam, trade: trade)
    }
    guard hasMissingJobs || !isUnchanged else { return false }
    let zones = SystemZones()
    try await store.planAllTeams(defaults: defaults, now: clock.now()) { [jobs] team in
      JobPlan.all(of: team, in: jobs.of(team.trade), zone: try zones.zone(named: team.zone), defaults: defaults)
    }
    return true
  }
}

/// Backs the store up and prunes old backups. A failure is reported to the operator, and the ledger retries.
private struct BackupWork: BackgroundTask {
  let server: ServerWork
  let reason: String

  /// The reason of nightly backups in `backup list`.
  static let nightly = "nightly"

  func perform() async throws -> Outcome {
    do {
      return try await backUp()
    } catch let error as CancellationError {
      // Cancelled by a stop, an operator or the time limit; the ledger reports the time limit to the operator.
      throw error
    } catch let failure as SecondCopyFailure {
      // The backup itself is complete, so a retry in an hour would not help; the next night copies its own backup.
      await report("\(failure)")
      return Outcome(result: .failed, reason: "second-place", detail: "\(failure)", notice: nil)
    } catch {
      await report("\(error)")
      throw error
    }
  }

  /// Creates a backup and prunes old ones; teams without an archive are reported, but do not fail the run.
  private func backUp() async throws -> Outcome {
    let effectiveSettings = await server.settings.reading.settings
    let line = try await server.keeper.create(
      reason: reason, second: effectiveSettings.backupDirectory, planLimits: effectiveSettings.planLimits
    ) { _ in try Task.checkCancellation() }
    let (removed, kept) = try await server.keeper.prune(
      effectiveSettings.backupRetention, zone: server.zone, dryRun: false)
    let summary =
      "backup \(line.id) was made and \(line.manifest?.hasSnapshot == false ? "its archives read back" : "restored for proof"), "
      + "\(sizeText(line.bytes)); \(countText(removed.count, "old one")) went, "
      + countText(kept.count, "stays", "stay")
    server.log.report(.backupMade, .info, summary, [("POOLFLOW_BACKUP", line.id)])
    let troubles = line.manifest?.troubles ?? []
    guard !troubles.isEmpty else { return Outcome(result: .done, reason: nil, detail: summary, notice: nil) }
    // A retry in an hour would find the same records; the next night tries again.
    let missingArchives = Self.summary(of: troubles)
    server.log.report(.backupFailed, .error, "backup \(line.id) lacks archives: \(missingArchives)")
    await server.notices.notifyTeamFailures()
    return Outcome(result: .done, reason: "archives-missing", detail: "\(summary); \(missingArchives)", notice: nil)
  }

  private static func summary(of troubles: [BackupManifest.FailedTeam]) -> String {
    var summary = troubles.prefix(Limits.failuresShown).map { "no archive of team '\($0.team)': \($0.why)" }
    let unnamed = troubles.count - summary.count
    if unnamed > 0 { summary.append("and of \(countText(unnamed, "more team"))") }
    return summary.joined(separator: "; ")
  }

  private func report(_ reason: String) async {
    server.log.report(.backupFailed, .error, "the backup failed: \(reason)")
    do {
      // At most one such notice a day.
      try await server.notices.sendOnce(.backupFailed(reason: reason), now: server.clock.now())
    } catch {
      server.log.error("the operator could not be notified about the backup: \(error)")
    }
  }
}
