package import PoolCalendar
package import PoolModel
package import PoolNotices

/// Which jobs there are, and the verdicts on their slots.
///
/// A slot that has a verdict never gets another one, whatever the clock, a crash or a caller does: (job, slot) is a run's
/// identity. Each verb that writes is one transaction, whole or not at all, and durable when it returns.
package protocol Ledger: Sendable {
  /// The store's own mark, part of every notice's identity: eight hexadecimal digits, made with the store.
  var install: String { get }

  /// Those that can be read.
  func jobs() async throws -> [JobRecord]

  /// - Parameter team: nil for the server's own jobs.
  func jobs(of team: TeamID?) async throws -> [JobRecord]

  /// Those that this process runs; where several share a store each has some teams.
  func jobsToRun() async throws -> [JobRecord]

  /// - Parameter team: nil for the server's own jobs. None of a team that is another process's.
  func jobsToRun(of team: TeamID?) async throws -> [JobRecord]

  /// Those of these shares that this process runs.
  func jobsToRun(of shares: ShareSet) async throws -> [JobRecord]

  /// Settles what one look at the clock found, job by job, all in one transaction: verdicts for the slots that passed,
  /// claims for those that run, and the cursor over both. A job whose rule has changed since is left alone.
  ///
  /// - Returns: the claims that were granted; a slot that has a run already is not.
  func take(_ looks: [JobLook], now: Timestamp) async throws -> [ClaimedRun]

  /// Claims slots for this process, all in one transaction, and moves no cursor. A slot that has a run, or whose job's
  /// rule has changed since it was planned, is not granted.
  func claim(_ requests: [ClaimRequest], now: Timestamp) async throws -> [ClaimedRun]

  /// Runs that an earlier epoch left `running`, claimed again for this one. A slot that has now crashed
  /// `Limits.crashesPerSlot` times becomes `failed` instead, so that it cannot take the daemon down for ever.
  ///
  /// - Parameter crashed: whether the process before this one crashed by itself. A kill from outside counts against no
  ///   run: a slot runs however often the plug is pulled.
  func reclaimOrphans(now: Timestamp, crashed: Bool) async throws -> [ClaimedRun]

  /// The runs that this process has claimed and not settled. A server may keep a claim of which it could tell nobody any
  /// more: whoever asked was told that it is away.
  func runsUnderWay() async throws -> [ClaimedRun]

  /// The runs whose last attempt failed, and when each is tried again.
  func waitingRuns() async throws -> [RunKey: Timestamp]

  /// Takes waiting runs up for another attempt by this process. One that was cancelled or swept away meanwhile is not
  /// granted.
  func retry(_ keys: [RunKey], now: Timestamp) async throws -> [ClaimedRun]

  /// Ends a waiting run because somebody asked for it.
  /// - Returns: false where it does not wait any more.
  func cancelWaiting(_ key: RunKey, detail: String, now: Timestamp) async throws -> Bool

  /// Outcomes, notices and outbox entries of a batch of runs. A run whose claim is not this process's any more is left.
  ///
  /// - Parameter evenIfChanged: settles also what was decided of facts that have changed since.
  /// - Returns: the runs of which that is so, and which are still to be settled.
  func settle(_ settlements: [RunSettlement], routes: [SinkRoute], evenIfChanged: Bool) async throws -> Set<RunKey>

  /// Newest first.
  func history(_ query: HistoryQuery) async throws -> [RunRecord]

  /// The runs of some slots, the newest first, by the index of slots alone.
  ///
  /// - Parameter pattern: SQLite's, of `-morning-summary-17-`; nil for all of them.
  func runs(
    from: Timestamp, to: Timestamp, like pattern: String?, limit: Int
  ) async throws -> [(key: RunKey, kind: JobKind)]
}

/// What decisions look at: only the trade that decides knows it.
package protocol Facts: Sendable {
  /// What decides each of these runs, by facts of one moment after their claims; nil for a team that is gone, and for the
  /// server's own work, which decides nothing. Where one team's records cannot be read, the others' are there all the same.
  func decisions(of runs: [ClaimedRun], zones: any ZoneSource) async throws -> [Result<RunDecision?, any Error>]
}

/// What people hold back.
package protocol Holds: Sendable {
  /// Every hold that a slot not yet settled may fall under, of all teams and the server.
  func holds() async throws -> [Hold]

  /// Every hold that a slot not yet settled may fall under: those in force, and ended ones whose time some job of
  /// theirs has still to account for.
  ///
  /// - Parameter team: nil for the server.
  func holds(of team: TeamID?) async throws -> [Hold]
}

/// What the daemon's lives saw of the clock, and what becomes of what a wrong one settled.
package protocol ClockLog: Sendable {
  /// Says that the daemon is alive now, and what it found out about the time before.
  func beat(_ absence: Absence?, trust: ClockTrust?, now: Timestamp) async throws

  /// The newest times, oldest first, in which no daemon looked at the clock or the clock was moved.
  ///
  /// - Parameter since: those that ended before it are left out.
  func absences(since: Timestamp, limit: Int) async throws -> [Absence]

  func clockMemory(now: Timestamp) async throws -> ClockMemory

  /// Takes back what was settled by a clock that stood ahead of `now`: verdicts of slots that nobody ran, the cursors over
  /// them, and every instant that was to be waited for. What ran stays run, for ever.
  ///
  /// A verdict tells by its own time that it is from such a clock: it was written down later than now.
  /// - Parameter last: what the clock said before it was set back, where somebody saw that.
  /// - Returns: nil where nothing lies ahead.
  func takeBack(now: Timestamp, from last: Timestamp?) async throws -> ClockMend?

  /// The time by which anything may be deleted for its age: never that of a clock which nobody has confirmed.
  func deletionTime(now: Timestamp) async throws -> Timestamp
}
