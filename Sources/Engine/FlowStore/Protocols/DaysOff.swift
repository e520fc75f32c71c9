package import FlowCalendar
package import FlowModel
package import FlowWork
package import PoolDigests
package import PoolJobs

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

/// Reminders that teams write themselves.
package protocol Reminders: Sendable {
  /// The readable reminders, by name.
  func reminders(of team: TeamID) async throws -> [TeamReminder]

  /// Adds, changes or removes a reminder and re-plans the team's jobs, as `changeTeam` does.
  ///
  /// - Parameter change: takes the present reminder (nil: none) and the number of the team's other reminders; returns the new
  ///   reminder, or nil to remove it.
  func changeReminder(
    _ name: ReminderName, of team: String, now: Timestamp,
    change: @Sendable (Team, TeamReminder?, _ others: Int) throws -> TeamReminder?,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team
}

extension Store: TeamDaysOff, Reminders {}
