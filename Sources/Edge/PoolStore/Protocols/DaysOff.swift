package import PoolCalendar
package import PoolDigests
package import PoolJobs
package import PoolModel
package import PoolWork

/// When nobody works.
package protocol TeamDaysOff: Sendable {
  /// In the order in which they were made.
  func daysOff(of team: TeamID) async throws -> DaysOff

  /// Adds days off that are not known yet, all or none, and plans the team's jobs anew, as `changeTeam` does.
  ///
  /// - Parameters:
  ///   - days: their numbers are of no account.
  ///   - check: throws where what the team would have is refused; nothing is changed then.
  /// - Returns: those that are new, with their numbers.
  func addDaysOff(
    _ days: [DayOff], to name: String, now: Timestamp, check: @Sendable (DaysOff) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> [DayOff]

  /// - Returns: those that there were.
  func removeDaysOff(
    _ ids: Set<Int64>, of name: String, now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> [DayOff]
}

/// What teams are reminded of in their own words.
package protocol Reminders: Sendable {
  /// Those that can be read, by name.
  func reminders(of team: TeamID) async throws -> [TeamReminder]

  /// Makes, changes or removes a reminder and plans the team's jobs anew, as `changeTeam` does.
  ///
  /// - Parameter change: from the reminder as it was, nil for none, and how many others the team has; to nil to remove it.
  func changeReminder(
    _ name: ReminderName, of team: String, now: Timestamp,
    change: @Sendable (Team, TeamReminder?, _ others: Int) throws -> TeamReminder?,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team
}

extension Store: TeamDaysOff, Reminders {}
