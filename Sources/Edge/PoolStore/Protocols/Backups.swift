package import PoolModel
package import PoolNotices
package import PoolWork
package import StableModel

/// What was backed up, and what proves it.
package protocol Backups: Sendable {
  func record(_ backup: BackupRecord) async throws

  /// Writes down what a look at a backup has found; nil where it is whole.
  func recordVerification(of id: String, finding: String?, at now: Timestamp) async throws

  func forgetBackup(_ id: String) async throws

  /// The newest first.
  func backups() async throws -> [BackupRecord]
}

/// The teams, with those of which nothing but the name can be read.
package protocol Teams: Sendable {
  /// Every team whose own row can be read; of the others `unreadableTeams` tells.
  func teams() async throws -> [Team]

  func unreadableTeams() async throws -> [TeamID: String]

  /// Also of a team whose row cannot be read otherwise.
  func teamName(_ id: TeamID) async throws -> String?

  /// - Throws: `StoreError.noSuchTeam`.
  func team(named name: String) async throws -> Team

  /// Adds a team with its default technician and its jobs, whose first slots come after `now`.
  ///
  /// - Throws: `StoreError.teamExists`.
  func addTeam(
    _ draft: Team, defaultTechnician: String, now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team

  /// Changes a team and, where the change moves them, its jobs' rules: all in one transaction.
  ///
  /// A job whose rule changed begins a new generation: what was pending under the old rule is never claimed, and the
  /// first slot of the new rule comes after `now`.
  /// - Parameter change: of the team, and of what a stable chose besides.
  func changeTeam(
    named name: String, now: Timestamp, change: @Sendable (inout Team, inout BarnSettings) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team

  /// Gives a team another name; nothing else of it changes.
  ///
  /// - Throws: `StoreError.noSuchTeam`, `StoreError.teamExists`.
  func renameTeam(named name: String, to other: String) async throws -> Team

  /// Removes a team with all that belongs to it, its runs and notices among it.
  ///
  /// - Returns: how many notices had not been delivered; nil where it stays, because it has pools or a run of it is under way.
  /// - Throws: `StoreError.noSuchTeam`.
  func removeTeam(named name: String) async throws -> Int?

  func team(_ id: TeamID) async throws -> Team?

  func technicians(of team: TeamID) async throws -> [Technician]
}

/// When the jobs of teams are due, as the teams and the settings choose it.
package protocol Timings: Sendable {
  /// What a team chose for its jobs; kinds for which it chose nothing are left out.
  func timings(of team: TeamID) async throws -> [JobKind: JobTiming]

  /// Changes what a team chose for one of its jobs and plans its jobs anew, as `changeTeam` does.
  ///
  /// - Parameter change: from what was chosen before; `.unchosen` takes every choice back.
  func chooseTiming(
    of kind: JobKind, team name: String, now: Timestamp, change: @Sendable (Team, JobTiming) throws -> JobTiming,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team

  /// What held for all teams when their jobs were planned last.
  func defaultTimings() async throws -> [JobKind: JobTiming]

  /// Whether some team of the trade has no job of a kind that each of them has: its store is of an older daemon.
  func lacksJobs(of kinds: [JobKind], trade: Trade) async throws -> Bool

  /// Plans the jobs of every team anew, by what the settings say now.
  func planAllTeams(
    defaults: [JobKind: JobTiming], now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws
}

/// What of a team stands in the way of a work for it.
package protocol Troubles: Sendable {
  /// Every team in trouble, by name: what was found at the last look and was not mended since.
  func troubles() async throws -> [TeamTrouble]

  /// Takes over what a look at the teams found: who is in trouble with this work now, and that the others are not.
  ///
  func setTroubles(
    _ found: [TeamID: String], with work: String, of looked: TeamsLookedFor, now: Timestamp
  ) async throws

  /// Nothing of a team's records stands in the way any more: they were replaced.
  func endTroubles(of team: TeamID) async throws

  /// Tells the operator of every trouble that was not told yet, all in one notice; each once until it is mended.
  ///
  /// - Returns: the sinks that are told; none where there is nothing to tell, or nobody who takes it.
  func tellTroubles(routes: [SinkRoute], now: Timestamp) async throws -> [String]
}

extension Store: Backups, Teams, Timings, Troubles {}

extension Teams {
  /// The same where what a stable chose besides stays.
  package func changeTeam(
    named name: String, now: Timestamp, change: @Sendable (inout Team) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team {
    try await changeTeam(named: name, now: now, change: { team, _ in try change(&team) }, plan: plan)
  }
}
