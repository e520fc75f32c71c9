package import FlowModel
package import FlowNotices
package import FlowWork

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

/// Teams, including those whose rows are damaged except for the name.
package protocol Teams: Sendable {
  /// Every team with a readable row; see `unreadableTeams` for all others.
  func teams() async throws -> [Team]

  /// Teams with an unreadable row, and the reason.
  func unreadableTeams() async throws -> [TeamID: String]

  /// The name, even if the rest of the team's row is unreadable; nil if there is no such team.
  func teamName(_ id: TeamID) async throws -> String?

  /// The team with this name.
  ///
  /// - Throws: `StoreError.noSuchTeam`.
  func team(named name: String) async throws -> Team

  /// Adds a team with its default technician and its jobs. Their first slots come after `now`.
  ///
  /// - Throws: `StoreError.teamExists`.
  func addTeam(
    _ draft: Team, defaultTechnician: String, now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team

  /// Changes a team and, if that affects them, the rules of its jobs, in one transaction.
  ///
  /// A job whose rule changes begins a new generation: pending slots of the old rule are never claimed, and the first slot of
  /// the new rule comes after `now`.
  func changeTeam(
    named name: String, now: Timestamp, change: @Sendable (inout Team) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team

  /// Renames a team; nothing else changes.
  ///
  /// - Throws: `StoreError.noSuchTeam`, `StoreError.teamExists`.
  func renameTeam(named name: String, to other: String) async throws -> Team

  /// Removes a team with all its data, including runs and notices.
  ///
  /// - Returns: the number of undelivered notices; nil if the team was not removed, because it has pools or a running job.
  /// - Throws: `StoreError.noSuchTeam`.
  func removeTeam(named name: String) async throws -> Int?

  func team(_ id: TeamID) async throws -> Team?

  func technicians(of team: TeamID) async throws -> [Technician]
}

/// Schedules of team jobs, as chosen by the teams and by the settings.
package protocol Timings: Sendable {
  /// The timings that a team chose; kinds without a choice are left out.
  func timings(of team: TeamID) async throws -> [JobKind: JobTiming]

  /// Changes a team's timing for one kind of job and re-plans its jobs, as `changeTeam` does.
  ///
  /// - Parameter change: returns the new timing from the present one; `.unchosen` removes the choice.
  func chooseTiming(
    of kind: JobKind, team name: String, now: Timestamp, change: @Sendable (Team, JobTiming) throws -> JobTiming,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team

  /// The default timings with which the jobs of all teams were last planned.
  func defaultTimings() async throws -> [JobKind: JobTiming]

  /// True if a team of the trade lacks a job of these kinds, because an older daemon made the store.
  func lacksJobs(of kinds: [JobKind], trade: Trade) async throws -> Bool

  /// Plans the jobs of every team again with new default timings.
  func planAllTeams(
    defaults: [JobKind: JobTiming], now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws
}

/// Failures that affect the work for single teams.
package protocol TeamFailures: Sendable {
  /// Every team with an unresolved failure, by name.
  func troubles() async throws -> [TeamFailure]

  /// Records the result of a check of teams: teams in `found` have a failure in this work, all other checked teams have none.
  func setTeamFailures(
    _ found: [TeamID: String], with work: String, of checkedTeams: CheckedTeams, now: Timestamp
  ) async throws

  /// Ends all failures of a team, because its records were replaced.
  func clearTeamFailures(of team: TeamID) async throws

  /// Notifies the operator of all failures that were not reported yet, in one notice. Each is reported once until it is
  /// resolved.
  ///
  /// - Returns: the sinks that get the notice; empty if there is nothing to report or no sink for it.
  func notifyTeamFailures(routes: [SinkRoute], now: Timestamp) async throws -> [String]
}

extension Store: Backups, Teams, Timings, TeamFailures {}
