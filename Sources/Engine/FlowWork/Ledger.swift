package import FlowCalendar
package import FlowModel
package import FlowNotices

/// The stored jobs and the verdicts on their slots.
///
/// A slot that has a verdict never gets another one: (job, slot) is the identity of a run, whatever the clock, a crash or a
/// caller does. Each method that writes is one transaction and is durable when it returns.
package protocol Ledger: Sendable {
  /// The store's id, part of every notice id: eight hexadecimal digits, created with the store.
  var install: String { get }

  /// All jobs whose rows can be read.
  func jobs() async throws -> [JobRecord]

  /// The jobs of one team.
  ///
  /// - Parameter team: nil for the server's own jobs.
  func jobs(of team: TeamID?) async throws -> [JobRecord]

  /// The jobs that this process runs; when several nodes share a store, the jobs of the teams in its partitions.
  func jobsToRun() async throws -> [JobRecord]

  /// The jobs of one team that this process runs; empty if another node owns the team.
  ///
  /// - Parameter team: nil for the server's own jobs.
  func jobsToRun(of team: TeamID?) async throws -> [JobRecord]

  /// The jobs in these partitions that this process runs.
  func jobsToRun(of partitions: PartitionSet) async throws -> [JobRecord]

  /// Stores the result of one scheduler tick for all its jobs in one transaction: verdicts for slots that passed, claims for
  /// slots that run, and each job's cursor behind them. A job whose rule has changed since planning is skipped.
  ///
  /// - Returns: the granted claims; a slot that already has a run is not granted.
  func take(_ ticks: [JobTick], now: Timestamp) async throws -> [ClaimedRun]

  /// Claims slots for this process in one transaction without moving a cursor. A slot that already has a run, or whose job's
  /// rule has changed since planning, is not granted.
  func claim(_ requests: [ClaimRequest], now: Timestamp) async throws -> [ClaimedRun]

  /// Orphan recovery: claims runs that an earlier epoch left `running` for this epoch. A slot that has crashed the daemon
  /// `Limits.crashesPerSlot` times becomes `failed` instead, so that it cannot crash the daemon for ever.
  ///
  /// - Parameter crashed: whether the previous process crashed by itself. A kill from outside or a power loss does not count
  ///   as a crash of the run.
  func reclaimOrphans(now: Timestamp, crashed: Bool) async throws -> [ClaimedRun]

  /// The runs that this process has claimed and not settled. They include claims that the database server committed although
  /// the connection broke before the reply arrived.
  func unsettledRuns() async throws -> [ClaimedRun]

  /// The runs whose last attempt failed, with the start of their next attempt.
  func waitingRuns() async throws -> [RunKey: Timestamp]

  /// Claims waiting runs for another attempt by this process. A run that was cancelled or ended meanwhile is not granted.
  func retry(_ keys: [RunKey], now: Timestamp) async throws -> [ClaimedRun]

  /// Cancels a waiting run at an operator's request.
  ///
  /// - Returns: false if the run is not waiting any more.
  func cancelWaiting(_ key: RunKey, detail: String, now: Timestamp) async throws -> Bool

  /// Writes outcomes, notices and outbox entries of a batch of runs in one transaction. A run whose claim this process has
  /// lost is skipped.
  ///
  /// - Parameter evenIfChanged: true to settle also decisions whose facts have changed since they were read.
  /// - Returns: the runs left unsettled because their facts have changed; the caller decides them again.
  func settle(_ settlements: [RunSettlement], routes: [SinkRoute], evenIfChanged: Bool) async throws -> Set<RunKey>

  /// The matching rows, newest first.
  func history(_ query: HistoryQuery) async throws -> [RunRecord]

  /// Runs by slot range, newest first; uses only the index on slots.
  ///
  /// - Parameter pattern: a SQLite `GLOB` pattern for `-morning-summary-17-`; nil for all runs.
  func runs(
    from: Timestamp, to: Timestamp, like pattern: String?, limit: Int
  ) async throws -> [(key: RunKey, kind: JobKind)]
}

/// The facts that decisions read; only the trade's code knows their type.
package protocol Facts: Sendable {
  /// The decision of each run, with all facts read at one moment after the claims. The result is nil for a team that does not
  /// exist any more and for background tasks. An unreadable record fails only its own team's result.
  func decisions(of runs: [ClaimedRun], zones: any ZoneSource) async throws -> [Result<RunDecision?, any Error>]
}

/// The pauses and skips that operators have set.
package protocol Holds: Sendable {
  /// Every hold that may affect an unsettled slot, of all teams and of the server.
  func holds() async throws -> [Hold]

  /// Every hold that may affect an unsettled slot: effective holds, and ended holds whose time range some job has not settled
  /// yet.
  ///
  /// - Parameter team: nil for the server's own holds.
  func holds(of team: TeamID?) async throws -> [Hold]
}

/// The record of clock readings across epochs, and the rollback of verdicts that a wrong clock caused.
package protocol ClockLog: Sendable {
  /// Stores a heartbeat, and what the scheduler found out about the time since the previous one.
  func heartbeat(_ downtime: Downtime?, trust: ClockTrust?, now: Timestamp) async throws

  /// The newest periods in which no daemon read the clock or the clock was moved, oldest first.
  ///
  /// - Parameter since: periods that ended before it are left out.
  func downtimes(since: Timestamp, limit: Int) async throws -> [Downtime]

  /// The store's knowledge of the clock, read when the daemon starts.
  func storedClockState(now: Timestamp) async throws -> StoredClockState

  /// Rolls back what was settled while the clock was ahead of `now`: verdicts of slots that did not run, the cursors behind
  /// them, and waits until an instant in the wrong future. Slots that ran stay settled.
  ///
  /// A verdict is from the wrong clock if its own timestamp is after `now`.
  ///
  /// - Parameter last: the clock reading before the clock was set back; nil if no process saw the change.
  /// - Returns: nil if the store contains nothing after `now`.
  func rollBack(now: Timestamp, from last: Timestamp?) async throws -> ClockCorrection?

  /// The reference time for age-based deletion; never an unconfirmed clock reading.
  func deletionTime(now: Timestamp) async throws -> Timestamp
}
