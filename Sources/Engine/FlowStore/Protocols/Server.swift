package import FlowModel
package import FlowNotices
package import FlowPlatform
package import FlowWork

/// Pauses and skips, set and ended by people.
package protocol HoldChanges: Sendable {
  /// Holds a job, or all jobs of a team, from `now` on. A new pause replaces the present one.
  func hold(_ request: HoldRequest, now: Timestamp) async throws -> Hold

  /// Ends the holds of a job, or of the whole team if `job` is nil.
  /// - Returns: the number of active holds that were ended.
  func release(team: TeamID?, job: JobID?, now: Timestamp, by caller: String) async throws -> Int

  /// All holds of a team (nil: the server) that overlap the time from `start` to `end`, ended ones included.
  func holds(of team: TeamID?, from start: Timestamp, to end: Timestamp) async throws -> [Hold]
}

/// Reports from the ledger about past, failed and future runs.
package protocol LedgerReport: Sendable {
  /// The number of runs per outcome with slots from `start` to `end`. The end excludes future slots that ran while the clock
  /// was ahead.
  func outcomes(since start: Timestamp, notAfter end: Timestamp?) async throws -> [RunOutcome: Int]

  /// The newest run of each job with a slot not after `end`.
  func lastRuns(notAfter end: Timestamp?) async throws -> [JobID: RunRecord]

  /// Future slots that will not run again: they ran while the clock was ahead, or a person skipped them. Verdicts that a clock
  /// rollback will remove are left out.
  func slotsRunEarly(after now: Timestamp) async throws -> [JobID: Set<Timestamp>]

  /// The jobs as a clock rollback will leave them, for callers that read before it, or while no daemon runs.
  func settled(_ jobs: [JobRecord], asOf now: Timestamp) async throws -> [JobRecord]

  /// The latest cursor of all jobs.
  func newestCursor() async throws -> Timestamp

  /// Every rule that a job has had, oldest first.
  func rules(of job: JobID) async throws -> [RuleSpan]

  /// The range of missed slots that contains `slot`; nil if there is none.
  func skippedRange(of job: JobID, covering slot: Timestamp) async throws -> SkippedSlotRange?

  /// Server jobs whose newest finished run failed, however long ago: a server without backups must be reported for weeks.
  func failedWork() async throws -> [FailedWork]

  /// Teams with an unreadable job, and the reason.
  func unreadableJobs() async throws -> [TeamID: String]
}

/// The server's own jobs, and slots settled in advance.
package protocol ServerJobs: Sendable {
  /// Sets the rules of the server's own jobs in one transaction; each changed rule begins a new generation.
  func planServerJobs(_ plans: [JobPlan], zone: String, now: Timestamp) async throws

  /// Start of the newest backup made for this reason; nil if there is none.
  func newestBackup(reason: String) async throws -> Timestamp?

  /// Settles a slot as suppressed when its rule is set, so that it never falls due.
  func recordSilence(
    job: JobID, slot: Timestamp, silence: SuppressionReason, now: Timestamp
  ) async throws
}

/// Knowledge about the clock.
package protocol ClockReport: Sendable {
  func clockTrust() async throws -> ClockTrust

  /// The last clock correction; nil if there was none.
  func lastClockCorrection() async throws -> ClockCorrection?
}

/// Epochs: each start of the daemon begins one.
package protocol Epochs: Sendable {
  /// The number of this process's epoch; unfinished runs of earlier epochs are orphaned.
  var epoch: Int64 { get }

  /// True if the mark is newer than this store, so the store was restored from a copy.
  func isOlder(than mark: EpochMark) async throws -> Bool

  /// Writes the start of this epoch, if the disk was full when the daemon started.
  func settleEpoch() async throws

  /// Records that the daemon was alive at `now` and stopped normally.
  func endEpoch(at now: Timestamp) async throws

  /// The start of the first epoch that the store remembers; nil if there is none.
  func firstStart() async throws -> Timestamp?
}

/// Upkeep: limits the size of the store and reserves disk space.
package protocol StoreUpkeep: Sendable {
  /// True if writes fail because the disk is full; reads still work.
  var isOutOfDiskSpace: Bool { get async }

  /// Why the last contact with the server failed; nil if it answered, or for a file.
  var serverAway: String? { get async }

  /// Restores the disk space reserve and adapts the log's limit to the free space. Called regularly.
  func keepDiskReserve() async throws

  /// Frees caches; later queries read their data again.
  func releaseMemory() async

  /// Deletes runs older than `Limits.ledgerRetention`, with their notices and outbox entries, at most `limit` per call.
  ///
  /// Kept at any age: running and waiting runs, slots after their job's cursor (the cursor keeps older slots from running
  /// again), and runs with an undelivered notice. The newest deleted slot that ran is remembered; no cursor goes back before
  /// it.
  /// - Parameter now: the time to count from; use `deletionTime` if the clock may be wrong.
  /// - Returns: the number of runs deleted.
  @discardableResult
  func prune(now: Timestamp, limit: Int) async throws -> Int

  func stateCounts() async throws -> (teams: Int, records: Int, jobs: Int)
}

/// The audit log: changes and the users who made them.
package protocol AuditLog: Sendable {
  /// Records that a change begins. The entry is durable on return, so no change is made without a trace.
  ///
  /// - Returns: the entry's id, for `endAudit`.
  func beginAudit(uid: UInt32, userName: String?, command: String, at now: Timestamp) async throws -> Int64

  func endAudit(_ entry: Int64, result: String, at now: Timestamp) async throws

  /// Newest first, from `start` on if given.
  func audit(since start: Timestamp?, limit: Int) async throws -> [AuditRecord]
}

/// Records of the backups that were made and verified.
package protocol Backups: Sendable {
  func record(_ backup: BackupRecord) async throws

  /// Records the result of a verification.
  ///
  /// - Parameter finding: the damage found; nil if the backup is undamaged.
  func recordVerification(of id: String, finding: String?, at now: Timestamp) async throws

  func forgetBackup(_ id: String) async throws

  /// All backups, newest first.
  func backups() async throws -> [BackupRecord]
}

/// Inbox files that are imported but not yet renamed to their final name.
package protocol InboxClaims: Sendable {
  /// The report of an imported inbox file; nil if the file was not imported.
  func inboxReport(of claim: String) async throws -> String?

  /// Deletes the claim after the file has been renamed, so the scanner will not find it again.
  func forgetInboxClaim(_ claim: String) async throws
}

extension Store: HoldChanges, LedgerReport, ServerJobs, ClockReport, Epochs, StoreUpkeep, AuditLog, Backups,
  InboxClaims
{}
