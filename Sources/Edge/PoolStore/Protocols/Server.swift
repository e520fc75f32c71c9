package import PoolWork
import PoolJobs
package import PoolModel
package import PoolNotices
package import PoolPlatform

/// What people hold back and let go.
package protocol HoldChanges: Sendable {
  /// Holds a job or a team from `now` on. A pause takes the place of the one there is.
  func hold(_ request: HoldRequest, now: Timestamp) async throws -> Hold

  /// Ends what holds a job (`job` given) or the team as a whole.
  /// - Returns: how many holds were in force.
  func release(team: TeamID?, job: JobID?, now: Timestamp, by caller: String) async throws -> Int

  /// All holds of a team, or of the server, that touch the time from `start` to `end`, ended or not.
  func holds(of team: TeamID?, from start: Timestamp, to end: Timestamp) async throws -> [Hold]
}

/// What the ledger tells of past, failed and future runs.
package protocol LedgerReport: Sendable {
  /// How many runs ended in each outcome since `start`, and not after `end`: a slot to come that has run, by a clock that
  /// was ahead, is no news of today.
  func outcomes(since start: Timestamp, notAfter end: Timestamp?) async throws -> [RunOutcome: Int]

  /// The newest run of each job that has one not after `end`.
  func lastRuns(notAfter end: Timestamp?) async throws -> [JobID: RunRecord]

  /// Slots that have not come yet and will not run: they have run, by a clock that was ahead, or a person skipped them.
  /// Verdicts that are taken back when the clock's coming back is mended do not count.
  func slotsRunEarly(after now: Timestamp) async throws -> [JobID: Set<Timestamp>]

  /// Jobs as they stand once the clock's coming back is mended: for whoever looks before that, or at a store whose daemon
  /// does not run.
  func settled(_ jobs: [JobRecord], asOf now: Timestamp) async throws -> [JobRecord]

  /// Up to when any job is settled.
  func newestCursor() async throws -> Timestamp

  /// Every rule that a job has had, the oldest first.
  func rules(of job: JobID) async throws -> [RuleSpan]

  /// The missed stretch that covers a slot.
  func stretch(of job: JobID, covering slot: Timestamp) async throws -> PassedStretch?

  /// Told until the work is done again, and not for a day only: a server without a backup is without one for weeks.
  func failedWork() async throws -> [FailedWork]

  /// Of each team that has one, why a job of it cannot be read.
  func unreadableJobs() async throws -> [TeamID: String]
}

/// The server's own jobs, and slots that are settled by hand.
package protocol ServerJobs: Sendable {
  /// Sets the rules of the server's own jobs, in one transaction; each that really changed begins a new generation.
  func planServerJobs(_ plans: [JobPlan], zone: String, now: Timestamp) async throws

  /// When the newest backup that was made for this reason was begun.
  func newestBackup(reason: String) async throws -> Timestamp?

  /// A silence that is known the moment a rule is set: its slot is settled without ever falling due.
  func recordSilence(
    job: JobID, slot: Timestamp, silence: Silence, now: Timestamp
  ) async throws
}

/// What is known of the clock.
package protocol ClockReport: Sendable {
  func clockTrust() async throws -> ClockTrust

  /// What was mended last when the clock came back; nil where it never had to.
  func lastClockMend() async throws -> ClockMend?
}

/// The daemon's lives: each start of a daemon begins one.
package protocol Epochs: Sendable {
  /// The number of this daemon's life: runs of an older one are orphans.
  var epoch: Int64 { get }

  /// Whether this store has not seen all that the mark has: it was put back from a copy.
  func isOlder(than mark: EpochMark) async throws -> Bool

  /// Writes that this life of the daemon has begun, where the start found no room for it.
  func settleEpoch() async throws

  /// Says that the daemon was alive now, and, at the end, that it stopped by itself.
  func endEpoch(at now: Timestamp) async throws

  /// When a daemon first had this store, as far back as it remembers.
  func firstStart() async throws -> Timestamp?
}

/// What keeps the store small, and within its room.
package protocol StoreUpkeep: Sendable {
  /// Nothing can be written for want of room; what is there can be read.
  var isOutOfRoom: Bool { get async }

  /// Why the store's server could not be reached when it was last asked; nil where it answered, and of a file.
  var serverAway: String? { get async }

  /// Keeps room for need again, and bounds the log by what there is now. Called now and then.
  func keepRoom() async throws

  /// Frees what is only kept to be quick; the next questions read it again.
  func releaseMemory() async

  /// Forgets verdicts older than `Limits.ledgerRetention`, with their notices and entries, so many at a time.
  ///
  /// Kept whatever its age: what is under way or waits, what lies after its job's cursor (the cursor is what keeps an older
  /// slot from running again), and a run whose notice some sink has not taken.
  /// The newest slot that is forgotten and really ran is remembered: no cursor ever goes back before it.
  /// - Parameter now: `deletionTime`, where the clock may be wrong.
  /// - Returns: how many runs were forgotten.
  @discardableResult
  func prune(now: Timestamp, limit: Int) async throws -> Int

  func stateCounts() async throws -> (teams: Int, pools: Int, jobs: Int)
}

/// Who changed what.
package protocol AuditLog: Sendable {
  /// Writes down that a change begins; durable when it returns, so that none is made without a trace.
  ///
  /// - Returns: the entry, for `endAudit`.
  func beginAudit(uid: UInt32, userName: String?, command: String, at now: Timestamp) async throws -> Int64

  func endAudit(_ entry: Int64, result: String, at now: Timestamp) async throws

  /// The newest first.
  func audit(since start: Timestamp?, limit: Int) async throws -> [AuditRecord]
}

/// Files of the inbox that are imported and have not their last name yet.
package protocol InboxClaims: Sendable {
  /// What an import of the inbox has told; nil where the file has not been imported.
  func inboxReport(of claim: String) async throws -> String?

  /// The file has its last name: it is not come upon again.
  func forgetInboxClaim(_ claim: String) async throws
}

extension Store: HoldChanges, LedgerReport, ServerJobs, ClockReport, Epochs, StoreUpkeep, AuditLog, InboxClaims {}
