package import FlowModel

/// What a change of the store affects.
package enum ScheduleChange: Sendable {
  /// When the jobs of a team are due: their rules, days off or reminders.
  case rules(of: TeamID)
  /// The rules of the server's own jobs.
  case serverRules
  /// Pauses and skips of a team's jobs; nil: of the server's.
  case holds(of: TeamID?)
  /// A team itself, such as its name or that it exists; nil: what the server's jobs are. No slot is dropped.
  case record(of: TeamID?)
}

extension Scheduler {
  /// Changes the store where this affects the plan: runs the jobs that are due by the present plan, writes, and plans again.
  ///
  /// - Throws: the error of `write`, and the store's.
  package nonisolated func perform<Value>(
    _ change: ScheduleChange, _ write: () async throws -> Value
  ) async throws -> Value {
    switch change {
    case .rules(let team): await runDueJobs(beforeChanging: team)
    case .serverRules: await runDueJobs()
    // A hold applies to later slots only.
    case .holds(let team): await runDueJobs(of: team)
    case .record: break
    }
    let value = try await write()
    switch change {
    case .rules(let team): try await replan(team: team)
    case .serverRules: try await replan(team: nil)
    case .holds(let team), .record(let team): try await replan(team: team)
    }
    return value
  }

  /// Changes the defaults of all teams' jobs: runs the jobs that are due by the present plan, writes, and plans all jobs again
  /// if this changed any.
  ///
  /// - Parameter write: returns true if the store's jobs may differ from those planned.
  /// - Throws: the error of `write`, and the store's.
  package nonisolated func changeDefaults(_ write: () async throws -> Bool) async throws {
    await runDueJobs(beforeChanging: nil)
    if try await write() { try await planAll() }
  }

  /// Adds a team to the store and plans its jobs.
  package nonisolated func add(_ write: () async throws -> Team) async throws -> Team {
    let team = try await write()
    try await replan(team: team.id)
    return team
  }
}
