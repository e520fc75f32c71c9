package import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowWork

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

/// Days on which a team or a technician does not work.
package protocol TeamDaysOff: Sendable {
  /// In the order in which they were added.
  func daysOff(of team: TeamID) async throws -> DaysOff

  /// Adds the days off that the team does not have yet, all or none, and re-plans its jobs, as `changeTeam` does.
  ///
  /// - Parameters:
  ///   - days: days off to add; their ids are ignored.
  ///   - check: throws to refuse the resulting days off; nothing is changed then.
  /// - Returns: the added days off, with their ids.
  func addDaysOff(
    _ days: [DayOff], to name: String, now: Timestamp, check: @Sendable (DaysOff) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> [DayOff]

  /// Removes days off and re-plans the team's jobs, as `changeTeam` does.
  ///
  /// - Returns: the days off that were removed; unknown ids are ignored.
  func removeDaysOff(
    _ ids: Set<Int64>, of name: String, now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> [DayOff]
}

/// People who get notices of their own, and their addresses.
package protocol People: Sendable {
  /// The people with stored contact data, the office first.
  func people(of team: TeamID) async throws -> [KnownPerson]

  /// Nil if no contact data is stored.
  func person(_ key: PersonKey) async throws -> KnownPerson?

  /// Display names of these people; removed ones are left out.
  func names(of keys: Set<PersonKey>) async throws -> [PersonKey: String]

  /// Changes a person's contact data; begins with empty data if there is none.
  func changePerson(
    _ key: PersonKey, of team: TeamID, change: @Sendable (inout KnownPerson) throws -> Void
  ) async throws -> KnownPerson

  /// Adds a technician with contact data.
  ///
  /// - Parameter make: returns the contact data; takes the new key and the team's number of technicians.
  /// - Returns: nil if the team has a technician of this name, ignoring case; nothing is changed then.
  func addTechnician(
    _ name: String, to team: TeamID, make: @Sendable (PersonKey, _ technicians: Int) throws -> KnownPerson
  ) async throws -> KnownPerson?

  /// Deletes a person's addresses and subscriptions.
  func forget(_ key: PersonKey, of team: TeamID) async throws

  /// Removes a technician who has nothing but addresses and days off.
  ///
  /// - Parameter today: the local date in the team's zone; work from this date on prevents the removal.
  /// - Returns: the holdings that prevent the removal; empty if the technician was removed.
  func removeTechnician(_ id: TechnicianID, of team: TeamID, today: CivilDate) async throws -> TechnicianHoldings
}

/// Holdings that prevent the removal of a technician.
package struct TechnicianHoldings: Hashable, Sendable {
  /// Main records of the trade that are assigned to the technician or were imported for the technician alone.
  package let records: Int
  /// Other records of the technician alone, such as stock and profiles.
  package let others: Int
  package let reminders: Int
  package let isDefault: Bool
  /// The work that was given to the technician for single dates; nil if there is none.
  package let coming: ComingWork?

  package var isEmpty: Bool { records + others + reminders == 0 && !isDefault && coming == nil }
}

/// Work of a technician on single dates.
package struct ComingWork: Hashable, Sendable {
  package let jobs: Int
  package let first: CivilDate

  package init(jobs: Int, first: CivilDate) {
    self.jobs = jobs
    self.first = first
  }
}

extension Store: Teams, Timings, TeamFailures, TeamDaysOff, People {}
